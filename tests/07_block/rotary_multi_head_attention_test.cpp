// tests/07_block/rotary_multi_head_attention_test.cpp · step rotary_multi_head_attention: PyTorch, properties, diagnosis
#include "tests/07_block/checklist.hpp"

#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

struct RotaryCase {
    std::string name;
    RotaryLayout layout;
    OptionalMask mask;
    std::uint64_t seed = 0;  // of the dropout; 0: none
};
std::vector<RotaryCase> rotary_cases() {
    return {{"half_split", RotaryLayout::half_split, std::nullopt},
            {"interleaved", RotaryLayout::interleaved, std::nullopt},
            {"masked", RotaryLayout::half_split, padding() & causal_mask(5)},
            {"dropped", RotaryLayout::half_split, causal_mask(5), 71}};
}

MultiHeadAttention golden_attention() {
    Rng rng(1);
    return with_golden_weights(MultiHeadAttention(8, 2, rng), "attention.");
}

std::vector<Suspect> rotary_suspects(const MultiHeadAttention& a, const Tensor& x, const RotaryCase& c) {
    const auto with = [=](RotaryLayout layout, const OptionalMask& mask, RotaryVariant variant) {
        return [=] { return rotary_variant(a, x, layout, mask, variant); };
    };
    const RotaryLayout other =
        c.layout == RotaryLayout::half_split ? RotaryLayout::interleaved : RotaryLayout::half_split;
    return {
        {"the values are turned as well; only what is compared (q and k) gets positions",
         with(c.layout, c.mask, {1, 1, 1})},
        {"nothing is turned: the positions are left out", with(c.layout, c.mask, {0, 0, 0})},
        {"only the queries are turned; q·k depends on the distance when both are",
         with(c.layout, c.mask, {1, 0, 0})},
        {"only the keys are turned; q·k depends on the distance when both are",
         with(c.layout, c.mask, {0, 1, 0})},
        {"queries and keys are turned twice: rotary_attention turns them itself",
         with(c.layout, c.mask, {2, 2, 0})},
        {"queries and keys are exchanged: w_q makes the queries", with(c.layout, c.mask, {1, 1, 0, true})},
        {"pairs of the other layout: `layout` is not passed on", with(other, c.mask, {})},
        {"the mask is not passed on", with(c.layout, std::nullopt, {})},
        {"w_o is left out",
         [=] { return merge_heads(rotary_heads(a, x, RotaryEmbedding(4, 16), c.layout, c.mask).output); }}};
}

TEST(rotary_multi_head_attention, equals_pytorch) {
    const MultiHeadAttention attention = golden_attention();
    const RotaryEmbedding rotary(4, 16);
    const Tensor x = golden()["x"];
    for (const RotaryCase& c : rotary_cases()) {
        if (c.seed) continue;  // training is the next check
        const AttentionOutput result = rotary_multi_head_attention(attention, x, rotary, c.layout, c.mask);
        const std::string prefix = "rotary." + c.name + ".";
        EXPECT_TRUE(close_named(c.name, result.output, golden()[prefix + "output"], {},
                                rotary_suspects(attention, x, c)));
        EXPECT_TRUE(close_named(c.name + " weights", result.weights, golden()[prefix + "weights"]));
    }
}

TEST(rotary_multi_head_attention, drops_weights_as_pytorch_does) {
    const RotaryCase c = rotary_cases().back();
    const MultiHeadAttention attention = golden_attention();
    const Tensor x = golden()["x"], output = golden()["rotary.dropped.output"];
    const RotaryEmbedding rotary(4, 16);
    const AttentionOutput plain = rotary_heads(attention, x, rotary, c.layout, c.mask);
    const Tensor undropped = attention.w_o(merge_heads(plain.output));
    Rng rng(c.seed);
    const AttentionOutput result =
        rotary_multi_head_attention(attention, x, rotary, c.layout, c.mask, 0.25, &rng);
    const Tensor& weights = result.weights;
    const bool none = bool(close(result.output, undropped)), right = bool(close(result.output, output));
    const bool kept = bool(close(weights, plain.weights));  // as the softmax gave them
    std::vector<Suspect> suspects = rotary_suspects(attention, x, c);
    suspects.push_back({kept ? "nothing is dropped although there is an Rng"
                             : "the weights are dropped after the output was made: make it anew, "
                               "matmul(weights, v)",
                        [=] { return undropped; }});
    EXPECT_TRUE(close_named("in training", result.output, output, {}, suspects));
    EXPECT_TRUE(close_named("weights in training", weights, golden()["rotary.dropped.weights"], {},
                            {{"the weights are dropped twice",
                              [&] {
                                  Rng twice(c.seed);
                                  return dropout(dropout(plain.weights, 0.25, &twice), 0.25, &twice);
                              }}}))
        << likely_if(kept && right, "the weights are those before dropout, not those that were used")
        << likely_if(kept && !right && !none,
                     "dropout falls on the heads' sums (or the values), not on the weights");
    EXPECT_TRUE(close_named(
        "in evaluation",
        rotary_multi_head_attention(attention, x, rotary, c.layout, c.mask, 0.5, nullptr).output, undropped))
        << likely_if(right, "dropout is active in evaluation: a null Rng means that nothing is dropped");
}

