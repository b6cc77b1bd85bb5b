// tests/07_block_test.cpp · the checklist of chapter 07: each step by PyTorch's values, by properties, by diagnosis
//
// Run it on your steps with ./tutorial check 7. The golden values are those of torch.nn.TransformerEncoderLayer, and for
// what it does not have (rotary positions, RMSNorm, SwiGLU, dropout with our masks) of PyTorch code written for the purpose.
#include "chapters/07_block/block.hpp"

#include <fmt/format.h>

#include <cmath>
#include <new>
#include <tuple>

#include "common/show/summary.hpp"
#include "tests/support/close.hpp"
#include "tests/support/counts.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/gradients_reach.hpp"
#include "tests/support/memory.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using OptionalMask = std::optional<Mask>;

const Golden& golden() {
    static const Golden file("07_block.safetensors");
    return file;
}

Tensor leaf(const std::string& name) { return Tensor(golden()[name].array(), true); }

Tensor normal(const Shape& shape, std::uint64_t seed) { return Tensor(Rng(seed).normal_array(shape)); }

// A block of a few lines, with the weights of the golden values: those of its parameters' names.
BlockConfig small(NormPosition position = NormPosition::pre) {
    return {.d_model = 8, .num_heads = 2, .d_ff = 12, .norm_position = position};
}

BlockConfig small_llama() { return llama_block(8, 2, 12, 16); }

bool gated(const BlockConfig& c) { return c.feed_forward == FeedForwardKind::swiglu; }

template <class Module>
Module with_golden_weights(Module module, const std::string& prefix) {
    for (NamedTensor parameter : module.parameters())
        parameter.tensor.mutable_array() = golden()[prefix + parameter.name].array();
    return module;
}

template <class Module>
Module made(const BlockConfig& config, const std::string& prefix = "") {
    Rng rng(1);
    return with_golden_weights(Module(config, rng), prefix);
}

Mask padding() { return Mask::from({2, 1, 1, 5}, {1, 1, 1, 1, 1, 1, 1, 1, 0, 0}); }

// The four cases of the golden values.
std::vector<std::pair<std::string, OptionalMask>> masks() {
    return {{"none", std::nullopt},
            {"padding", padding()},
            {"causal", causal_mask(5)},
            {"both", padding() & causal_mask(5)}};
}

// The gradients of x and of every parameter that the golden values have under this prefix.
void expect_gradients(const std::string& prefix, const Tensor& output, const Tensor& x,
                      const Parameters& parameters) {
    ASSERT_TRUE(send_back(output, golden()[prefix + "grad_weights"]));
    EXPECT_TRUE(gradients_reach(parameters));
    EXPECT_TRUE(gradient_close(prefix + "x", x, golden()[prefix + "grad_x"]));
    for (const NamedTensor& p : parameters) {
        if (!p.tensor.has_grad()) continue;
        EXPECT_TRUE(gradient_close(prefix + p.name, p.tensor, golden()[prefix + "grad_" + p.name]));
    }
}

// A difference of positions, as both places of the norm have it.
const std::string pre_for_post = "the norm stands before the sublayer (pre-norm), where the config says post";
const std::string post_for_pre =
    "the norm stands after the residual addition (post-norm), where the config says pre";

// --- 7.1 rotary_multi_head_attention ------------------------------------------------------------------------------

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

