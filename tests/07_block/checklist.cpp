// tests/07_block/checklist.cpp · what the checks of several steps of chapter 07 share
#include "tests/07_block/checklist.hpp"

#include <fmt/format.h>

#include <functional>

#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/gradients_reach.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {

BlockConfig small(NormPosition position) {
    return {.d_model = 8, .num_heads = 2, .d_ff = 12, .norm_position = position};
}

BlockConfig small_llama() { return llama_block(8, 2, 12, 16); }

bool gated(const BlockConfig& c) { return c.feed_forward == FeedForwardKind::swiglu; }

TransformerBlock golden_block(const BlockConfig& config) { return made<TransformerBlock>(config); }

Mask padding() { return Mask::from({3, 1, 1, 5}, {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0}); }

Mask inverted(const Mask& mask) { return Mask(!mask.array()); }

std::vector<std::pair<std::string, OptionalMask>> masks() {
    return {{"none", std::nullopt},
            {"padding", padding()},
            {"causal", causal_mask(5)},
            {"both", padding() & causal_mask(5)}};
}

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

std::vector<Suspect> weights_suspects(const Tensor& right) {
    const std::string averaged = "the weights are averaged over the heads: those of every head are asked for";
    return {{averaged, [=] { return mean(right, 1); }},
            {averaged, [=] { return mean(right, 1, KeepDims::yes); }},
            {"the weights are transposed: a row is a query, a column a key",
             [=] { return transpose(right, -2, -1); }}};
}

AttentionOutput rotary_heads(const Projections& a, const Tensor& x, const RotaryEmbedding& rotary,
                             RotaryLayout layout, const OptionalMask& mask, RotaryVariant variant) {
    const RotaryLayout other =
        layout == RotaryLayout::half_split ? RotaryLayout::interleaved : RotaryLayout::half_split;
    const auto heads = [&](const Linear& w, int turns, bool other_pairs = false, double scale = 1.0) {
        Tensor split = split_heads(w(x), a.num_heads) * static_cast<float>(scale);
        while (turns-- > 0) split = apply_rotary(split, rotary, other_pairs ? other : layout);
        return split;
    };
    const Linear &w_q = variant.swapped ? a.w_k : a.w_q, &w_k = variant.swapped ? a.w_q : a.w_k;
    return scaled_dot_product_attention(heads(w_q, variant.turns_q, variant.other_q, variant.scale_q),
                                        heads(w_k, variant.turns_k, variant.other_k),
                                        heads(a.w_v, variant.turns_v), mask);
}

Tensor rotary_variant(const Projections& a, const Tensor& x, RotaryLayout layout, const OptionalMask& mask,
                      RotaryVariant variant) {
    const RotaryEmbedding table(x.size(2) / a.num_heads, 16);
    return a.w_o(merge_heads(rotary_heads(a, x, table, layout, mask, variant).output));
}

std::string name_of(NormPosition position) { return position == NormPosition::pre ? "pre" : "post"; }

namespace {

// A difference of positions, as both places of the norm have it.
const std::string pre_for_post = "the norm stands before the sublayer (pre-norm), where the config says post";
const std::string post_for_pre =
    "the norm stands after the residual addition (post-norm), where the config says pre";

// Dropout in training, in its two places of a half: inside of the sublayer, and on what it adds. Or in wrong ones.
struct Places {
    Rates inside = {0.25};
    double on_the_sum = 0.25;
    bool on_the_input = false, on_the_sum_again = false, on_the_result = false;
    bool copied = false;  // the Rng, for the inside
};

Tensor trained_half(NormPosition position, const Norm& norm, const Tensor& x, const DroppedSublayer& f,
                    Places places) {
    Rng rng(5);
    const Sublayer sublayer = [&](const Tensor& t) {
        const Tensor input = dropout(t, places.on_the_input ? 0.25 : 0.0, &rng);
        Rng copy = rng;
        const Tensor made = f(input, places.inside, places.copied ? &copy : &rng);
        return dropout(made, places.on_the_sum_again ? 0.25 : 0.0, &rng);
    };
    const Tensor half = norm_and_add(position, norm, x, sublayer, places.on_the_sum, &rng);
    return dropout(half, places.on_the_result ? 0.25 : 0.0, &rng);
}

}  // namespace

