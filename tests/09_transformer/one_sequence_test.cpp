// tests/09_transformer/one_sequence_test.cpp · step one_sequence: PyTorch's values, plain sums, a stack of chapter 08
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/08_encoder_decoder/pass_in_parts.hpp"
#include "tests/09_transformer/checklist.hpp"
#include "tests/support/earlier.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr Tolerance of_embed{1e-5, 1e-6};
const Ids kinds_of_rows{{0, 0, 1, 1, 1, 1, 1}, {0, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 1, 1}};

std::vector<std::pair<std::string, TransformerConfig>> kinds_of_models() {
    std::vector<std::pair<std::string, TransformerConfig>> all;
    TransformerConfig c = small_config();
    c.block.d_model = 12;
    c.block.dropout = 0.4;
    all.emplace_back("scaled, sinusoids", c);
    c.block.positions = LearnedPositions{};
    all.emplace_back("scaled, learned positions", c);
    c.num_segments = 2;
    c.embedding_norm = true;
    all.emplace_back("scaled, with segments and a norm", c);
    for (const char* const name : {"gpt2", "bert", "llama"}) {
        all.emplace_back(name, golden_config(name));
        all.back().second.block.dropout = 0.4;
    }
    return all;
}

TEST(one_sequence, embed_adds_what_the_config_has_and_scales_the_tokens_alone) {
    for (const auto& [name, config] : kinds_of_models()) {
        const Transformer m = filled(config);
        const auto kinds = m.segments ? std::optional(kinds_of_rows) : std::nullopt;
        const Tensor x = embedded(m, three_rows, kinds);
        EXPECT_TRUE(close_named(name, m.embed(three_rows, {}, kinds), x, of_embed));
        Rng rng(5);
        EXPECT_TRUE(close_named(name + ", training", m.embed(three_rows, {.rng = &rng}, kinds),
                                x * Tensor(Rng(5).bernoulli_array(x.shape(), 0.6)) / 0.6f, of_embed));
    }
    const Transformer bert = golden_model("bert");
    EXPECT_TRUE(close_named("bert, without segment_ids", bert.embed(golden_ids("bert.ids")),
                            golden()["bert.one_segment.embedded"], of_embed));
}

TEST(one_sequence, positions_begin_at_the_offset_of_the_pass) {
    TransformerConfig plain = small_config();  // a wrong factor fails elsewhere
    plain.scale_embedding = false;
    for (const Transformer& m : {golden_model("gpt2"), made(plain)}) {
        const std::string name = m.sinusoids ? "sinusoids" : "learned positions";
        const std::vector<std::size_t> each{0, 3, 1};
        EXPECT_TRUE(close_named(name + " from 0, 3 and 1", m.embed(three_rows, {.offset = each}),
                                embedded(m, three_rows, {}, each), of_embed));
    }
}

TEST(one_sequence, equals_pytorch) {
    for (const std::string name : {"gpt2", "bert", "llama"}) {
        const Transformer m = golden_model(name);
        const Ids ids = golden_ids(name + ".ids");
        const auto kinds = m.segments ? std::optional(golden_ids(name + ".segment_ids")) : std::nullopt;
        const TransformerOutput result = m(ids, {}, kinds);
        EXPECT_TRUE(
            close_named(name + ": hidden", result.hidden, reference_hidden(m, ids, kinds), whole_model));
        EXPECT_TRUE(close_named(name + ": logits", result.logits, golden()[name + ".logits"], whole_model));
        if (!m.pooler || result.hidden.shape() != Shape{3, 6, 8}) continue;
        EXPECT_TRUE(close_named("pooled", m.pooled(result.hidden), golden()["bert.pooled"], whole_model));
    }
}

TEST(one_sequence, sends_the_gradients_of_pytorch_to_every_parameter) {
    for (const std::string name : {"gpt2", "bert", "llama"}) {
        const Transformer m = golden_model(name);
        const auto kinds = m.segments ? std::optional(golden_ids("bert.segment_ids")) : std::nullopt;
        const TransformerOutput result = m(golden_ids(name + ".ids"), {}, kinds);
        ASSERT_TRUE(has_shape(result.hidden, {3, result.logits.size(1), 8}));
        std::vector<Tensor> results{result.logits};
        if (m.pooler) results.push_back(m.pooled(result.hidden));
        expect_golden_gradients(name, m, results);
    }
}

TEST(one_sequence, gives_the_weights_of_every_layer) {
    const Transformer m = golden_model("gpt2");
    const TransformerOutput result = m(three_rows, with_weights);
    const StackOutput run = std::get<Stack>(m.stack)(embedded(m, three_rows), {}, with_weights);
    EXPECT_EQ(result.self_weights.size(), 2u) << "self_weights: one for each layer";
    EXPECT_EQ(result.cross_weights.size(), 0u) << "cross_weights of a model of one sequence";
    for (std::size_t layer = 0; layer < result.self_weights.size() && layer < 2; ++layer)
        EXPECT_TRUE(close_named(fmt::format("weights of layer {}", layer), result.self_weights[layer],
                                run.weights[layer], {1e-5, 1e-6}));
}