// What a wrong rotary attention would give: how often q, k and v are turned, and what is dropped in training.
struct RotaryVariant {
    int turns_q = 1, turns_k = 1, turns_v = 0;
    bool swapped = false;  // w_k makes the queries
};
AttentionOutput rotary_heads(const MultiHeadAttention& a, const Tensor& x, const RotaryEmbedding& rotary,
                             RotaryLayout layout, const OptionalMask& mask, RotaryVariant variant = {}) {
    const auto heads = [&](const Linear& w, int turns) {
        Tensor split = split_heads(w(x), 2);
        while (turns-- > 0) split = apply_rotary(split, rotary, layout);
        return split;
    };
    const Linear &w_q = variant.swapped ? a.w_k : a.w_q, &w_k = variant.swapped ? a.w_q : a.w_k;
    return scaled_dot_product_attention(heads(w_q, variant.turns_q), heads(w_k, variant.turns_k),
                                        heads(a.w_v, variant.turns_v), mask);
}
Tensor rotary_variant(const MultiHeadAttention& a, const Tensor& x, RotaryLayout layout,
                      const OptionalMask& mask, RotaryVariant variant = {}) {
    return a.w_o(merge_heads(rotary_heads(a, x, RotaryEmbedding(4, 16), layout, mask, variant).output));
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

TEST(Step_7_1_rotary_multi_head_attention, equals_pytorch) {
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

TEST(Step_7_1_rotary_multi_head_attention, drops_weights_as_pytorch_does) {
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

TEST(Step_7_1_rotary_multi_head_attention, turns_by_the_table_that_it_is_given) {
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

TEST(Step_7_1_rotary_multi_head_attention, sends_the_gradients_of_pytorch) {
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

TEST(Step_7_1_rotary_multi_head_attention, depends_on_distances_only) {
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

TEST(Step_7_1_rotary_multi_head_attention, refuses_what_does_not_fit) {
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

// --- the two halves -----------------------------------------------------------------------------------------------

// A half of a block put together in another way than it should be. f: the sublayer, in evaluation.
std::vector<Suspect> half_suspects(NormPosition position, const Norm& norm, const Tensor& x,
                                   const Sublayer& f) {
    const bool pre = position == NormPosition::pre;
    return {{pre ? post_for_pre : pre_for_post, [=] { return pre ? norm(x + f(x)) : x + f(norm(x)); }},
            {"the norm stands on the residual path: what is added to is x, not norm(x)",
             [=] { return norm(x) + f(norm(x)); }},
            {"the norm is left out", [=] { return x + f(x); }},
            {"the residual connection is left out", [=] { return pre ? f(norm(x)) : norm(f(x)); }},
            {"x is added twice: norm_and_add adds it already",
             [=] { return pre ? x + x + f(norm(x)) : norm(x + x + f(x)); }},
            {"normed twice: norm_and_add norms already",
             [=] { return pre ? x + f(norm(norm(x))) : norm(x + f(norm(x))); }},
            {"a norm after the residual addition as well: pre-norm has none there",
             [=] { return norm(x + f(norm(x))); }},
            {"the norm stands between the sublayer and the addition", [=] { return x + norm(f(x)); }}};
}

// Dropout in training, in its two places of a half: inside of the sublayer, and on what it adds. Or in wrong ones.
struct Places {
    bool inside = true, on_the_sum = true, on_the_input = false, on_the_sum_again = false;
};
using DroppedSublayer = std::function<Tensor(const Tensor&, double, Rng*)>;
Tensor trained_half(NormPosition position, const Norm& norm, const Tensor& x, const DroppedSublayer& f,
                    Places places) {
    Rng rng(5);
    const Sublayer sublayer = [&](const Tensor& t) {
        const Tensor input = dropout(t, places.on_the_input ? 0.25 : 0.0, &rng);
        const Tensor made = f(input, places.inside ? 0.25 : 0.0, &rng);
        return dropout(made, places.on_the_sum_again ? 0.25 : 0.0, &rng);
    };
    return norm_and_add(position, norm, x, sublayer, places.on_the_sum ? 0.25 : 0.0, &rng);
}

// `half(x, rng)` in training against chapter 06's functions. inside: "the weights are", dropped by f.
testing::AssertionResult drops_in_both_places(const std::function<Tensor(const Tensor&, Rng*)>& half,
                                              NormPosition position, const Norm& norm,
                                              const DroppedSublayer& f, const std::string& inside) {
    const Tensor x = golden()["x"];
    Rng rng(5);
    const auto with = [=](Places places) {
        return [=] { return trained_half(position, norm, x, f, places); };
    };
    const std::string again = "what is added is dropped twice: norm_and_add drops it already";
    return close_named(
        "in training", half(x, &rng), with({})(), {},
        {{"nothing is dropped although there is an Rng: is it passed on?", with({false, false})},
         {"dropout on what is added is missing: only " + inside + " dropped", with({true, false})},
         {inside + " not dropped: only what is added is", with({false, true})},
         {"dropout falls on the input of the sublayer, where it is not asked for", with({false, true, true})},
         {"dropout falls on the input of the sublayer, where it is not asked for", with({true, true, true})},
         {again, with({true, true, false, true})},
         {again, with({false, true, false, true})}});
}

constexpr NormPosition both_positions[] = {NormPosition::pre, NormPosition::post};
std::string name_of(NormPosition position) { return position == NormPosition::pre ? "pre" : "post"; }

// --- 7.2 attention_sublayer ---------------------------------------------------------------------------------------

AttentionSublayer attention_half(const BlockConfig& config) {
    return made<AttentionSublayer>(config, "attention.");
}

std::vector<Suspect> attention_suspects(const AttentionSublayer& s, const Tensor& x,
                                        const OptionalMask& mask) {
    const auto attend = [=](const Tensor& q, const Tensor& k, const Tensor& v, const OptionalMask& m) {
        return s.attention(q, k, v, m).output;
    };
    std::vector<Suspect> all =
        half_suspects(s.position, s.norm, x, [=](const Tensor& t) { return attend(t, t, t, mask); });
    const Tensor n = s.norm(x);
    for (const auto& [what, q, k, v] : {std::tuple{"queries", x, n, n},
                                        {"keys", n, x, n},
                                        {"values", n, n, x},
                                        {"queries and keys", x, x, n},
                                        {"queries and values", x, n, x},
                                        {"keys and values", n, x, x}})
        all.push_back({fmt::format("the {} are not normed: all three are made of what the lambda gets", what),
                       [attend, x, mask, q = q, k = k, v = v] { return x + attend(q, k, v, mask); }});
    all.push_back({"the mask is not passed on", [=] {
                       return norm_and_add(
                           s.position, s.norm, x,
                           [=](const Tensor& t) { return attend(t, t, t, std::nullopt); }, 0.0, nullptr);
                   }});
    return all;
}

TEST(Step_7_2_attention_sublayer, equals_pytorch_in_both_places_of_the_norm) {
    for (const NormPosition position : both_positions) {
        const AttentionSublayer sublayer = attention_half(small(position));
        const Tensor x = leaf("x");
        const Tensor y = sublayer(x, causal_mask(5)).output;
        const std::string prefix = "attention." + name_of(position) + ".";
        EXPECT_TRUE(close_named(name_of(position), y, golden()[prefix + "output"], {},
                                attention_suspects(sublayer, x, causal_mask(5))));
        expect_gradients(prefix, y, x, {});
    }
}

TEST(Step_7_2_attention_sublayer, equals_its_parts_under_every_mask) {
    const Tensor x = golden()["x"];
    for (const NormPosition position : both_positions) {
        const AttentionSublayer s = attention_half(small(position));
        for (const auto& [name, mask] : masks()) {
            const AttentionOutput result = s(x, mask);
            const Tensor input = position == NormPosition::pre ? s.norm(x) : x;
            const AttentionOutput attended = s.attention(input, input, input, mask);
            const Tensor expected =
                position == NormPosition::pre ? x + attended.output : s.norm(x + attended.output);
            const std::string what = name_of(position) + ", mask " + name;
            EXPECT_TRUE(close_named(what, result.output, expected, {}, attention_suspects(s, x, mask)));
            EXPECT_TRUE(close_named(what + ", weights", result.weights, attended.weights))
                << likely_if(result.weights.rank() == 0,
                             "the weights never leave the lambda: it writes them to a variable outside");
        }
    }
}

TEST(Step_7_2_attention_sublayer, has_rotary_positions_where_the_config_has_them) {
    const Tensor x = golden()["x"];
    for (const RotaryLayout layout : {RotaryLayout::half_split, RotaryLayout::interleaved}) {
        BlockConfig config = small_llama();
        config.rotary->layout = layout;
        const AttentionSublayer s = attention_half(config);
        const auto with = [&](RotaryLayout pairs, int turns, const OptionalMask& mask) {
            return [=] { return x + rotary_variant(s.attention, s.norm(x), pairs, mask, {turns, turns}); };
        };
        const bool half = layout == RotaryLayout::half_split;
        const RotaryLayout other = half ? RotaryLayout::interleaved : RotaryLayout::half_split;
        EXPECT_TRUE(close_named(
            half ? "half split" : "interleaved", s(x, causal_mask(5)).output,
            with(layout, 1, causal_mask(5))(), {},
            {{"no rotary positions although the config has them", with(layout, 0, causal_mask(5))},
             {"pairs of the other layout: `layout` is not passed on", with(other, 1, causal_mask(5))},
             {"the mask is not passed on to rotary_multi_head_attention", with(layout, 1, std::nullopt)}}));
    }
}

TEST(Step_7_2_attention_sublayer, drops_weights_and_what_it_adds) {
    const RotaryEmbedding rotary(4, 16);
    const Tensor x = golden()["x"];
    for (BlockConfig config : {small(), small(NormPosition::post), small_llama()}) {
        const AttentionSublayer undropped = attention_half(config);
        config.dropout = 0.25;
        const AttentionSublayer s = attention_half(config);
        const bool turned = config.rotary.has_value();
        const auto attend = [=](const Tensor& t, double p, Rng* rng) {
            return turned ? rotary_multi_head_attention(s.attention, t, rotary, RotaryLayout::half_split,
                                                        std::nullopt, p, rng)
                          : attention_with_dropout(s.attention, t, t, t, std::nullopt, p, rng);
        };
        const auto output = [=](const Tensor& t, double p, Rng* rng) { return attend(t, p, rng).output; };
        const auto half = [&](const Tensor& t, Rng* rng) { return s(t, std::nullopt, rng).output; };
        const auto right =
            drops_in_both_places(half, config.norm_position, s.norm, output, "the weights are");
        EXPECT_TRUE(right);
        EXPECT_TRUE(close_named("in evaluation", half(x, nullptr), undropped(x).output))
            << likely_if(true, "dropout is active in evaluation: a null Rng is passed on as it is");
        Rng rng(5), same(5);
        const Tensor weights = s(x, std::nullopt, &rng).weights;
        const bool pre = config.norm_position == NormPosition::pre;
        EXPECT_TRUE(
            close_named("weights in training", weights, attend(pre ? s.norm(x) : x, 0.25, &same).weights))
            << likely_if(right && weights.rank() == 4,
                         "the weights come from a second call: attention ran twice, and these were not used");
    }
}

TEST(Step_7_2_attention_sublayer, computes_the_norm_once) {
    const AttentionSublayer s = attention_half(small());
    const Tensor x = leaf("x"), n = s.norm(x);
    const std::size_t kept = tape_bytes(s(x).output);
    const std::size_t once = tape_bytes(x + s.attention(n, n, n).output);
    EXPECT_TRUE(kept == once)
        << fmt::format("the tape keeps {} bytes, and {} with one norm", with_separators(kept),
                       with_separators(once))
        << likely_if(
               kept > once,
               "norm(x) is computed more than once: the lambda's input is normed already, and q, k and v "
               "are made of that one tensor");
}

TEST(Step_7_2_attention_sublayer, refuses_what_does_not_fit) {
    const AttentionSublayer s = attention_half(small());
    ASSERT_NO_THROW(s(normal({2, 5, 8}, 1), causal_mask(5)));
    EXPECT_TRUE(refuses<ShapeError>([&] { s(normal({2, 5, 12}, 1)); }, {"(2, 5, 12)", "8"}, "x of width 12"));
    EXPECT_TRUE(refuses<ShapeError>([&] { s(normal({5, 8}, 1)); }, {"(5, 8)"}, "x without a batch"));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            s(normal({2, 5, 8}, 1), causal_mask(4));
        },
        {"(1, 1, 4, 4)", "(2, 2, 5, 5)"}, "a mask of another length", "the mask is not passed on"));
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            attention_half(small_llama())(normal({1, 17, 8}, 1));
        },
        {"17", "16"}, "a sequence longer than the rotary table",
        "no rotary positions although the config has them"));
}

// --- 7.3 feed_forward_sublayer ------------------------------------------------------------------------------------

FeedForwardSublayer network_half(const BlockConfig& config) {
    return made<FeedForwardSublayer>(config, "feed_forward.");
}

Sublayer network_of(const FeedForwardSublayer& s) {
    return [network = s.network](const Tensor& t) { return network.output(network.hidden(t)); };
}

TEST(Step_7_3_feed_forward_sublayer, equals_pytorch_in_both_places_of_the_norm) {
    for (const NormPosition position : both_positions) {
        const FeedForwardSublayer s = network_half(small(position));
        const Tensor x = leaf("x");
        const Tensor y = s(x);
        const std::string prefix = "feed_forward." + name_of(position) + ".";
        EXPECT_TRUE(close_named(name_of(position), y, golden()[prefix + "output"], {},
                                half_suspects(position, s.norm, x, network_of(s))));
        expect_gradients(prefix, y, x, {});
    }
}

TEST(Step_7_3_feed_forward_sublayer, takes_any_network_and_any_norm) {
    const Tensor x = golden()["x"];
    const FeedForwardSublayer s = network_half(small_llama());
    const SwiGLU& swiglu = std::get<SwiGLU>(s.network.kind);
    const RMSNorm& norm = std::get<RMSNorm>(s.norm.kind);
    EXPECT_TRUE(close_named("RMSNorm and SwiGLU", s(x), x + swiglu(norm(x)), {},
                            half_suspects(NormPosition::pre, s.norm, x, network_of(s))));
}

TEST(Step_7_3_feed_forward_sublayer, drops_hidden_units_and_what_it_adds) {
    const Tensor x = golden()["x"];
    for (BlockConfig config : {small(), small(NormPosition::post), small_llama()}) {
        const FeedForwardSublayer undropped = network_half(config);
        config.dropout = 0.25;
        const FeedForwardSublayer s = network_half(config);
        const DroppedSublayer transform = [=](const Tensor& t, double p, Rng* rng) {
            return s.network.output(dropout(s.network.hidden(t), p, rng));
        };
        EXPECT_TRUE(
            drops_in_both_places(s, config.norm_position, s.norm, transform,
                                 gated(config) ? "the hidden layer of SwiGLU is" : "the hidden layer is"));
        EXPECT_TRUE(close_named("in evaluation", s(x), undropped(x)))
            << likely_if(true, "dropout is active in evaluation: a null Rng is passed on as it is");
        if (HasFailure()) break;  // SwiGLU only where the others are right
    }
}

TEST(Step_7_3_feed_forward_sublayer, treats_each_position_by_itself) {
    const FeedForwardSublayer s = network_half(small());
    const Tensor x = golden()["x"], y = s(x);
    for (std::size_t t = 0; t < 5; ++t)
        EXPECT_TRUE(close(s(slice(x, 1, t, t + 1)), slice(y, 1, t, t + 1))) << "position " << t << " alone";
}

TEST(Step_7_3_feed_forward_sublayer, refuses_another_width) {
    const FeedForwardSublayer s = network_half(small());
    ASSERT_NO_THROW(s(normal({2, 5, 8}, 1)));
    EXPECT_TRUE(refuses<ShapeError>([&] { s(normal({2, 5, 12}, 1)); }, {"(2, 5, 12)", "8"}, "x of width 12"));
}

// --- 7.4 transformer_block ----------------------------------------------------------------------------------------

std::vector<Suspect> block_suspects(const TransformerBlock& b, const Tensor& x, const OptionalMask& mask) {
    const Tensor attended = b.attention(x, mask).output;
    TransformerBlock one_norm = b, exchanged = b;
    one_norm.feed_forward.norm = b.attention.norm;
    std::swap(exchanged.attention.norm, exchanged.feed_forward.norm);
    const auto fed = [=](const TransformerBlock& block, const Tensor& t) { return block.feed_forward(t); };
    std::vector<Suspect> all{
        {"the feed-forward network is fed from the block's input, not from the attended x",
         [=] { return fed(b, x); }},
        {"the two halves are computed side by side and added; the second works on what the first gives",
         [=] { return attended + fed(b, x) - x; }},
        {"the feed-forward half is left out", [=] { return attended; }},
        {"the feed-forward network comes before attention",
         [=] { return b.attention(fed(b, x), mask).output; }},
        {"one residual connection too many: the halves have theirs", [=] { return x + fed(b, attended); }},
        {"one residual connection too many: the halves have theirs",
         [=] { return attended + fed(b, attended); }},
        {"one residual connection too many: the halves have theirs", [=] { return fed(b, x + attended); }},
        {"a norm after the halves: the block ends with the second of them",
         [=] { return b.attention.norm(fed(b, attended)); }},
        {"a norm after the halves: the block ends with the second of them",
         [=] { return b.feed_forward.norm(fed(b, attended)); }},
        {"one norm is used twice: each half has its own", [=] { return fed(one_norm, attended); }},
        {"the two norms are exchanged",
         [=] { return exchanged.feed_forward(exchanged.attention(x, mask).output); }},
        {"attention is done twice", [=] { return fed(b, b.attention(attended, mask).output); }}};
    if (mask)
        all.push_back(
            {"the mask is not passed on to attention", [=] { return fed(b, b.attention(x).output); }});
    return all;
}

TransformerBlock golden_block(const BlockConfig& config) { return made<TransformerBlock>(config); }

struct BlockCase {
    std::string name;
    BlockConfig config;
    OptionalMask mask;
};
// Every place of the norm, activation and mask of torch.nn.TransformerEncoderLayer.
std::vector<BlockCase> encoder_layers() {
    std::vector<BlockCase> cases;
    for (const NormPosition position : both_positions) {
        for (const Activation activation : {Activation::relu, Activation::gelu}) {
            BlockConfig config = small(position);
            config.activation = activation;
            for (const auto& [name, mask] : masks())
                cases.push_back(
                    {name_of(position) + (activation == Activation::relu ? ".relu." : ".gelu.") + name,
                     config, mask});
        }
    }
    return cases;
}

TEST(Step_7_4_transformer_block, equals_the_encoder_layer_of_pytorch) {
    const Tensor x = golden()["x"];
    for (const BlockCase& c : encoder_layers()) {
        const TransformerBlock block = golden_block(c.config);
        const AttentionOutput result = block(x, c.mask);
        EXPECT_TRUE(close_named(c.name, result.output, golden()[c.name + ".output"], {},
                                block_suspects(block, x, c.mask)));
        EXPECT_TRUE(close_named(c.name + ", weights", result.weights, golden()[c.name + ".weights"]))
            << likely_if(result.weights.rank() == 0, "the weights of attention are not returned");
    }
}

TEST(Step_7_4_transformer_block, sends_the_gradients_of_the_encoder_layer) {
    for (const BlockCase& c : encoder_layers()) {
        const TransformerBlock block = golden_block(c.config);
        const Tensor x = leaf("x");
        expect_gradients(c.name + ".", block(x, c.mask).output, x, block.parameters());
        if (HasFailure()) break;  // one case tells it
    }
}

TEST(Step_7_4_transformer_block, equals_a_block_of_llama) {
    const TransformerBlock block = golden_block(small_llama());
    const Tensor x = leaf("x");
    const AttentionOutput result = block(x, causal_mask(5));
    EXPECT_TRUE(close_named("RMSNorm, SwiGLU, rotary positions", result.output, golden()["llama.output"], {},
                            block_suspects(block, x, causal_mask(5))));
    EXPECT_TRUE(close_named("weights", result.weights, golden()["llama.weights"]));
    if (HasFailure()) return;  // what is wrong with the output tells more
    expect_gradients("llama.", result.output, x, block.parameters());
}

TEST(Step_7_4_transformer_block, equals_pytorch_in_training) {
    for (const NormPosition position : both_positions) {
        BlockConfig config = small(position);
        config.dropout = 0.25;
        const TransformerBlock block = golden_block(config);
        const Tensor x = leaf("x");
        const std::uint64_t seed = position == NormPosition::pre ? 72 : 73;
        Rng rng(seed);
        const auto [y, weights] = block(x, causal_mask(5), &rng);
        const auto with = [&](bool first, bool second) {
            return [=] {
                Rng other(seed);
                const Tensor attended = block.attention(x, causal_mask(5), first ? &other : nullptr).output;
                return block.feed_forward(attended, second ? &other : nullptr);
            };
        };
        const std::string prefix = name_of(position) + ".dropped.";
        const auto right = close_named(
            name_of(position), y, golden()[prefix + "output"], {},
            {{"nothing is dropped although there is an Rng", with(false, false)},
             {"dropout in one half only: rng is not passed on to the feed-forward half", with(true, false)},
             {"dropout in one half only: rng is not passed on to attention", with(false, true)}});
        EXPECT_TRUE(right);
        Rng same(seed);
        EXPECT_TRUE(close_named(name_of(position) + ", weights", weights,
                                block.attention(x, causal_mask(5), &same).weights))
            << likely_if(right && weights.rank() == 4,
                         "the weights come from a second call: attention ran twice, and these were not used");
        EXPECT_TRUE(close_named("in evaluation", block(x, causal_mask(5)).output, with(false, false)()))
            << likely_if(right, "dropout is active in evaluation: a null Rng is passed on as it is");
        if (HasFailure()) break;  // one case tells it
        expect_gradients(prefix, y, x, block.parameters());
    }
}

TEST(Step_7_4_transformer_block, agrees_with_finite_differences) {
    const TransformerBlock block = golden_block(small_llama());
    EXPECT_TRUE(gradients_match([&](const std::vector<Tensor>& in) { return block(in[0]).output; },
                                {normal({1, 3, 8}, 6)}));
}

TEST(Step_7_4_transformer_block, under_a_causal_mask_nothing_depends_on_the_future) {
    for (const BlockConfig& config : {small(), small(NormPosition::post), small_llama()}) {
        const TransformerBlock block = golden_block(config);
        const Tensor x = normal({1, 6, 8}, 7);
        const Tensor other =
            concat({slice(x, 1, 0, 3), normal({1, 3, 8}, 8)}, 1);  // another future from 3 on
        const Tensor y = block(x, causal_mask(6)).output, z = block(other, causal_mask(6)).output;
        EXPECT_TRUE(close(slice(z, 1, 0, 3), slice(y, 1, 0, 3)))
            << likely_if(true, "the mask is not passed on");
    }
}

TEST(Step_7_4_transformer_block, without_positions_permuted_tokens_give_permuted_outputs) {
    const TransformerBlock block = golden_block(small());
    const Tensor x = normal({1, 4, 8}, 9);
    const auto turned = [](const Tensor& t) { return concat({slice(t, 1, 2, 4), slice(t, 1, 0, 2)}, 1); };
    EXPECT_TRUE(close(block(turned(x)).output, turned(block(x).output)));
}

TEST(Step_7_4_transformer_block, names_its_parameters) {
    BlockConfig config = small_llama();
    config.attention_bias = AttentionBias::qkv;
    Rng rng(1);
    const TransformerBlock block(config, rng);
    ASSERT_NO_THROW(block(normal({1, 2, 8}, 1)));
    std::string names;
    for (const NamedTensor& p : block.parameters()) names += p.name + " ";
    EXPECT_EQ(
        names,
        "attention.w_q.weight attention.w_q.bias attention.w_k.weight attention.w_k.bias "
        "attention.w_v.weight attention.w_v.bias attention.w_o.weight attention.norm.gamma "
        "feed_forward.gate.weight feed_forward.up.weight feed_forward.down.weight feed_forward.norm.gamma ");
}

TEST(Step_7_4_transformer_block, a_thousand_training_steps_keep_the_resident_size_flat) {
    BlockConfig config = small_llama();
    config.dropout = 0.1;
    Rng rng(1);
    const TransformerBlock block(config, rng);
    const Parameters parameters = block.parameters();
    std::vector<Tensor> inputs;  // of several lengths, so that arrays of several sizes come and go
    for (std::size_t seq = 4; seq <= 12; ++seq) inputs.emplace_back(rng.normal_array({2, seq, 8}));
    const auto step = [&](std::size_t i) {
        const Tensor& x = inputs[i % inputs.size()];
        const Tensor y = block(x, causal_mask(x.size(1)), &rng).output;
        gradient_step(mean(y * y), parameters, 0.01f);
    };
    EXPECT_TRUE(resident_size_stays_flat(step, 200, 1000));
}

TEST(Step_7_4_transformer_block, refuses_what_does_not_fit) {
    Rng rng(1);
    const TransformerBlock block(small(), rng);
    ASSERT_NO_THROW(block(normal({2, 5, 8}, 1), causal_mask(5)));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            block(normal({2, 5, 12}, 1));
        },
        {"(2, 5, 12)", "8"}, "x of width 12"));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            block(normal({2, 5, 8}, 1), Mask::from({3, 1, 1, 5}, std::vector(15, 1)));
        },
        {"(3, 1, 1, 5)", "(2, 2, 5, 5)"}, "a mask for 3 sequences, where x has 2",
        "the mask is not passed on to attention"));
}

