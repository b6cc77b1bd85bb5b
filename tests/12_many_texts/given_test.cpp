// tests/12_many_texts/given_test.cpp · models of chapter 09 with a KeyValueCache, as whole passes; many texts as each alone
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <variant>

#include "chapters/02_masks/masks.hpp"
#include "chapters/12_many_texts/given/many_texts.hpp"
#include "tests/11_generation/checklist.hpp"

namespace tfs::test {
namespace {

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

TEST(many_texts, logits_of_a_text_in_parts_are_those_of_the_whole) {
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

void expect_the_same_alone(const LanguageModel& model, const std::string& name) {
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

TEST(many_texts, generate_writes_what_whole_passes_write) {
    for (const LanguageModel& model : language_models()) expect_the_same_alone(model, "a writer");
}

// Token 0 is padding wherever it comes.
TEST(many_texts, generate_hides_padding_as_whole_passes_do) {
    Rng rng(3);
    TransformerConfig config = writer_config(Rotary{});
    config.pad_id = 0;
    const Transformer model(config, rng);
    expect_the_same_alone(language_model(model), "with padding");
}

}  // namespace
}  // namespace tfs::test
