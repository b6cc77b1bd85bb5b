// tests/11_generation/given_test.cpp · models of chapter 09 as models that write, rules for logits, what of a text may be shown, and quotes
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "chapters/02_masks/masks.hpp"
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
        const Ids many = columns(std::vector<TokenIds>(rows, {1, 5, 3, 7}), 0, 4);
        EXPECT_TRUE(close(model.logits(many, {}), concat(std::vector<Tensor>(rows, right), 0), {1e-4, 1e-5}));
    }
}

// The logits of a decoder where each query sees the newest `window` keys in each layer, with the mask of chapter 02: (seq, vocab).
Tensor logits_in_window(const Transformer& decoder, const TokenIds& text, std::size_t window) {
    const NoGrad no_grad;
    const Stack& stack = std::get<Stack>(decoder.stack);
    Tensor x = decoder.embed(columns({text}, 0, text.size()));
    for (const TransformerBlock& block : stack.blocks)
        x = block(x, sliding_window_mask(text.size(), window)).output;
    if (stack.final_norm) x = (*stack.final_norm)(x);
    return reshape(decoder.logits(x), {text.size(), decoder.config.vocab_size});
}

// Drawn tokens are read in parts. Behind the first one some of each text are dropped; at last the texts change places.
struct Reading {
    std::vector<std::size_t> parts, dropped;
    std::optional<std::size_t> window = std::nullopt;
};
const std::vector<Reading> readings{{{1, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 0}},
                                    {{3, 4, 1, 2, 14}, {0, 0, 0}},
                                    {{24}, {0, 0, 0}},
                                    {{5, 1, 3, 1}, {0, 4, 1}},
                                    {{1, 1, 1, 1, 1}, {0, 0, 0}, 1},
                                    {{4, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 0}, 4},
                                    {{20, 1, 1, 1, 1}, {0, 0, 0}, 23},
                                    {{4, 1, 1, 1, 1, 1, 1}, {0, 3, 1}, 4}};

TEST(language_model, logits_of_a_text_in_parts_are_those_of_the_whole) {
    const NoGrad no_grad;
    for (const Transformer& writer : writers())
        for (const auto& [parts, dropped, window] : readings) {
            const LanguageModel model = language_model(writer);
            KeyValueCache cache(24, window);
            std::vector<TokenIds> texts(3);
            Rng rng(7);
            for (std::size_t part = 0; part < parts.size(); ++part) {
                if (part > 0 && part + 1 == parts.size()) {
                    cache.pick({2, 1, 0, 2});
                    texts = {texts[2], texts[1], texts[0], texts[2]};
                }
                std::vector<TokenIds> more(texts.size());
                for (std::size_t row = 0; row < texts.size(); ++row)
                    for (std::size_t t = 0; t < parts[part]; ++t)
                        texts[row].push_back(
                            more[row].emplace_back(static_cast<std::int64_t>(rng.below(11))));
                const Tensor logits = model.logits(columns(more, 0, parts[part]),
                                                   {.offset = cache.next_position(), .earlier = &cache});
                for (std::size_t row = 0; row < texts.size(); ++row) {
                    const TokenIds& text = texts[row];
                    const Tensor whole =
                        window ? logits_in_window(writer, text, *window) : logits_of(model, text);
                    ASSERT_TRUE(close_named(fmt::format("part {}, row {}", part, row),
                                            reshape(slice(logits, 0, row, row + 1), {parts[part], 11}),
                                            slice(whole, 0, text.size() - parts[part], text.size()),
                                            {1e-5, 1e-5}))
                        << "positions of kind " << writer.config.block.positions.index();
                }
                if (part > 0) continue;
                cache.drop(dropped);
                for (std::size_t row = 0; row < 3; ++row) texts[row].resize(parts[0] - dropped[row]);
            }
        }
}

void expect_the_same_without_a_cache(const LanguageModel& model, const std::string& name) {
    const std::vector<TokenIds> prompts{{3, 1, 0, 1, 5}, {9, 2}, {6, 0, 0, 5}};
    const GenerationOptions options{.new_tokens = 12, .end_id = 7};
    std::vector<Rng> rngs{Rng(1), Rng(2), Rng(3)};
    const auto together = generate(model, prompts, options, rngs);
    for (std::size_t i = 0; i < 3; ++i) {
        std::vector<Rng> one{Rng(1 + i)};
        const TokenIds right = written_without_cache(model, prompts[i], options, Rng(1 + i));
        EXPECT_EQ(together.at(i).tokens, right) << name << ", prompt " << i;
        EXPECT_EQ(generate(model, {prompts[i]}, options, one).at(0).tokens, right)
            << name << ", prompt " << i << " alone";
    }
}

TEST(language_model, generate_writes_what_whole_passes_write) {
    for (const LanguageModel& model : language_models()) expect_the_same_without_a_cache(model, "a writer");
}

// The presets' models, made small; token 0 is padding wherever it comes.
TEST(language_model, generate_hides_padding_as_whole_passes_do) {
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
    Rng same(1);  // draws what `generate` draws
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
    std::vector<Rng> rngs{Rng(1)};
    (void)generate(language_model(writer.model), {{ids.begin(), ids.end()}}, options, rngs);
    EXPECT_GE(nearest, 1e-4);
}

}  // namespace
}  // namespace tfs::test