TEST(Step_7_4_transformer_block, refuses_a_config_with_all_its_problems_in_one_sentence) {
    Rng rng(1);
    ASSERT_NO_THROW(TransformerBlock(small(), rng)(normal({1, 2, 8}, 1)));
    BlockConfig config = small_llama();
    config.num_heads = 3;
    config.d_ff = 0;
    config.dropout = 1.5;
    config.norm_eps = -0.5f;
    config.rotary->max_len = 0;
    EXPECT_EQ(problems(config).size(), 5u);
    EXPECT_TRUE(
        refuses<ValueError>([&] { TransformerBlock(config, rng); },
                            {"3 heads don't divide d_model = 8", "d_ff is 0", "1.5", "-0.5", "max_len is 0"},
                            "a config with five problems"));
    config = small_llama();
    config.d_model = 6;
    EXPECT_TRUE(refuses<ValueError>([&] { TransformerBlock(config, rng); }, {"6 / 2 = 3"},
                                    "rotary pairs of d_k = 3"));
    EXPECT_EQ(problems(small_llama()).size() + problems(bert_block()).size() + problems(qwen_block()).size(),
              0u);
}

// --- 7.5 to 7.7: what a block costs -------------------------------------------------------------------------------

const std::string factor_two =
    "the factor 2 is forgotten: a multiplication and an addition are two operations";
