// tests/07_block_test.cpp · the checklist of chapter 07: each step by PyTorch's values, by properties, by diagnosis
//
// Run it on your steps with ./tutorial check 7. The golden values are those of torch.nn.TransformerEncoderLayer, and for
// what it does not have (rotary positions, RMSNorm, SwiGLU, dropout with our masks) of PyTorch code written for the purpose.
#include "chapters/07_block/block.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
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

BlockConfig small_llama() {
    BlockConfig config = small();
    config.norm = NormKind::rms_norm;
    config.norm_eps = 1e-6f;
    config.feed_forward = FeedForwardKind::swiglu;
    config.attention_bias = AttentionBias::none;
    config.rotary = RotaryConfig{.max_len = 16};
    return config;
}

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
                      const Parameters& parameters, Tolerance tolerance = {}) {
    ASSERT_TRUE(send_back(output, golden()[prefix + "grad_weights"]));
    EXPECT_TRUE(gradient_close(prefix + "x", x, golden()[prefix + "grad_x"], tolerance));
    for (const NamedTensor& p : parameters)
        EXPECT_TRUE(
            gradient_close(prefix + p.name, p.tensor, golden()[prefix + "grad_" + p.name], tolerance));
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

// What a wrong rotary attention would give: which of q, k and v are turned, in which layout, under which mask.
struct RotaryVariant {
    bool turn_q = true, turn_k = true, turn_v = false;
    double p = 0.0;  // of a dropout on the output, where the weights should have it
};
Tensor rotary_variant(const MultiHeadAttention& a, const Tensor& x, RotaryLayout layout,
                      const OptionalMask& mask, RotaryVariant variant, Tensor* weights = nullptr) {
    const RotaryEmbedding rotary(4, 16);
    const auto heads = [&](const Linear& w, bool turn) {
        const Tensor split = split_heads(w(x), 2);
        return turn ? apply_rotary(split, rotary, layout) : split;
    };
    const AttentionOutput all = scaled_dot_product_attention(
        heads(a.w_q, variant.turn_q), heads(a.w_k, variant.turn_k), heads(a.w_v, variant.turn_v), mask);
    if (weights) *weights = all.weights;
    return a.w_o(merge_heads(all.output));
}

std::vector<Suspect> rotary_suspects(const MultiHeadAttention& a, const Tensor& x, const RotaryCase& c) {
    const auto with = [=](RotaryLayout layout, const OptionalMask& mask, RotaryVariant variant) {
        return [=] { return rotary_variant(a, x, layout, mask, variant); };
    };
    const RotaryLayout other =
        c.layout == RotaryLayout::half_split ? RotaryLayout::interleaved : RotaryLayout::half_split;
    return {
        {"the values are turned as well; only what is compared (q and k) gets positions",
         with(c.layout, c.mask, {true, true, true})},
        {"nothing is turned: the positions are left out", with(c.layout, c.mask, {false, false, false})},
        {"only the queries are turned; q·k depends on the distance when both are",
         with(c.layout, c.mask, {true, false, false})},
        {"only the keys are turned; q·k depends on the distance when both are",
         with(c.layout, c.mask, {false, true, false})},
        {"pairs of the other layout: `layout` is not passed on", with(other, c.mask, {})},
        {"the mask is not passed on", with(c.layout, std::nullopt, {})},
        {"nothing is dropped although there is an Rng", with(c.layout, c.mask, {})},
        {"w_o is left out", [=] {
             const RotaryEmbedding rotary(4, 16);
             const auto heads = [&](const Linear& w) { return split_heads(w(x), 2); };
             return merge_heads(
                 rotary_attention(heads(a.w_q), heads(a.w_k), heads(a.w_v), rotary, c.mask, c.layout).output);
         }}};
}

TEST(Step_7_1_rotary_multi_head_attention, equals_pytorch) {
    const MultiHeadAttention attention = golden_attention();
    const RotaryEmbedding rotary(4, 16);
    for (const RotaryCase& c : rotary_cases()) {
        const Tensor x = leaf("x");
        Rng rng(c.seed);
        const double p = c.seed ? 0.25 : 0.0;
        const AttentionOutput result =
            rotary_multi_head_attention(attention, x, rotary, c.layout, c.mask, p, c.seed ? &rng : nullptr);
        const std::string prefix = "rotary." + c.name + ".";
        Tensor undropped;
        (void)rotary_variant(attention, x, c.layout, c.mask, {}, &undropped);
        EXPECT_TRUE(close_named(c.name, result.output, golden()[prefix + "output"], {},
                                rotary_suspects(attention, x, c)));
        EXPECT_TRUE(close_named(
            c.name + " weights", result.weights, golden()[prefix + "weights"], {},
            {{"the weights are those before dropout, not those that were used", [&] { return undropped; }}}));
    }
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
    const auto run = [&](std::size_t seq, const RotaryEmbedding& table, const OptionalMask& mask, double p) {
        rotary_multi_head_attention(attention, normal({2, seq, 8}, 4), table, RotaryLayout::half_split, mask,
                                    p);
    };
    ASSERT_NO_THROW(run(6, rotary, causal_mask(6), 0.5));
    EXPECT_TRUE(refuses<ValueError>([&] { run(7, rotary, std::nullopt, 0.0); }, {"7", "6"},
                                    "a sequence longer than the table", "the positions are not turned"));
    EXPECT_TRUE(refuses<ShapeError>([&] { run(6, narrow, std::nullopt, 0.0); }, {"6", "4"},
                                    "a table for another d_k", "the heads are not turned by the table"));
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

// Dropout in training, in its two places of a half: inside of the sublayer, and on what it adds.
struct Places {
    bool inside, on_the_sum;
};
using DroppedSublayer = std::function<Tensor(const Tensor&, double, Rng*)>;
Tensor trained_half(NormPosition position, const Norm& norm, const Tensor& x, const DroppedSublayer& f,
                    Places places) {
    Rng rng(5);
    const Sublayer sublayer = [&](const Tensor& t) { return f(t, places.inside ? 0.25 : 0.0, &rng); };
    return norm_and_add(position, norm, x, sublayer, places.on_the_sum ? 0.25 : 0.0, &rng);
}

// `half(x, rng)` in training against chapter 06's functions.
testing::AssertionResult drops_in_both_places(const std::function<Tensor(const Tensor&, Rng*)>& half,
                                              NormPosition position, const Norm& norm,
                                              const DroppedSublayer& f, const std::string& inside) {
    const Tensor x = golden()["x"];
    Rng rng(5);
    const auto with = [=](Places places) {
        return [=] { return trained_half(position, norm, x, f, places); };
    };
    return close_named(
        "in training", half(x, &rng), with({true, true})(), {},
        {{"nothing is dropped although there is an Rng: is it passed on?", with({false, false})},
         {"dropout on what is added is missing: only " + inside + " is dropped", with({true, false})},
         {"dropout on " + inside + " is missing: only what is added is dropped", with({false, true})}});
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
    const std::string unnormed = " not normed: queries, keys and values are all made of what the lambda gets";
    all.push_back({"keys and values are" + unnormed, [=] { return x + attend(n, x, x, mask); }});
    all.push_back({"the values are" + unnormed, [=] { return x + attend(n, n, x, mask); }});
    all.push_back({"the queries are" + unnormed, [=] { return x + attend(x, n, n, mask); }});
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
        const auto with = [&](RotaryLayout pairs, bool turn) {
            return [=] {
                return x + rotary_variant(s.attention, s.norm(x), pairs, causal_mask(5), {turn, turn});
            };
        };
        const bool half = layout == RotaryLayout::half_split;
        EXPECT_TRUE(close_named(half ? "half split" : "interleaved", s(x, causal_mask(5)).output,
                                with(layout, true)(), {},
                                {{"no rotary positions although the config has them", with(layout, false)},
                                 {"pairs of the other layout: `layout` is not passed on",
                                  with(half ? RotaryLayout::interleaved : RotaryLayout::half_split, true)}}));
    }
}

TEST(Step_7_2_attention_sublayer, drops_weights_and_what_it_adds) {
    const RotaryEmbedding rotary(4, 16);
    for (BlockConfig config : {small(), small(NormPosition::post), small_llama()}) {
        const AttentionSublayer undropped = attention_half(config);
        config.dropout = 0.25;
        const AttentionSublayer s = attention_half(config);
        const bool turned = config.rotary.has_value();
        const DroppedSublayer attend = [=](const Tensor& t, double p, Rng* rng) {
            return turned ? rotary_multi_head_attention(s.attention, t, rotary, RotaryLayout::half_split,
                                                        std::nullopt, p, rng)
                                .output
                          : attention_with_dropout(s.attention, t, t, t, std::nullopt, p, rng).output;
        };
        const auto half = [&](const Tensor& x, Rng* rng) { return s(x, std::nullopt, rng).output; };
        EXPECT_TRUE(drops_in_both_places(half, config.norm_position, s.norm, attend, "the weights"));
        EXPECT_TRUE(
            close_named("in evaluation", half(golden()["x"], nullptr), undropped(golden()["x"]).output))
            << likely_if(true, "dropout is active in evaluation: a null Rng is passed on as it is");
    }
}

TEST(Step_7_2_attention_sublayer, computes_the_norm_once) {
    const AttentionSublayer s = attention_half(small());
    const Tensor x = leaf("x"), n = s.norm(x);
    const std::size_t kept = tape_bytes(s(x).output);
    const std::size_t once = tape_bytes(x + s.attention(n, n, n).output);
    EXPECT_EQ(kept, once) << likely_if(
        kept > once,
        "norm(x) is computed more than once: the lambda's input is normed already, "
        "and q, k and v are made of that one tensor");
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
    for (const NormPosition position : both_positions) {
        BlockConfig config = small(position);
        config.dropout = 0.25;
        const FeedForwardSublayer s = network_half(config);
        const DroppedSublayer transform = [=](const Tensor& t, double p, Rng* rng) {
            return s.network.output(dropout(s.network.hidden(t), p, rng));
        };
        EXPECT_TRUE(drops_in_both_places(s, position, s.norm, transform, "the hidden layer"));
        EXPECT_TRUE(
            close_named("in evaluation", s(golden()["x"]), network_half(small(position))(golden()["x"])))
            << likely_if(true, "dropout is active in evaluation: a null Rng is passed on as it is");
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
    }
}

TEST(Step_7_4_transformer_block, equals_a_block_of_llama) {
    const TransformerBlock block = golden_block(small_llama());
    const Tensor x = leaf("x");
    const AttentionOutput result = block(x, causal_mask(5));
    EXPECT_TRUE(close_named("RMSNorm, SwiGLU, rotary positions", result.output, golden()["llama.output"], {},
                            block_suspects(block, x, causal_mask(5))));
    EXPECT_TRUE(close_named("weights", result.weights, golden()["llama.weights"]));
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
        const Tensor y = block(x, causal_mask(5), &rng).output;
        const auto with = [&](bool first, bool second) {
            return [=] {
                Rng other(seed);
                const Tensor attended = block.attention(x, causal_mask(5), first ? &other : nullptr).output;
                return block.feed_forward(attended, second ? &other : nullptr);
            };
        };
        const std::string prefix = name_of(position) + ".dropped.";
        EXPECT_TRUE(close_named(
            name_of(position), y, golden()[prefix + "output"], {},
            {{"nothing is dropped although there is an Rng", with(false, false)},
             {"dropout in one half only: rng is not passed on to the feed-forward half", with(true, false)},
             {"dropout in one half only: rng is not passed on to attention", with(false, true)}}));
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

// A wrong count, and what it forgets.
struct WrongCount {
    std::string message;
    std::size_t count;
};
testing::AssertionResult count_is(const std::string& what, std::size_t counted, std::size_t expected,
                                  const std::vector<WrongCount>& suspects = {}) {
    if (counted == expected) return testing::AssertionSuccess();
    testing::AssertionResult failure = testing::AssertionFailure()
                                       << fmt::format("{}: got {}, expected {}", what, counted, expected);
    for (const WrongCount& suspect : suspects)
        failure << likely_if(suspect.count == counted && suspect.count != expected, suspect.message);
    return failure;
}

// All that decides about costs, in all combinations.
std::vector<BlockConfig> all_configs() {
    std::vector<BlockConfig> all;
    for (const AttentionBias bias : {AttentionBias::none, AttentionBias::qkv, AttentionBias::all})
        for (const NormKind norm : {NormKind::layer_norm, NormKind::rms_norm})
            for (const FeedForwardKind kind : {FeedForwardKind::feed_forward, FeedForwardKind::swiglu})
                for (const Bias in_network : {Bias::no, Bias::yes})
                    for (const bool rotary : {false, true})
                        all.push_back(
                            {.d_model = 12,
                             .num_heads = 3,
                             .d_ff = 20,
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

bool gated(const BlockConfig& c) { return c.feed_forward == FeedForwardKind::swiglu; }

TEST(Step_7_5_block_parameters, equals_counting_in_every_configuration) {
    for (const BlockConfig& c : all_configs()) {
        Rng rng(1);
        const TransformerBlock block(c, rng);
        const BlockParameters formula = block_parameters(c);
        const std::size_t d = c.d_model, f = c.d_ff,
                          norm = count_parameters(block.attention.norm.parameters());
        const std::size_t attention = count_parameters(block.attention.attention.parameters());
        const std::size_t network = count_parameters(block.feed_forward.network.parameters());
        const std::string sizes = described(c) + ": ";
        EXPECT_TRUE(
            count_is(sizes + "attention", formula.attention, attention,
                     {{"the biases are forgotten", 4 * d * d},
                      {"w_o is forgotten: there are four projections", attention - d * d},
                      {"heads multiplied into the projections: all heads share one (d_model, d_model) matrix",
                       attention - 4 * d * d + 4 * d * d * c.num_heads},
                      {"w_o has a bias only where attention_bias is all", 4 * d * d + 4 * d},
                      {"the norm belongs to `norm`, not to attention", attention + norm}}));
        EXPECT_TRUE(
            count_is(sizes + "feed_forward", formula.feed_forward, network,
                     {{"SwiGLU has three matrices: gate, up and down", gated(c) ? 2 * d * f : network},
                      {"the biases are forgotten", 2 * d * f},
                      {"up has a bias of d_ff entries, down one of d_model", 2 * d * f + 2 * d},
                      {"up has a bias of d_ff entries, down one of d_model", 2 * d * f + 2 * f},
                      {"these biases don't exist: SwiGLU has none, FeedForward only where the config says so",
                       (gated(c) ? 3 : 2) * d * f + f + d}}));
        EXPECT_TRUE(count_is(sizes + "norm", formula.norm, norm,
                             {{"RMSNorm has no beta", c.norm == NormKind::rms_norm ? 2 * d : norm},
                              {"LayerNorm has a beta beside gamma", d},
                              {"`norm` is that of one norm; total() counts it twice", 2 * norm}}));
        EXPECT_EQ(formula.total(), count_parameters(block.parameters()));
    }
}

TEST(Step_7_5_block_parameters, gives_the_published_blocks) {
    EXPECT_EQ(block_parameters(bert_block()).total(), 7087872u);
    EXPECT_EQ(block_parameters(gpt2_block()).total(), 7087872u);
    EXPECT_EQ(block_parameters(llama_block()).total(), 202383360u);
    EXPECT_EQ(block_parameters(qwen_block()).total(), 202395648u);
    // Vaswani et al. 2017: d_ff = 2048, biases in the network alone.
    EXPECT_EQ(block_parameters(original_block()).total(),
              4u * 512 * 512 + 2u * 512 * 2048 + 2048 + 512 + 4 * 512);
}

TEST(Step_7_5_block_parameters, the_lines_of_the_summary_add_up_to_it) {
    for (const BlockConfig& c : all_configs())
        EXPECT_EQ(total(block_costs(c, "", 1, 3)).parameters, block_parameters(c).total()) << described(c);
}

TEST(Step_7_5_block_parameters, refuses_a_config_that_does_not_fit) {
    ASSERT_NO_THROW(block_parameters(small()));
    BlockConfig config = small();
    config.num_heads = 3;
    EXPECT_TRUE(refuses<ValueError>([&] { block_parameters(config); }, {"3", "8"}, "3 heads of 8"));
}

TEST(Step_7_6_block_flops, of_attention_equals_the_sum_over_its_products) {
    BlockConfig c = small();
    const std::size_t batch = 3, d = 8, heads = 2, d_k = 4;
    for (const auto& [q, k] : {std::pair<std::size_t, std::size_t>{5, 5}, {5, 7}}) {
        const AttentionFlops flops = attention_flops(c, batch, q, k);
        const std::size_t one = 2 * d * d, projections = batch * (2 * q + 2 * k) * one;
        const std::size_t scores =
            batch * heads * 2 * q * d_k * k;  // (query, d_k) x (d_k, key) for each head
        const std::string sizes = fmt::format("{} queries, {} keys: ", q, k);
        const std::string factor = "the factor 2: a multiplication and an addition are two operations";
        EXPECT_TRUE(count_is(
            sizes + "projections", flops.projections, projections,
            {{factor, projections / 2},
             {"heads multiplied into the projections: all heads share one matrix", projections * heads},
             {"three projections: w_o is one more", batch * 3 * q * one},
             {"three projections: w_o is one more", batch * (q + 2 * k) * one},
             {"the batch is forgotten", projections / batch},
             {"w_k and w_v see the keys, not the queries", batch * 4 * q * one}}));
        for (const auto& [name, counted] :
             {std::pair{"scores", flops.scores}, {"weighted sum", flops.weighted_sum}})
            EXPECT_TRUE(
                count_is(sizes + name, counted, scores,
                         {{factor, scores / 2},
                          {"seq^2 is forgotten: every query meets every key", scores / k},
                          {"seq^2 is forgotten: every query meets every key", scores / q},
                          {"heads multiplied in again: d_model is heads * d_k already", scores * heads},
                          {"one head only: there are heads * d_k = d_model columns in all", scores / heads},
                          {"the batch is forgotten", scores / batch},
                          {"the scores are counted once: the weighted sum is a product of the same size", 0},
                          {"the weighted sum is counted in `scores` as well", 2 * scores}}));
    }
}

TEST(Step_7_6_block_flops, of_the_network_counts_every_matrix) {
    for (const BlockConfig& c : {small(), small_llama()}) {
        const std::size_t expected = 3 * 5 * (gated(c) ? 3u : 2u) * 2 * 8 * 12;
        EXPECT_TRUE(
            count_is(gated(c) ? "SwiGLU" : "FeedForward", feed_forward_flops(c, 3, 5), expected,
                     {{"SwiGLU has three matrices: gate, up and down", 3 * 5 * 2 * 2 * 8 * 12},
                      {"the factor 2: a multiplication and an addition are two operations", expected / 2},
                      {"only one of the matrices is counted", 3 * 5 * 2 * 8 * 12},
                      {"the batch is forgotten", expected / 3},
                      {"positions don't meet in this network: no seq^2", expected * 5}}));
    }
}

TEST(Step_7_6_block_flops, the_lines_of_the_summary_add_up_to_it) {
    for (const BlockConfig& c : all_configs())
        EXPECT_EQ(total(block_costs(c, "", 2, 3)).flops,
                  attention_flops(c, 2, 3, 3).total() + feed_forward_flops(c, 2, 3))
            << described(c);
    EXPECT_EQ(total(attention_costs(small(), "cross", 2, 3, 7)).flops,
              attention_flops(small(), 2, 3, 7).total());
}

TEST(Step_7_7_block_activations, equals_the_results_of_the_operations) {
    const std::size_t batch = 2, seq = 5, tokens = batch * seq;
    for (const BlockConfig& c : all_configs()) {
        const BlockActivations count = block_activations(c, batch, seq);
        const std::size_t d = c.d_model, f = c.d_ff;
        // norm, q k v, by head, [turned q k], heads, merged, projected, sum
        const std::size_t attention = tokens * d * (1 + 3 + 3 + (c.rotary ? 2 : 0) + 1 + 1 + 1 + 1);
        const std::size_t weights = batch * c.num_heads * seq * seq;
        const std::size_t network = tokens * (3 * d + (gated(c) ? 3 : 2) * f);  // norm, hidden, output, sum
        const std::string sizes = described(c) + ": ";
        EXPECT_TRUE(count_is(
            sizes + "attention", count.attention, attention,
            {{"the turned queries and keys are forgotten, or counted without rotary positions",
              c.rotary ? attention - 2 * tokens * d : attention + 2 * tokens * d},
             {"q, k and v are kept before and after the split into heads", attention - 3 * tokens * d},
             {"the residual sum is forgotten", attention - tokens * d},
             {"bytes, where floats are asked for", 4 * attention},
             {"the batch is forgotten", attention / batch},
             {"the weights belong to `weights`", attention + weights}}));
        EXPECT_TRUE(
            count_is(sizes + "weights", count.weights, weights,
                     {{"seq^2 is forgotten: one weight for each query and key", batch * c.num_heads * seq},
                      {"the heads are forgotten: each has weights of its own", batch * seq * seq},
                      {"heads * seq^2, not d_model * seq^2", batch * d * seq * seq},
                      {"the batch is forgotten", c.num_heads * seq * seq},
                      {"bytes, where floats are asked for", 4 * weights}}));
        EXPECT_TRUE(count_is(
            sizes + "feed_forward", count.feed_forward, network,
            {{"SwiGLU keeps three hidden layers: gate, up and their product", tokens * (3 * d + 2 * f)},
             {"the hidden layer is kept before and after the activation", network - tokens * f},
             {"the norm or the residual sum is forgotten", network - tokens * d},
             {"bytes, where floats are asked for", 4 * network},
             {"the batch is forgotten", network / batch}}));
        EXPECT_EQ(total(block_costs(c, "", batch, seq)).bytes, sizeof(float) * count.total());
    }
}

TEST(Step_7_7_block_activations, equals_the_tape_of_a_block_but_for_copies) {
    // A split and a merge are one result each in the formula; where they are a reshape and a transpose there are two.
    const auto copied = [](const Tensor& x, const Tensor& split) {
        return tape_bytes(split) - sizeof(float) * x.size();
    };
    const Tensor x = leaf("x"), by_head(split_heads(x, 2).array(), true);
    const std::size_t copies = 3 * copied(x, split_heads(x, 2)) + copied(by_head, merge_heads(by_head));
    for (const BlockConfig& c : {small(), small(NormPosition::post), small_llama()}) {
        const TransformerBlock block = golden_block(c);
        EXPECT_EQ(sizeof(float) * block_activations(c, 2, 5).total() + copies, tape_bytes(block(x).output))
            << described(c);
    }
}

}  // namespace
}  // namespace tfs::test
