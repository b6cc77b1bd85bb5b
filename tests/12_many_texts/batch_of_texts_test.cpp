// tests/12_many_texts/batch_of_texts_test.cpp · step batch_of_texts: what the model is given and what comes of it, line by line
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "chapters/11_generation/models/texts.hpp"
#include "chapters/12_many_texts/given/many_texts.hpp"
#include "tests/11_generation/checklist.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

const std::vector<TokenIds> unequal_prompts{{3, 1, 4, 1, 5}, {9, 2}, {6, 5, 3, 5}},
    long_prompts{{3, 1, 4, 1, 5, 9, 2}, {2, 7, 1, 8, 2, 8, 1}};
const LogitsAfter logits_of_eleven = scattered_logits(11, 1, 4.0f);

// What generate is asked, and what the story tells besides the passes.
struct Task {
    std::vector<TokenIds> prompts;
    GenerationOptions options = {.new_tokens = 6};
    std::optional<std::size_t> window = std::nullopt;
    std::size_t max_len = 24;
    bool rules = false;  // rule 1 forbids the last token, rule 2 the one before; each tells the text
    bool tells = false;  // on_token tells each token
    std::optional<std::int64_t> stop = std::nullopt;  // and says false after this one
};

GenerationOptions told_to(const Task& task, Story& story) {
    GenerationOptions options = task.options;
    for (std::size_t back = 1; task.rules && back <= 2; ++back)
        options.rules.push_back([&story, back](std::span<const std::int64_t> text, std::span<float> logits) {
            story.push_back(fmt::format("rule {} is asked about {}", back, fmt::join(text, " ")));
            if (back <= text.size()) logits[static_cast<std::size_t>(text[text.size() - back])] = -infinity;
        });
    if (task.tells || task.stop)
        options.on_token = [&story, stop = task.stop](std::size_t prompt, std::int64_t token) {
            story.push_back(fmt::format("on_token: prompt {} gets {}", prompt, token));
            return token != stop;
        };
    return options;
}

// Each token from the whole text, without a cache.
std::vector<Generated> written_plainly(const LanguageModel& model, const std::vector<TokenIds>& prompts,
                                       const GenerationOptions& options, std::size_t window,
                                       std::vector<Rng>& rngs, Story& story) {
    Texts texts(prompts, model, options);
    const std::size_t most = longest(prompts);
    story.push_back(pass_line(prompts, 0, std::min(most, window), window));
    for (std::size_t t = window; t < most; ++t) story.push_back(pass_line(prompts, t, 1, window));
    while (true) {
        std::vector<TokenIds> read;
        for (std::size_t i = 0; i < prompts.size(); ++i) {
            if (!texts.goes_on(i)) continue;
            const std::span text = texts.text(i);
            const auto p =
                texts.probabilities(text, logits_of_eleven(text.last(std::min(text.size(), window))));
            if (texts.add(i, sample(p, rngs[i]))) read.push_back(texts.text(i));
        }
        if (read.empty()) return texts.result();
        story.push_back(pass_line(read, std::nullopt, 1, window));
    }
}

// Whether all passes, tokens and texts, and the next number of each Rng, are those that come without a cache.
testing::AssertionResult does_it_right(const Task& task) {
    const auto story_of = [&](bool plainly) {
        Story story;
        const GenerationOptions options = told_to(task, story);
        const LanguageModel model =
            small_model(11, task.max_len, logits_of_eleven, plainly ? nullptr : &story);
        std::vector<Rng> rngs;
        for (std::size_t i = 0; i < task.prompts.size(); ++i) rngs.emplace_back(100 + i);
        const Thrown thrown = thrown_by([&] {
            const auto texts = plainly ? written_plainly(model, task.prompts, options,
                                                         task.window.value_or(task.max_len), rngs, story)
                                       : generate(model, task.prompts, options, rngs, task.window);
            for (std::size_t i = 0; i < texts.size(); ++i)
                story.push_back(fmt::format("text {}: {}; {}; the next number of its Rng: {:.6f}", i,
                                            fmt::join(texts[i].tokens, " "), in_words(texts[i].ended),
                                            i < rngs.size() ? rngs[i].uniform() : -1.0));
        });
        if (!thrown.type.empty()) story.push_back("an error: " + thrown.sentence);
        return story;
    };
    return is_told(story_of(false), story_of(true)) << "\n(5@2 is token 5 at position 2)";
}

TEST(batch_of_texts, reads_a_prompt_once_and_then_each_new_token) {
    EXPECT_TRUE(does_it_right({.prompts = {{3, 1, 4}}}));
    EXPECT_TRUE(does_it_right({.prompts = {{3, 1, 4, 1, 5}}, .options = {.new_tokens = 1}}));
}

TEST(batch_of_texts, continues_prompts_of_different_lengths_together) {
    EXPECT_TRUE(does_it_right({.prompts = {{3, 1, 4, 1}, {9, 2, 6, 5}}}));
    EXPECT_TRUE(does_it_right({.prompts = unequal_prompts}));
    EXPECT_TRUE(does_it_right({.prompts = {{9}, {3, 1, 4, 1, 5, 9}, {9}}}));
}