const std::string own_d_ff = "d_ff is the config's, not 4 d_model";
const std::string no_batch = "the batch is forgotten";

// GPT-2's block at many positions: counts beyond 2^32.
constexpr std::size_t many_sequences = 8, many_positions = 65536;

// All that decides about costs, in all combinations.
std::vector<BlockConfig> all_configs() {
    std::vector<BlockConfig> all;
    for (const AttentionBias bias : {AttentionBias::none, AttentionBias::qkv, AttentionBias::all})
        for (const NormKind norm : {NormKind::layer_norm, NormKind::rms_norm})
            for (const FeedForwardKind kind : {FeedForwardKind::feed_forward, FeedForwardKind::swiglu})
                for (const Bias in_network : {Bias::no, Bias::yes})
                    for (const bool rotary : {false, true})
                        all.push_back(
                            {.d_model = 24,  // no two of these numbers, or their quotients, are equal
                             .num_heads = 4,
                             .d_ff = 40,
                             .norm = norm,
                             .feed_forward = kind,
                             .attention_bias = bias,
                             .feed_forward_bias = in_network,
                             .rotary = rotary ? std::optional(RotaryConfig{.max_len = 8}) : std::nullopt});
    return all;
}

std::string described(const BlockConfig& c) {
    const char* biases[] = {"no bias", "biases of q, k and v", "all biases"};
    return fmt::format("{}, {}, {}{}{}", c.norm == NormKind::layer_norm ? "LayerNorm" : "RMSNorm",
                       c.feed_forward == FeedForwardKind::swiglu ? "SwiGLU" : "FeedForward",
                       biases[static_cast<int>(c.attention_bias)],
                       c.feed_forward_bias == Bias::no ? ", none in the network" : "",
                       c.rotary ? ", rotary" : "");
}