TEST(rotary_multi_head_attention, turns_by_the_table_that_it_is_given) {
    const MultiHeadAttention attention = golden_attention();
    const Tensor x = golden()["x"];
    const RotaryEmbedding steep(4, 16, 100.0);
    const RotaryLayout layout = RotaryLayout::half_split;
    EXPECT_TRUE(close_named(
        "theta = 100", rotary_multi_head_attention(attention, x, steep, layout).output,
        attention.w_o(merge_heads(rotary_heads(attention, x, steep, layout, std::nullopt).output)), {},
        {{"not the table that was given: use `rotary`, whatever its theta",
          [&] { return rotary_variant(attention, x, layout, std::nullopt); }}}));
}

TEST(rotary_multi_head_attention, sends_the_gradients_of_pytorch) {
    const RotaryEmbedding rotary(4, 16);
    for (const RotaryCase& c : rotary_cases()) {
        const MultiHeadAttention attention = golden_attention();
        const Tensor x = leaf("x");
        Rng rng(c.seed);
        const Tensor y = rotary_multi_head_attention(attention, x, rotary, c.layout, c.mask,
                                                     c.seed ? 0.25 : 0.0, c.seed ? &rng : nullptr)
                             .output;
        Parameters named;
        append(named, "attention", attention.parameters());
        expect_gradients("rotary." + c.name + ".", y, x, named);
        if (HasFailure()) break;  // one case tells it
    }
}

TEST(rotary_multi_head_attention, depends_on_distances_only) {
    // The same two tokens, three positions later: x is padded in front by tokens that nobody may see.
    const MultiHeadAttention attention = golden_attention();
    const RotaryEmbedding rotary(4, 16);
    const Tensor x = normal({1, 4, 8}, 2), later = concat({normal({1, 3, 8}, 3), x}, 1);
    xt::xarray<bool> seen = xt::ones<bool>({std::size_t{1}, std::size_t{1}, std::size_t{1}, std::size_t{7}});
    for (std::size_t j = 0; j < 3; ++j) seen.data()[j] = false;
    const auto run = [&](const Tensor& input, const OptionalMask& mask) {
        return rotary_multi_head_attention(attention, input, rotary, RotaryLayout::half_split, mask).output;
    };
    EXPECT_TRUE(close(slice(run(later, Mask(seen)), 1, 3, 7), run(x, std::nullopt), {1e-5, 1e-5}));
}

TEST(rotary_multi_head_attention, refuses_what_does_not_fit) {
    const MultiHeadAttention attention = golden_attention();
    const RotaryEmbedding rotary(4, 6), narrow(6, 6);
    const std::string not_by_it = "the heads are not turned, or not by the table that is given";
    const auto run = [&](std::size_t seq, const RotaryEmbedding& table, const OptionalMask& mask, double p) {
        rotary_multi_head_attention(attention, normal({2, seq, 8}, 4), table, RotaryLayout::half_split, mask,
                                    p);
    };
    ASSERT_NO_THROW(run(6, rotary, causal_mask(6), 0.5));
    EXPECT_TRUE(refuses<ValueError>([&] { run(7, rotary, std::nullopt, 0.0); }, {"7", "6"},
                                    "a sequence longer than the table", not_by_it));
    EXPECT_TRUE(refuses<ShapeError>([&] { run(6, narrow, std::nullopt, 0.0); }, {"6", "4"},
                                    "a table for another d_k", not_by_it));
    EXPECT_TRUE(refuses<ShapeError>([&] { run(6, rotary, causal_mask(5), 0.0); },
                                    {"(1, 1, 5, 5)", "(2, 2, 6, 6)"}, "a mask of another length",
                                    "the mask is not passed on"));
    EXPECT_TRUE(refuses<ValueError>([&] { run(6, rotary, std::nullopt, 1.5); }, {"1.5"}, "p = 1.5",
                                    "p is not checked"));
}

}  // namespace
}  // namespace tfs::test