// Each of the prompts meets an end in one of these.
TEST(batch_of_texts, a_text_ends_with_end_id_and_takes_no_part_in_later_passes) {
    for (std::int64_t end_id = 0; end_id < 6; ++end_id)
        EXPECT_TRUE(does_it_right(
            {.prompts = unequal_prompts, .options = {.new_tokens = 8, .end_id = end_id}, .tells = true}))
            << "end_id is " << end_id;
}

// The prompts are 5, 2 and 4 long.
TEST(batch_of_texts, a_text_that_is_full_ends) {
    EXPECT_TRUE(does_it_right({.prompts = unequal_prompts, .max_len = 7}));
    EXPECT_TRUE(does_it_right({.prompts = unequal_prompts, .options = {.new_tokens = 3}, .max_len = 7}));
    EXPECT_TRUE(does_it_right({.prompts = unequal_prompts, .options = {.new_tokens = 4}, .max_len = 5}))
        << "the first prompt is full from the start";
}

TEST(batch_of_texts, tells_each_token_at_once_and_stops_where_it_is_told) {
    EXPECT_TRUE(does_it_right({.prompts = {{3, 1, 4}}, .options = {.new_tokens = 4}, .tells = true}));
    for (std::int64_t stop = 0; stop < 6; ++stop)
        EXPECT_TRUE(does_it_right({.prompts = unequal_prompts, .options = {.new_tokens = 8}, .stop = stop}))
            << "on_token says false after token " << stop;
}

TEST(batch_of_texts, asks_the_rules_about_the_whole_text) {
    EXPECT_TRUE(does_it_right({.prompts = {{3, 1, 4}}, .rules = true}));
    EXPECT_TRUE(does_it_right({.prompts = unequal_prompts, .max_len = 8, .rules = true, .tells = true}));
}

TEST(batch_of_texts, draws_as_the_options_say) {
    for (const Sampling& sampling : std::vector<Sampling>{
             {.temperature = 0.2, .top_k = 3}, {.temperature = 0.7, .top_p = 0.9}, {.temperature = 0.0}})
        EXPECT_TRUE(
            does_it_right({.prompts = unequal_prompts, .options = {.new_tokens = 6, .sampling = sampling}}))
            << "at any temperature each token takes one number";
}

TEST(batch_of_texts, reads_a_prompt_longer_than_the_window_in_parts) {
    EXPECT_TRUE(does_it_right({.prompts = {{3, 1, 4}}, .options = {.new_tokens = 7}, .window = 4}));
    EXPECT_TRUE(does_it_right({.prompts = long_prompts, .options = {.new_tokens = 6}, .window = 4}));
    EXPECT_TRUE(does_it_right({.prompts = {{3, 1, 4}}, .options = {.new_tokens = 6}, .window = 1}));
    EXPECT_TRUE(does_it_right({.prompts = {{3, 1, 4, 1}, {2, 7, 1, 8}, {6, 6, 6, 6}},
                               .options = {.new_tokens = 12, .end_id = 5},
                               .window = 4}));
}

// As beams need it: a row may come twice, in any order.
TEST(batch_of_texts, rows_change_places) {
    const LanguageModel model = small_model(11, 24, logits_of_eleven);
    const std::vector<TokenIds> prompts{{3, 1, 4, 1}, {9, 2}, {6}};
    KeyValueCache cache(8);
    const NextScores first = prefill(model, prompts, cache);
    ASSERT_EQ(first.size(), 3U) << "logits of three prompts";
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(first[i], logits_of_eleven(prompts[i])) << "prompt " << i;
    const std::vector<std::size_t> rows{2, 0, 2, 1};
    const TokenIds tokens{7, 8, 5, 0};
    const NextScores next = decode_step(model, rows, tokens, cache);
    ASSERT_EQ(next.size(), 4U) << "logits of four rows";
    for (std::size_t i = 0; i < 4; ++i) {
        TokenIds text = prompts[rows[i]];
        text.push_back(tokens[i]);
        EXPECT_EQ(next[i], logits_of_eleven(text)) << "row " << i << ", which was row " << rows[i];
    }
}

TEST(batch_of_texts, writes_nothing_where_there_is_no_room) {
    for (const std::size_t max_len : {3u, 24u}) {
        std::vector<Rng> rngs{Rng(1)};
        const auto texts = generate(small_model(11, max_len, logits_of_eleven), {{3, 1, 4}},
                                    {.new_tokens = max_len == 3 ? 5u : 0u}, rngs);
        ASSERT_EQ(texts.size(), 1u);
        EXPECT_EQ(texts[0].tokens, TokenIds());
        EXPECT_EQ(in_words(texts[0].ended), max_len == 3 ? "ended by max_len" : "ended by new_tokens");
        EXPECT_EQ(rngs[0].uniform(), Rng(1).uniform()) << "the next number of the Rng: no token may come";
    }
}

}  // namespace
}  // namespace tfs::test