std::vector<WrongCount> wrong_attention(const BlockConfig& c, std::size_t right, std::size_t norm) {
    const std::size_t matrix = c.d_model * c.d_model, heads = c.num_heads;
    const std::string times_heads =
        "heads multiplied into the projections: all heads share one (d_model, d_model) matrix";
    return {{"the biases are forgotten", 4 * matrix},
            {"w_o is forgotten: there are four projections", right - matrix},
            {times_heads, right + 4 * matrix * (heads - 1)},
            {times_heads, right + 3 * matrix * (heads - 1)},
            {times_heads, right * heads},
            {"w_o has a bias only where attention_bias is all",
             c.attention_bias == AttentionBias::none ? right : 4 * matrix + 4 * c.d_model},
            {"w_o has a bias only where attention_bias is all", 4 * matrix + 4 * c.d_model},
            {"w_o has a bias where attention_bias is all",
             c.attention_bias == AttentionBias::none ? right : 4 * matrix + 3 * c.d_model},
            {"the norm belongs to `norm`, not to attention", right + norm}};
}

std::vector<WrongCount> wrong_network(const BlockConfig& c, std::size_t right) {
    const std::size_t d = c.d_model, f = c.d_ff, matrices = gated(c) ? 3 : 2;
    const bool biases = c.feed_forward_bias == Bias::yes;
    const std::string
        none = "SwiGLU has no biases, whatever feed_forward_bias says",
        sizes = "up has a bias of d_ff entries, down one of d_model",
        unasked = "these biases don't exist: SwiGLU has none, FeedForward only where the config says so";
    const auto plain = [&](std::size_t of_biases) {  // a mistake in FeedForward's biases alone
        return gated(c) || !biases ? right : 2 * d * f + of_biases;
    };
    return {{"SwiGLU has three matrices: gate, up and down", gated(c) ? 2 * d * f : right},
            {"SwiGLU has three matrices: gate, up and down", 2 * d * f + (biases ? f + d : 0)},
            {"the biases are forgotten", matrices * d * f},
            {sizes, plain(2 * d)},
            {sizes, plain(2 * f)},
            {none, gated(c) && biases ? right + f + d : right},
            {none, gated(c) && biases ? right + 2 * f + d : right},
            {none, gated(c) ? right + f + d : right},
            {none, gated(c) ? right + 2 * f + d : right},
            {unasked, matrices * d * f + f + d},
            {unasked, gated(c) ? right : 2 * d * f + f + d},
            {own_d_ff, right + matrices * d * (4 * d - f) + (!gated(c) && biases ? 4 * d - f : 0)}};
}

