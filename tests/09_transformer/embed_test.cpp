// tests/09_transformer/embed_test.cpp · step embed: PyTorch's values, a plain sum, properties
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/09_transformer/checklist.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr Tolerance of_embed{1e-5, 1e-6};
const Ids kinds_of_rows{{0, 0, 1, 1, 1, 1, 1}, {0, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 1, 1}};

// The roots of d_model, d_k, vocab_size, max_len and of the length are five numbers, and none of them is whole.
std::vector<std::pair<std::string, TransformerConfig>> kinds_of_models() {
    std::vector<std::pair<std::string, TransformerConfig>> all;
    TransformerConfig c = small_config();
    c.block.d_model = 12;
    c.block.max_len = 23;
    all.emplace_back("sinusoids", c);
    c.block.positions = LearnedPositions{};
    all.emplace_back("learned positions", c);
    c.tied_output = false;
    all.emplace_back("without a tied output", c);
    c.num_segments = 2;
    all.emplace_back("with segments", c);
    c.embedding_norm = true;
    all.emplace_back("with segments and a norm", c);
    c.num_segments = 0;
    c.scale_embedding = false;
    all.emplace_back("with a norm alone, not scaled", c);
    all.emplace_back("of GPT-2's kind", golden_config("gpt2"));
    all.emplace_back("of LLaMA's kind", golden_config("llama"));
    return all;
}

TEST(embed, equals_pytorch_for_tokens_positions_and_segments) {
    const Transformer m = golden_model("bert");
    const Ids ids = golden_ids("bert.ids"), kinds = golden_ids("bert.segment_ids");
    EXPECT_TRUE(close(m.embed(ids, {}, kinds), golden()["bert.embedded"], of_embed));
    EXPECT_TRUE(
        close_named("without segment_ids", m.embed(ids), golden()["bert.one_segment.embedded"], of_embed));
}

TEST(embed, adds_what_the_config_has_and_scales_the_tokens_alone) {
    for (const auto& [name, config] : kinds_of_models()) {
        const Transformer m = filled(config);
        const auto kinds = m.segments ? std::optional(kinds_of_rows) : std::nullopt;
        EXPECT_TRUE(
            close_named(name, m.embed(three_rows, {}, kinds), embedded(m, three_rows, kinds), of_embed));
    }
}

// Padding before the text, and within it.
TEST(embed, gives_padding_a_row_and_a_position_as_any_other_token) {
    const Ids ids{{0, 0, 3, 1, 4}, {5, 0, 9, 2, 6}, {7, 8, 2, 0, 0}};
    for (const PositionChoice& positions : std::vector<PositionChoice>{Sinusoids{}, LearnedPositions{}}) {
        TransformerConfig c = small_config();
        c.block.positions = positions;
        c.pad_id = 0;
        const Transformer m = filled(c);
        EXPECT_TRUE(close_named(m.sinusoids ? "sinusoids" : "learned positions", m.embed(ids),
                                embedded(m, ids), of_embed));
    }
}

TEST(embed, drops_the_sum_in_training_alone) {
    TransformerConfig c = golden_config("bert"), plain = small_config();
    c.block.dropout = plain.block.dropout = 0.4;
    for (const Transformer& m : {filled(c), filled(plain)}) {
        const auto kinds = m.segments ? std::optional(kinds_of_rows) : std::nullopt;
        const Tensor x = embedded(m, three_rows, kinds);
        Rng rng(5);
        EXPECT_TRUE(close_named("training", m.embed(three_rows, {.rng = &rng}, kinds),
                                x * Tensor(Rng(5).bernoulli_array(x.shape(), 0.6)) / 0.6f, of_embed));
        EXPECT_TRUE(close_named("evaluation", m.embed(three_rows, {}, kinds), x, of_embed));
    }
}

// Learned positions, segments and a norm; and a scale and sinusoids.
TEST(embed, sends_the_gradient_to_all_tables) {
    const Ids ids = golden_ids("bert.ids");
    for (const Transformer& m : {golden_model("bert"), made(small_config())}) {
        const auto kinds = m.segments ? std::optional(golden_ids("bert.segment_ids")) : std::nullopt;
        const Tensor weights = normal({ids.shape()[0], ids.shape()[1], m.config.block.d_model}, 77);
        clear_grads(m.parameters());
        sum(embedded(m, ids, kinds) * weights).backward();
        std::map<std::string, Tensor> expected;
        for (const NamedTensor& p : m.parameters())
            if (p.tensor.has_grad()) expected.emplace(p.name, Tensor(p.tensor.grad()));
        clear_grads(m.parameters());
        ASSERT_TRUE(send_back(m.embed(ids, {}, kinds), weights));
        for (const NamedTensor& p : m.parameters()) {
            if (!expected.contains(p.name)) continue;
            EXPECT_TRUE(gradient_close(p.name, p.tensor, expected.at(p.name)));
        }
    }
}

TEST(embed, positions_begin_at_the_offset_of_the_pass) {
    for (const Transformer& m : {golden_model("gpt2"), made(small_config())}) {
        const std::string name = m.sinusoids ? "sinusoids" : "learned positions";
        EXPECT_TRUE(close_named(name + " from 2", m.embed(three_rows, {.offset = 2}),
                                embedded(m, three_rows, {}, 2), of_embed));
        const std::vector<std::size_t> each{0, 3, 1};
        EXPECT_TRUE(close_named(name + " from 0, 3 and 1", m.embed(three_rows, {.offset = each}),
                                embedded(m, three_rows, {}, each), of_embed));
    }
}

TEST(embed, refuses_what_is_no_text_of_this_model) {
    const Transformer m = golden_model("bert"), plain = golden_model("gpt2");
    ASSERT_TRUE(has_shape(m.embed(three_rows), {3, 7, 8}));
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
    EXPECT_TRUE(refuses<ValueError>([&] { plain.embed({{1, 2}}, {}, Ids{{0, 0}}); }, {"no segments"}));
}

}  // namespace
}  // namespace tfs::test
