// tests/11_generation/given_test.cpp · models of chapter 09 as models that write, rules for logits, what of a text may be shown, and quotes
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/11_generation/given/generation.hpp"
#include "common/io/weights.hpp"
#include "tests/11_generation/checklist.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

// --- language_model: with a cache as without one

TEST(language_model, gives_each_row_of_an_encoder_decoder_the_source) {
    const NoGrad no_grad;
    const Transformer two = translator();
    const Ids source{{4, 2, 9}};
    const LanguageModel model = language_model(two, source);
    const Tensor right = two(source, Ids{{1, 5, 3, 7}}).logits;
    for (const std::size_t rows : {1U, 3U, 2U, 3U}) {
        const TokenIds text{1, 5, 3, 7};
        Ids many = Ids::from_shape({rows, 4});
        for (std::size_t i = 0; i < many.size(); ++i) many.data()[i] = text[i % 4];
        EXPECT_TRUE(close(model.logits(many, {}), concat(std::vector<Tensor>(rows, right), 0), {1e-4, 1e-5}));
    }
}

// A text alone, with a TextCache.
void expect_the_same_without_a_cache(const LanguageModel& model, const std::string& name) {
    const GenerationOptions options{.new_tokens = 12, .end_id = 7};
    for (const TokenIds& prompt : std::vector<TokenIds>{{3, 1, 0, 1, 5}, {9, 2}, {6, 0, 0, 5}}) {
        Rng rng(4);
        EXPECT_EQ(write_text(model, prompt, options, rng).tokens,
                  written_without_cache(model, prompt, options, Rng(4)))
            << name;
    }
}

TEST(language_model, write_text_writes_what_whole_passes_write) {
    for (const LanguageModel& model : language_models()) expect_the_same_without_a_cache(model, "a writer");
}

// The presets' models, made small; token 0 is padding wherever it comes.
TEST(language_model, write_text_hides_padding_as_whole_passes_do) {
    Rng rng(3);
    for (const std::string& name : preset_names()) {
        TransformerConfig config = preset(name);
        if (config.architecture == Architecture::encoder_only) continue;
        if (config.block.num_kv_heads) config.block.num_kv_heads = 2;
        config.vocab_size = 11, config.num_layers = 2, config.pad_id = 0;
        config.block.d_model = 16, config.block.num_heads = 4, config.block.d_ff = 24;
        config.block.max_len = 24, config.block.dropout = 0.0;
        const Transformer model(config, rng);
        expect_the_same_without_a_cache(config.architecture == Architecture::encoder_decoder
                                            ? language_model(model, Ids{{7, 2, 0, 9, 4}})
                                            : language_model(model),
                                        name);
    }
}

// --- only_where

const Tokenizer letters(Cut::characters, {"a", "b", "é", "<end>"}, {.end = 3});

// No letter twice in a row; and no text of an odd length ends.
bool no_letter_twice(std::string_view written, std::string_view next) {
    if (next.empty()) return written.size() % 2 == 0;
    return !written.ends_with(next);
}

std::vector<float> left_by(const LogitsRule& rule, const TokenIds& text) {
    std::vector<float> logits{1, 2, 3, 4};
    rule(text, logits);
    return logits;
}

TEST(only_where, forbids_what_may_not_follow) {
    const LogitsRule rule = only_where(letters, no_letter_twice, 3, 0);
    EXPECT_EQ(left_by(rule, {}), (std::vector<float>{1, 2, 3, 4})) << "logits that may stay are not changed";
    EXPECT_EQ(left_by(rule, {0}), (std::vector<float>{-infinity, 2, 3, -infinity}));
    EXPECT_EQ(left_by(rule, {0, 1}), (std::vector<float>{1, -infinity, 3, 4}));
    EXPECT_EQ(left_by(rule, {1, 2}), (std::vector<float>{1, 2, -infinity, -infinity})) << "é has two bytes";
}

TEST(only_where, leaves_out_the_prompt) {
    const LogitsRule rule = only_where(letters, no_letter_twice, 3, 2);
    EXPECT_EQ(left_by(rule, {0, 0}), (std::vector<float>{1, 2, 3, 4})) << "nothing is written yet";
    EXPECT_EQ(left_by(rule, {0, 0, 1}), (std::vector<float>{1, -infinity, 3, -infinity}));
}

// Without end_id every token is asked as it is called.
TEST(only_where, takes_no_token_for_the_end_where_there_is_none) {
    std::vector<std::string> asked;
    const MayFollow note = [&](std::string_view, std::string_view next) {
        asked.emplace_back(next);
        return true;
    };
    (void)left_by(only_where(letters, note, std::nullopt, 0), {0});
    EXPECT_EQ(asked, (std::vector<std::string>{"a", "b", "é", "<end>"}));
    asked.clear();
    (void)left_by(only_where(letters, note, 3, 0), {0});
    EXPECT_EQ(asked, (std::vector<std::string>{"a", "b", "é", ""}));
}