TEST(Step_7_5_block_parameters, equals_counting_in_every_configuration) {
    Counts in_attention, in_network, in_norm;
    for (const BlockConfig& c : all_configs()) {
        Rng rng(1);
        const TransformerBlock block(c, rng);
        const BlockParameters formula = block_parameters(c);
        const std::size_t norm = count_parameters(block.attention.norm.parameters());
        const std::size_t attention = count_parameters(block.attention.attention.parameters());
        const std::size_t network = count_parameters(block.feed_forward.network.parameters());
        in_attention.add(described(c) + ": attention", formula.attention, attention,
                         wrong_attention(c, attention, norm));
        in_network.add(described(c) + ": feed_forward", formula.feed_forward, network,
                       wrong_network(c, network));
        in_norm.add(described(c) + ": norm", formula.norm, norm,
                    {{"RMSNorm has no beta", 2 * c.d_model},
                     {"LayerNorm has a beta beside gamma", c.d_model},
                     {"`norm` is that of one norm; total() counts it twice", 2 * norm},
                     {"norms have vectors of d_model entries, whatever the heads", norm / c.num_heads}});
    }
    for (const Counts* counts : {&in_attention, &in_network, &in_norm}) EXPECT_TRUE(counts->right());
}

TEST(Step_7_5_block_parameters, gives_the_published_blocks_and_one_that_no_memory_holds) {
    const std::size_t d = std::size_t{1} << 24, d_ff = 3 * d;
    Counts counts;
    for (const auto& [name, config, published] :
         std::vector<std::tuple<const char*, BlockConfig, std::size_t>>{
             {"BERT-base", bert_block(), 7087872},
             {"GPT-2", gpt2_block(), 7087872},
             {"LLaMA-7B", llama_block(), 202383360},
             {"Qwen-7B", qwen_block(), 202395648},
             {"Vaswani et al. (biases in the network alone)", original_block(),
              4 * 512 * 512 + 2 * 512 * 2048 + 2048 + 512 + 4 * 512},
             {"d_model 2^24, d_ff 3 * 2^24",
              {.d_model = d, .num_heads = 1024, .d_ff = d_ff},
              4 * d * d + 4 * d + 2 * d * d_ff + d_ff + d + 4 * d}}) {
        try {
            counts.add(name, block_parameters(config).total(), published);
        } catch (const std::bad_alloc&) {
            ADD_FAILURE() << name << ": there is no memory for it"
                          << likely_if(true,
                                       "a block is made to be counted: count from the sizes, without one");
        }
    }
    EXPECT_TRUE(counts.right());
}