std::vector<Suspect> half_suspects(NormPosition position, const Norm& norm, const Tensor& x,
                                   const Sublayer& f) {
    const bool pre = position == NormPosition::pre;
    const std::string twice_added = "x is added twice: norm_and_add adds it already";
    return {
        {"the sublayer is called by itself: norm_and_add norms, drops and adds", [=] { return f(x); }},
        {pre ? post_for_pre : pre_for_post, [=] { return pre ? norm(x + f(x)) : x + f(norm(x)); }},
        {"the norm stands on the residual path: what is added to is x, not norm(x)",
         [=] { return norm(x) + f(norm(x)); }},
        {"the norm is left out: the sublayer reads x, not the input of the lambda", [=] { return x + f(x); }},
        {"the residual connection is left out", [=] { return pre ? f(norm(x)) : norm(f(x)); }},
        {twice_added, [=] { return pre ? x + x + f(norm(x)) : norm(x + x + f(x)); }},
        {pre ? "the lambda adds its input: norm_and_add adds x already" : twice_added,
         [=] { return pre ? x + norm(x) + f(norm(x)) : x + norm(x + f(x)); }},
        {"norm_and_add is given norm(x) in place of x; it norms by itself",
         [=] { return pre ? norm(x) + f(norm(norm(x))) : norm(norm(x) + f(norm(x))); }},
        {"normed twice: norm_and_add norms already",
         [=] { return pre ? x + f(norm(norm(x))) : norm(x + f(norm(x))); }},
        {"the half is done twice",
         [=] {
             const auto half = [&](const Tensor& t) { return pre ? t + f(norm(t)) : norm(t + f(t)); };
             return half(half(x));
         }},
        {"a norm after the residual addition as well: pre-norm has none there",
         [=] { return norm(x + f(norm(x))); }},
        {"the norm stands between the sublayer and the addition", [=] { return x + norm(f(x)); }},
        {"the lambda norms its result: norm_and_add norms already",
         [=] { return pre ? x + norm(f(norm(x))) : norm(x + norm(f(x))); }}};
}

testing::AssertionResult drops_in_both_places(
    const TrainedHalf& half, const Parameters& parameters, NormPosition position, const Norm& norm,
    const DroppedSublayer& f, const std::string& inside,
    const std::vector<std::pair<std::string, DroppedSublayer>>& others) {
    const Tensor x = leaf("x");
    Rng rng(5);
    const auto with = [=](Places places) {
        return [=] { return trained_half(position, norm, x, f, places); };
    };
    const std::string again = "what is added is dropped twice: norm_and_add drops it already",
                      result = "the result is dropped, and x with it: dropout falls on what is added to x";
    const std::string kept = " dropped at a rate of 1 - dropout: `dropout` is the rate to drop";
    std::vector<Suspect> suspects{
        {"nothing is dropped although there is an Rng: is it passed on?", with({{}, 0.0})},
        {"dropout on what is added is missing: only " + inside + " dropped", with({{0.25}, 0.0})},
        {inside + " not dropped: only what is added is (do all parts get the rng?)", with({{}, 0.25})},
        {inside + " dropped twice", with({{0.25, 0.25}, 0.25})},
        {"dropout falls on the input of the sublayer, where it is not asked for", with({{}, 0.25, true})},
        {"dropout falls on the input of the sublayer, where it is not asked for", with({{0.25}, 0.25, true})},
        {again, with({{0.25}, 0.25, false, true})},
        {inside + " not dropped, and " + again, with({{}, 0.25, false, true})},
        {result, with({{0.25}, 0.25, false, false, true})},
        {result, with({{0.25}, 0.0, false, false, true})},
        {inside + kept, with({{0.75}, 0.25})},
        {"what is added is" + kept, with({{0.25}, 0.75})},
        {"what is added is" + kept, with({{0.75}, 0.75})},
        {"the Rng is copied, so that both dropouts draw the same: hand on the pointer to it",
         with({.copied = true})}};
    for (const auto& [what, other] : others)
        suspects.push_back({what, [=, other = other] { return trained_half(position, norm, x, other, {}); }});
    const Tensor y = half(x, &rng);
    const auto right = close_named("in training", y, with({})(), {}, suspects);
    if (!right) return right;
    const auto sent = send_back(y, normal(y.shape(), 6));
    return sent ? gradients_reach(parameters) : sent;
}