TEST(only_where, keeps_what_others_have_forbidden) {
    std::vector<float> logits{-infinity, 2, 3, 4};
    only_where(
        letters, [](auto, auto) { return true; }, 3, 0)(TokenIds{0}, logits);
    EXPECT_EQ(logits, (std::vector<float>{-infinity, 2, 3, 4}));
}

// --- rules on repetition, by hand

std::vector<float> changed(const LogitsRule& rule, const TokenIds& text, std::vector<float> logits) {
    rule(text, logits);
    return logits;
}

TEST(rules, the_repetition_penalty_makes_what_was_written_less_likely) {
    const LogitsRule rule = repetition_penalty(2.0);
    EXPECT_EQ(changed(rule, {0, 2, 2, 3}, {4, 4, -1, 0, -3}), (std::vector<float>{2, 4, -2, 0, -3}))
        << "positive ones are divided, negative ones multiplied, once each";
    EXPECT_EQ(changed(rule, {0, 1}, {-infinity, 1, 5}), (std::vector<float>{-infinity, 0.5, 5}));
    EXPECT_EQ(changed(repetition_penalty(1.0), {0, 1}, {3, -3, 1}), (std::vector<float>{3, -3, 1}));
    EXPECT_EQ(changed(rule, {}, {3, -3, 1}), (std::vector<float>{3, -3, 1}));
}

// --- whole characters, and nothing of a stop text

// What is shown of these pieces, one after the other, with | between them.
std::string shown(const std::vector<std::string>& pieces, const std::string& stop = {}) {
    TextStream stream(stop);
    std::string all;
    for (const std::string& piece : pieces) all += stream.add(piece) + "|";
    return all + (stream.stopped() ? "stopped" : stream.rest());
}

TEST(text_stream, shows_whole_characters) {
    EXPECT_EQ(shown({"a", "\xc3", "\xa9", "b"}), "a||é|b|");
    EXPECT_EQ(shown({"\xf0\x9f", "\x98", "\x80!"}), "||😀!|");
    EXPECT_EQ(shown({"x\xe2\x82"}), "x|\xe2\x82") << "what is never completed comes at the end";
    EXPECT_EQ(shown({"a", "b"}), "a|b|");
}

TEST(text_stream, ends_at_the_stop_text_however_it_is_cut) {
    EXPECT_EQ(shown({"one. ", "two"}, ". "), "one||stopped");
    EXPECT_EQ(shown({"one.", " two"}, ". "), "one||stopped");
    EXPECT_EQ(shown({"a", "b", "c", "d"}, "bc"), "a||||stopped");
    EXPECT_EQ(shown({"ab", "ac"}, "abc"), "|abac|") << "what did not become the stop text is shown";
    EXPECT_EQ(shown({"aaab"}, "aab"), "a|stopped");
    EXPECT_EQ(shown({"ab"}, "abc"), "|ab") << "the text ends before";
    EXPECT_EQ(shown({"x", "y", "z"}, "y"), "x|||stopped") << "nothing is shown after it";
}

// --- texts that the lesson quotes are the same on every machine

// Rounding moves the borders between the pieces of the line from 0 to 1 by much less than 1e-4. A draw that is farther from all
// borders falls on the same token everywhere.
TEST(quoted_texts, have_no_draw_that_rounding_decides) {
    const auto writer = load_network<TextTransformer>(weights_file("characters"), character_kind());
    const Ids ids = writer.tokenizer.encode("First Citizen:\nW");
    const Sampling sampling{.temperature = 0.8};
    GenerationOptions options{.new_tokens = 200, .sampling = sampling};
    Rng same(1);  // draws what `write_text` draws
    double nearest = 1.0;
    options.rules.emplace_back([&](std::span<const std::int64_t>, std::span<float> logits) {
        const std::vector<double> p = token_probabilities(logits, sampling);
        const double u = same.uniform();
        double sum = 0.0;
        for (std::size_t i = 0; i + 1 < p.size(); ++i) {
            sum += p[i];
            if (p[i] > 0.0 && sum < 1.0 - 1e-9) nearest = std::min(nearest, std::abs(u - sum));
        }
    });
    Rng rng(1);
    (void)write_text(language_model(writer.model), {ids.begin(), ids.end()}, options, rng);
    EXPECT_GE(nearest, 1e-4);
}

}  // namespace
}  // namespace tfs::test