TEST(Step_7_5_block_parameters, the_lines_of_the_summary_add_up_to_it) {
    Counts counts;
    for (const BlockConfig& c : all_configs())
        counts.add(described(c), block_parameters(c).total(), total(block_costs(c, "", 1, 3)).parameters);
    EXPECT_TRUE(counts.right());
}

TEST(Step_7_5_block_parameters, refuses_a_config_that_does_not_fit) {
    ASSERT_NO_THROW(block_parameters(small()));
    BlockConfig config = small();
    config.num_heads = 3;
    EXPECT_TRUE(refuses<ValueError>([&] { block_parameters(config); }, {"3", "8"}, "3 heads of 8"));
}

TEST(Step_7_6_block_flops, of_attention_equals_the_sum_over_its_products) {
    Counts in_projections, in_scores, in_sum;
    const BlockConfig wide = gpt2_block(), narrow{.d_model = 20, .num_heads = 4, .d_ff = 28};
    for (const auto& [c, batch, q, k] :
         {std::tuple<BlockConfig, std::size_t, std::size_t, std::size_t>{narrow, 3, 5, 5},
          {narrow, 3, 5, 7},
          {wide, many_sequences, many_positions, many_positions}}) {
        const AttentionFlops flops = attention_flops(c, batch, q, k);
        const std::size_t d = c.d_model, heads = c.num_heads, one = 2 * batch * d * d;
        const std::size_t projections = one * (2 * q + 2 * k);
        const std::size_t scores =
            batch * heads * 2 * q * (d / heads) * k;  // (query, d_k) x (d_k, key) by head
        const std::string sizes = fmt::format("{} queries, {} keys: ", q, k),
                          four = "w_o is one projection more";
        in_projections.add(
            sizes + "projections", flops.projections, projections,
            {{factor_two, projections / 2},
             {"heads multiplied into the projections: all heads share one matrix", projections * heads},
             {four, one * 3 * q},
             {four, one * (q + 2 * k)},
             {no_batch, projections / batch},
             {"w_k and w_v see the keys, not the queries", one * 4 * q},
             {"w_q and w_o see the queries, not the keys", one * 4 * k},
             {"w_q and w_o see the queries, not the keys", one * (q + 3 * k)}});
        const std::string square = "seq^2 is forgotten: every query meets every key",
                          cross = "query * key, not the square of one of them: every query meets every key";
        for (auto& [counts, name, counted] :
             {std::tuple{&in_scores, "scores", flops.scores}, {&in_sum, "weighted sum", flops.weighted_sum}})
            counts->add(sizes + name, counted, scores,
                        {{factor_two, scores / 2},
                         {square, scores / k},
                         {square, scores / q},
                         {cross, scores / k * q},
                         {cross, scores / q * k},
                         {"heads multiplied in again: d_model is heads * d_k already", scores * heads},
                         {"one head only: there are heads * d_k = d_model columns in all", scores / heads},
                         {no_batch, scores / batch},
                         {"the scores are counted once: the weighted sum is a product of the same size", 0},
                         {"the weighted sum is counted in `scores` as well", 2 * scores}});
    }
    for (const Counts* counts : {&in_projections, &in_scores, &in_sum}) EXPECT_TRUE(counts->right());
}