testing::AssertionResult evaluates(const TrainedHalf& half, const Tensor& expected, NormPosition position,
                                   const Norm& norm, const Sublayer& f, const Sublayer& scaled) {
    const Tensor x = golden()["x"];
    const auto with = [=](const Sublayer& sublayer) {
        return [=] { return norm_and_add(position, norm, x, sublayer, 0.0, nullptr); };
    };
    const std::string once =
        "what training drops is scaled in evaluation: dropout scales in training already, and evaluation "
        "changes nothing";
    const auto right = close_named("in evaluation", half(x, nullptr), expected, {},
                                   {{once, with(scaled)},
                                    {once, with([=](const Tensor& t) { return f(t) * 0.75f; })},
                                    {once, with([=](const Tensor& t) { return scaled(t) * 0.75f; })}});
    if (right || has_cause(right)) return right;
    return testing::AssertionFailure() << right.message() << likely_if(true, dropped_in_evaluation);
}

bool has_cause(const testing::AssertionResult& result) {
    return std::string(result.message()).find("Likely cause") != std::string::npos;
}

std::vector<BlockConfig> all_configs() {
    using KvHeads = std::optional<std::size_t>;
    const std::pair<bool, KvHeads> positions[] = {{false, std::nullopt}, {true, std::nullopt}, {true, 2}};
    std::vector<BlockConfig> all;
    for (const AttentionBias bias : {AttentionBias::none, AttentionBias::qkv, AttentionBias::all})
        for (const NormKind norm : {NormKind::layer_norm, NormKind::rms_norm})
            for (const FeedForwardKind kind : {FeedForwardKind::feed_forward, FeedForwardKind::swiglu})
                for (const Bias in_network : {Bias::no, Bias::yes})
                    for (const auto& [rotary, kv_heads] : positions)
                        all.push_back(
                            {.d_model = 24,  // no two of these numbers, or their quotients, are equal
                             .num_heads = 6,
                             .num_kv_heads = kv_heads,
                             .d_ff = 40,
                             .norm = norm,
                             .feed_forward = kind,
                             .activation = rotary ? Activation::silu : Activation::gelu,
                             .attention_bias = bias,
                             .feed_forward_bias = in_network,
                             .positions = rotary ? PositionChoice(Rotary{}) : NoPositions{},
                             .max_len = 14});
    return all;
}

std::string described(const BlockConfig& c) {
    const char* biases[] = {"no bias", "biases of q, k and v", "all biases"};
    return fmt::format(
        "{}, {}{}, {}{}{}{}", c.norm == NormKind::layer_norm ? "LayerNorm" : "RMSNorm",
        gated(c) ? "SwiGLU" : "FeedForward",
        !gated(c) && c.activation == Activation::silu ? " with SiLU" : "",
        biases[static_cast<int>(c.attention_bias)],
        c.feed_forward_bias == Bias::no ? ", none in the network" : "", c.rotary() ? ", rotary" : "",
        c.grouped() ? fmt::format(", {} heads of keys for {}", c.kv_heads(), c.num_heads) : "");
}

}  // namespace tfs::test