// Before the text, so that the causal mask does not hide it anyway; and where token 0 is no padding.
TEST(one_sequence, hides_padding_in_a_decoder_too) {
    TransformerConfig c = small_config();
    c.scale_embedding = false;
    const Ids ids{{0, 3, 1, 0, 4}};
    for (const std::optional<std::int64_t>& pad_id : {std::optional<std::int64_t>(0), {}}) {
        c.pad_id = pad_id;
        const Transformer m = made(c);
        EXPECT_TRUE(close_named(pad_id ? "0 is padding" : "no padding", m(ids).hidden,
                                reference_hidden(m, ids), whole_model));
    }
}

TEST(one_sequence, drops_in_the_embedding_and_in_every_block) {
    TransformerConfig c = small_config();
    c.block.dropout = 0.3;
    const Transformer m = made(c);
    Rng rng(6), same(6);
    const Tensor x = dropout(embedded(m, three_rows), 0.3, &same);
    const StackOutput expected =
        std::get<Stack>(m.stack)(x, std::nullopt, {.rng = &same, .keep_weights = Weights::keep});
    const TransformerOutput result = m(three_rows, {.rng = &rng, .keep_weights = Weights::keep});
    EXPECT_TRUE(close_named("hidden", result.hidden, expected.output, whole_model));
    EXPECT_TRUE(close_named("logits", result.logits, reference_logits(m, expected.output), whole_model));
    ASSERT_EQ(result.self_weights.size(), 2u);
    EXPECT_TRUE(close_named("weights", result.self_weights[1], expected.weights[1], whole_model));
}

// Learned, sinusoidal and rotary positions: a text in two parts, the keys and values of the first one kept.
TEST(one_sequence, a_text_of_a_decoder_in_two_parts_gives_what_it_gives_in_one) {
    for (const Transformer& m : {golden_model("gpt2"), golden_model("llama"), made(small_config())}) {
        const auto part = [&](std::size_t begin, std::size_t end, const Pass& pass) {
            return m(part_of(three_rows, begin, end), pass).logits;
        };
        expect_parts_give_the_whole(part, reference_logits(m, reference_hidden(m, three_rows)), 2,
                                    whole_model,
                                    m.sinusoids ? "sinusoids: "
                                    : m.output  ? "rotary: "
                                                : "learned: ");
    }
}

TEST(one_sequence, padding_of_earlier_parts_comes_with_the_pass) {
    TransformerConfig c = small_config();
    c.scale_embedding = false;
    c.pad_id = 0;
    const Transformer m = made(c);
    const Ids ids{{0, 3, 1, 6, 4}};
    EarlierTensors kept;
    (void)m({{0, 3}}, {.earlier = &kept, .padding = padding_of(c, {{0, 3}})});
    EXPECT_TRUE(close(m({{1, 6, 4}}, {.offset = 2, .earlier = &kept, .padding = padding_of(c, ids)}).logits,
                      slice(reference_logits(m, reference_hidden(m, ids)), 1, 2, 5), whole_model));
}

TEST(one_sequence, refuses_what_is_no_text_of_this_model) {
    const Transformer m = golden_model("bert"), plain = golden_model("gpt2");
    ASSERT_TRUE(has_shape(plain(three_rows).logits, {3, 7, 11}));
    const auto embeds = [&](const Ids& ids, const std::optional<Ids>& kinds = {}, const Pass& pass = {}) {
        return [&m, ids, kinds, pass] { m.embed(ids, pass, kinds); };
    };
    EXPECT_TRUE(refuses<ValueError>(embeds(all_ones(1, 14)), {"14", "10"}, "a sequence longer than max_len"));
    EXPECT_TRUE(refuses<ValueError>(embeds(all_ones(1, 2), {}, {.offset = 9}), {"10"},
                                    "a position behind the last one"));
    EXPECT_TRUE(refuses<ValueError>(embeds({{1, 11}}), {"11", "0 ... 10"}, "an id beyond the table"));
    EXPECT_TRUE(refuses<ShapeError>(embeds(all_ones(1, 0)), {"(1, 0)", "seq is 0"}, "an empty sequence"));
    EXPECT_TRUE(refuses<ShapeError>(embeds(three_rows, all_ones(2, 2)), {"(3, 7)", "(2, 2)"}));
    EXPECT_TRUE(refuses<ValueError>(embeds({{1, 2}}, Ids{{0, 2}}), {"segment 2", "0 ... 1"}));
    EXPECT_TRUE(refuses<ValueError>([&] { plain({{1, 2}}, {}, Ids{{0, 0}}); }, {"no segments"}));
    EXPECT_TRUE(refuses<ValueError>([] { golden_model("original")(three_rows); }, {"encoder-decoder"}));
}

// A scaled embedding, and none; an output of its own; a padding, which has a logit, too.
TEST(one_sequence, logits_are_products_with_the_rows_of_the_table) {
    TransformerConfig padded = small_config();
    padded.pad_id = 0;
    const std::vector<std::pair<std::string, Transformer>> models{{"scaled", made(small_config())},
                                                                  {"gpt2", golden_model("gpt2")},
                                                                  {"llama", golden_model("llama")},
                                                                  {"with padding", made(padded)}};
    for (const auto& [name, m] : models) {
        const Tensor hidden = normal({2, 3, m.config.block.d_model}, 3);
        EXPECT_TRUE(close_named(name, m.logits(hidden), reference_logits(m, hidden), {1e-5, 1e-6}));
    }
}

}  // namespace
}  // namespace tfs::test