TEST(Step_7_6_block_flops, of_the_network_counts_every_matrix) {
    Counts counts;
    for (const auto& [c, batch, seq] : {std::tuple<BlockConfig, std::size_t, std::size_t>{small(), 3, 5},
                                        {small_llama(), 3, 5},
                                        {gpt2_block(), many_sequences, many_positions}}) {
        const std::size_t one = 2 * batch * seq * c.d_model * c.d_ff, expected = (gated(c) ? 3 : 2) * one;
        counts.add(gated(c) ? "SwiGLU" : "FeedForward", feed_forward_flops(c, batch, seq), expected,
                   {{"SwiGLU has three matrices: gate, up and down", 2 * one},
                    {factor_two, expected / 2},
                    {"only one of the matrices is counted", one},
                    {own_d_ff, expected / c.d_ff * 4 * c.d_model},
                    {no_batch, expected / batch},
                    {"positions don't meet in this network: no seq^2", expected * seq}});
    }
    EXPECT_TRUE(counts.right());
}

TEST(Step_7_6_block_flops, the_lines_of_the_summary_add_up_to_it) {
    Counts counts;
    for (const BlockConfig& c : all_configs())
        counts.add(described(c), attention_flops(c, 2, 3, 3).total() + feed_forward_flops(c, 2, 3),
                   total(block_costs(c, "", 2, 3)).flops);
    counts.add("3 queries, 7 keys", attention_flops(small(), 2, 3, 7).total(),
               total(attention_costs(small(), "cross", 2, 3, 7)).flops);
    EXPECT_TRUE(counts.right());
}

// The floats that a block keeps, and what they would be by the classic mistakes.
struct ActivationCounts {
    Counts attention, weights, network, lines;

    void add(const BlockConfig& c, std::size_t batch, std::size_t seq);
};
void ActivationCounts::add(const BlockConfig& c, std::size_t batch, std::size_t seq) {
    const BlockActivations count = block_activations(c, batch, seq);
    const std::size_t tokens = batch * seq, one = tokens * c.d_model, hidden = tokens * c.d_ff;
    const std::size_t turned = c.rotary ? one : 0, squares = batch * seq * seq;
    // norm, q k v, by head, [turned q k], heads, merged, projected, sum
    const std::size_t in_attention = one * (1 + 3 + 3 + 1 + 1 + 1 + 1) + 2 * turned;
    const std::size_t of_weights = squares * c.num_heads;
    const std::size_t in_network = 3 * one + (gated(c) ? 3 : 2) * hidden;  // norm, hidden layers, output, sum
    const std::string bytes = "bytes, where floats are asked for", sizes = described(c) + ": ";
    attention.add(sizes + "attention", count.attention, in_attention,
                  {{"the turned queries and keys are forgotten", in_attention - 2 * turned},
                   {"queries and keys are turned only with rotary positions", 13 * one},
                   {"the values are not turned", in_attention + turned},
                   {"q, k and v are kept before and after the split into heads", in_attention - 3 * one},
                   {"all heads together are d_model wide", in_attention + 3 * one * (c.num_heads - 1)},
                   {"the residual sum is forgotten", in_attention - one},
                   {bytes, 4 * in_attention},
                   {no_batch, in_attention / batch},
                   {"the weights belong to `weights`", in_attention + of_weights}});
    weights.add(sizes + "weights", count.weights, of_weights,
                {{"seq^2 is forgotten: one weight for each query and key", of_weights / seq},
                 {"the heads are forgotten: each has weights of its own", squares},
                 {"heads * seq^2, not d_model * seq^2", squares * c.d_model},
                 {"the scores are not kept: attention is one operation here", 2 * of_weights},
                 {"each sequence looks at itself alone: batch, not its square", of_weights * batch},
                 {no_batch, of_weights / batch},
                 {bytes, 4 * of_weights}});
    network.add(sizes + "feed_forward", count.feed_forward, in_network,
                {{"SwiGLU keeps three hidden layers: gate, up and their product", 3 * one + 2 * hidden},
                 {"SwiGLU keeps three hidden layers: SiLU(gate) * up is one operation",
                  in_network + (gated(c) ? hidden : 0)},
                 {"the hidden layer is kept before and after the activation", in_network - hidden},
                 {"the norm or the residual sum is forgotten", in_network - one},
                 {own_d_ff, 3 * one + (gated(c) ? 12 : 8) * one},
                 {bytes, 4 * in_network},
                 {no_batch, in_network / batch}});
    lines.add(sizes + "bytes of the summary", sizeof(float) * count.total(),
              total(block_costs(c, "", batch, seq)).bytes);
}

TEST(Step_7_7_block_activations, equals_the_results_of_the_operations) {
    ActivationCounts counts;
    for (const BlockConfig& c : all_configs()) counts.add(c, 3, 5);
    counts.add(gpt2_block(), many_sequences, many_positions);
    for (const Counts* part : {&counts.attention, &counts.weights, &counts.network})
        EXPECT_TRUE(part->right());
}

TEST(Step_7_7_block_activations, the_lines_of_the_summary_add_up_to_it) {
    ActivationCounts counts;
    for (const BlockConfig& c : all_configs()) counts.add(c, 2, 3);
    EXPECT_TRUE(counts.lines.right());
}

TEST(Step_7_7_block_activations, equals_the_tape_of_a_block_but_for_copies) {
    const Tensor x = leaf("x");
    Counts counts;
    for (const BlockConfig& c : {small(), small(NormPosition::post), small_llama()})
        counts.add(described(c) + ": bytes",
                   sizeof(float) * block_activations(c, 2, 5).total() + copies_of_reshape(c, 2, 5, 5),
                   tape_bytes(golden_block(c)(x).output));
    EXPECT_TRUE(counts.right());
}

}  // namespace
}  // namespace tfs::test
