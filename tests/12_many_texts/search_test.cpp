// tests/12_many_texts/search_test.cpp · beam search against all texts
#include "chapters/12_many_texts/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/11_generation/checklist.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

// ln p of what was written behind the prompt, and of end_id where it ended, each from a pass over all that stands before.
double log_probability_of(const LanguageModel& model, const TokenIds& prompt, const Beam& beam,
                          std::optional<std::int64_t> end_id) {
    TokenIds text = prompt, written = beam.tokens;
    if (beam.ended) written.push_back(end_id.value());
    double sum = 0.0;
    for (const std::int64_t token : written) {
        const Tensor logits = logits_of(model, text);
        const auto last = logits.values().last(model.vocab_size);
        double all = 0.0;
        for (const float logit : last) all += std::exp(static_cast<double>(logit));
        sum += static_cast<double>(last[static_cast<std::size_t>(token)]) - std::log(all);
        text.push_back(token);
    }
    return sum;
}

double score_of(const Beam& beam, double alpha) {
    const double length = static_cast<double>(beam.tokens.size()) + (beam.ended ? 1.0 : 0.0);
    return beam.log_probability / std::pow((5.0 + length) / 6.0, alpha);
}

// All texts of at most `room` tokens that end, and all of `room` tokens that do not.
std::vector<Beam> all_texts(const LanguageModel& model, const TokenIds& prompt, std::size_t room,
                            const BeamOptions& options) {
    std::vector<Beam> open{Beam()}, result;
    for (std::size_t length = 0; length < room; ++length) {
        std::vector<Beam> longer;
        for (const Beam& beam : open)
            for (std::size_t id = 0; id < model.vocab_size; ++id) {
                Beam next = beam;
                next.ended = static_cast<std::int64_t>(id) == options.end_id;
                if (!next.ended) next.tokens.push_back(static_cast<std::int64_t>(id));
                (next.ended ? result : longer).push_back(next);
            }
        open = longer;
    }
    result.insert(result.end(), open.begin(), open.end());
    for (Beam& beam : result) {
        beam.log_probability = log_probability_of(model, prompt, beam, options.end_id);
        beam.score = score_of(beam, options.length_penalty);
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const Beam& a, const Beam& b) { return a.score > b.score; });
    return result;
}

TEST(search, one_beam_is_greedy) {
    for (const LanguageModel& model : language_models())
        for (const TokenIds& prompt : {TokenIds{3, 1, 4}, {7}, TokenIds(20, 2)})
            for (const std::optional<std::int64_t> end_id : {std::optional<std::int64_t>(), {5}}) {
                const auto beams =
                    beam_search(model, prompt, {.beams = 1, .new_tokens = 12, .end_id = end_id});
                const GenerationOptions greedy{
                    .new_tokens = 12, .sampling = {.temperature = 0.0}, .end_id = end_id};
                ASSERT_EQ(beams.size(), 1u);
                EXPECT_EQ(beams[0].tokens, written_without_cache(model, prompt, greedy, Rng(1)));
            }
}

// 85 texts of a vocabulary of 4 end or have 4 tokens; a beam that holds all of them finds the best one, and ranks all.
TEST(search, a_wide_beam_finds_the_best_of_all_texts) {
    for (const std::size_t vocab : {3U, 4U})
        for (std::uint64_t key = 1; key <= 6; ++key)
            for (const bool ends : {false, true})
                for (const double alpha : {0.0, 0.6}) {
                    const LanguageModel model = small_model(vocab, 9, scattered_logits(vocab, key));
                    const TokenIds prompt{2, 0};
                    BeamOptions options{.beams = 300, .length_penalty = alpha, .new_tokens = key % 4 + 1};
                    if (ends) options.end_id = 1;
                    const auto found = beam_search(model, prompt, options);
                    const auto right = all_texts(model, prompt, options.new_tokens, options);
                    ASSERT_EQ(found.size(), right.size());
                    for (std::size_t i = 0; i < found.size(); ++i) {
                        ASSERT_EQ(found[i].tokens, right[i].tokens) << "text " << i << " of " << right.size();
                        ASSERT_EQ(found[i].ended, right[i].ended);
                        ASSERT_NEAR(found[i].log_probability, right[i].log_probability, 1e-5);
                        ASSERT_NEAR(found[i].score, right[i].score, 1e-5);
                    }
                }
}

// Every beam has its own keys and values, although beams change their rows all the time.
TEST(search, scores_are_those_of_a_pass_without_a_cache) {
    for (const LanguageModel& model : language_models())
        for (const double alpha : {0.0, 0.6, 1.5}) {
            const auto beams = beam_search(
                model, {3, 1, 4}, {.beams = 5, .length_penalty = alpha, .new_tokens = 7, .end_id = 8});
            ASSERT_EQ(beams.size(), 5u);
            for (std::size_t i = 0; i < beams.size(); ++i) {
                EXPECT_NEAR(beams[i].log_probability, log_probability_of(model, {3, 1, 4}, beams[i], 8),
                            1e-4);
                EXPECT_NEAR(beams[i].score, score_of(beams[i], alpha), 1e-9);
                EXPECT_GE(i > 0 ? beams[i - 1].score : 0.0, beams[i].score) << "the best comes first";
                for (std::size_t j = 0; j < i; ++j) EXPECT_NE(beams[i].tokens, beams[j].tokens);
            }
        }
}

// A model that prefers to end: what has ended takes its place, and its row is not run any more.
TEST(search, a_text_that_has_ended_is_not_continued) {
    Story passes;
    const auto logits = [scattered = scattered_logits(5)](std::span<const std::int64_t> text) {
        std::vector<float> result = scattered(text);
        result[2] = text.size() > 2 ? 3.0f : 0.0f;
        return result;
    };
    const auto beams =
        beam_search(small_model(5, 20, logits, &passes), {1}, {.beams = 4, .new_tokens = 10, .end_id = 2});
    ASSERT_EQ(beams.size(), 4u);
    for (const Beam& beam : beams) {
        EXPECT_EQ(std::count(beam.tokens.begin(), beam.tokens.end(), 2), 0) << "end_id is no part of a text";
        EXPECT_TRUE(beam.ended) << "all four have ended early, so the search is over";
    }
    EXPECT_LT(passes.size(), 10u);
    for (std::size_t i = 2; i < passes.size(); ++i) {
        const auto beams_of = [](const std::string& line) {
            return std::count(line.begin(), line.end(), '|');
        };
        EXPECT_LE(beams_of(passes[i]), beams_of(passes[i - 1])) << "the search goes on with one beam less";
    }
}

TEST(search, ends_where_there_is_no_room) {
    const LanguageModel model = small_model(4, 6, scattered_logits(4));
    for (const Beam& beam : beam_search(model, {1, 2, 3}, {.beams = 3}))
        EXPECT_EQ(beam.tokens.size(), 3u) << "max_len is 6";
    for (const auto& none : {beam_search(model, {1, 2, 3, 1, 2, 3}, {.beams = 3, .new_tokens = 5}),
                             beam_search(model, {1}, {.beams = 3, .new_tokens = 0})}) {
        ASSERT_EQ(none.size(), 1u);
        EXPECT_TRUE(none[0].tokens.empty() && none[0].log_probability == 0.0 && !none[0].ended);
    }
}

}  // namespace
}  // namespace tfs::test
