// tests/08_encoder_decoder_test.cpp · the checklist of chapter 08: PyTorch's values, properties, diagnosis
//
// Run it on your steps with ./tutorial check 8. The golden values are those of torch.nn.Transformer and its parts,
// all of them with one set of weights; they are made by tests/golden/make_golden.py.
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradients_reach.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Padding = std::optional<Mask>;
using Function = std::function<Tensor(const Tensor&)>;

const Golden& golden() {
    static const Golden file("08_encoder_decoder.safetensors");
    return file;
}

Tensor leaf(const std::string& name) { return Tensor(golden()[name].array(), true); }

Tensor normal(const Shape& shape, std::uint64_t seed) {
    Rng rng(seed);
    return Tensor(rng.normal_array(shape));
}

// The sizes of the golden values. GELU where the norm comes first, ReLU where it comes last.
constexpr std::size_t width = 8;
const std::string forms[] = {"pre", "post"};

BlockConfig small(const std::string& form, double dropout = 0.0) {
    const bool pre = form == "pre";
    return {.d_model = width,
            .num_heads = 2,
            .d_ff = 12,
            .norm_position = pre ? NormPosition::pre : NormPosition::post,
            .activation = pre ? Activation::gelu : Activation::relu,
            .dropout = dropout};
}

StackConfig stack(const std::string& form, double dropout = 0.0) { return {small(form, dropout), 2, true}; }

// A mask of (batch, 1, 1, seq) from "source_padding" or "target_padding".
Padding padding(const std::string& name) {
    const Tensor real = golden()[name];  // (batch, seq)
    std::vector<int> allowed;
    for (const float entry : real.values()) allowed.push_back(entry != 0.0f);
    return Mask::from({real.size(0), 1, 1, real.size(1)}, allowed);
}

// For the diagnoses: source and target are both 4 long, so that whatever is exchanged fits. Not golden.
const Padding short_source = Mask::from({2, 1, 1, 4}, {1, 1, 1, 1, 1, 1, 0, 0});
const Padding short_target = Mask::from({2, 1, 1, 4}, {1, 1, 0, 1, 1, 0, 1, 1});

// A part, and where its parameters stand among the golden values: under this prefix, by the names that the part gives them.
struct Loaded {
    std::string prefix;
    Parameters parameters;
};

// Gives a part the golden weights.
Loaded load(const std::string& prefix, const Parameters& parameters) {
    std::set<const float*> places;
    for (NamedTensor parameter : parameters) {
        parameter.tensor.mutable_array() = golden()[prefix + parameter.name].array();
        places.insert(parameter.tensor.values().data());
    }
    const bool shared = places.size() < parameters.size();
    EXPECT_FALSE(shared) << likely_if(shared, "all layers share one block: each has weights of its own");
    return {prefix, parameters};
}

Parameters layers(const std::string& kind, const std::vector<Tensor>& weights) {
    Parameters all;
    for (std::size_t i = 0; i < weights.size(); ++i)
        all.push_back({kind + "." + std::to_string(i), weights[i]});
    return all;
}

// Output, weights, and the gradients of all inputs and parameters. Where a wrong output has a known cause, the rest would
// only say it again.
void expect_golden(const std::string& name, const Loaded& part, const Tensor& output,
                   const Parameters& weights, const Parameters& inputs, double relative,
                   const std::vector<Suspect>& suspects) {
    const Tolerance tolerance{relative, 2e-6}, of_gradients{10 * relative, 1e-5};
    const auto same = close_named(name + "output", output, golden()[name + "output"], tolerance, suspects);
    EXPECT_TRUE(same);
    if (!same && std::string(same.message()).find("Likely cause") != std::string::npos) return;
    for (const NamedTensor& layer : weights) {
        const std::string shown = layer.name.substr(layer.name.starts_with("encoder_") ? 8 : 0);
        EXPECT_TRUE(close_named(name + shown, layer.tensor, golden()[name + layer.name], tolerance));
    }
    ASSERT_TRUE(send_back(output, golden()[name + "grad_weights"]));
    for (const NamedTensor& input : inputs)
        EXPECT_TRUE(
            gradient_close(input.name, input.tensor, golden()[name + "grad_" + input.name], of_gradients));
    EXPECT_TRUE(gradients_reach(part.parameters));
    for (const NamedTensor& p : part.parameters) {
        if (!p.tensor.has_grad()) continue;
        EXPECT_TRUE(
            gradient_close(p.name, p.tensor, golden()[name + "grad_" + part.prefix + p.name], of_gradients));
    }
}

// The same x (1, seq, d_model) with another vector at one position.
Tensor changed_at(const Tensor& x, std::size_t position) {
    Array values = x.array();
    for (std::size_t i = 0; i < width; ++i) values.data()[position * width + i] += i % 2 == 0 ? 1.0f : -1.0f;
    return Tensor(values);
}

std::string positions(std::size_t begin, std::size_t end) {
    std::string all;
    for (std::size_t t = begin; t < end; ++t) all += std::to_string(t) + ' ';
    return all;
}

// The positions of the (only) sequence at which two results differ, to the last bit.
std::string differing(const Tensor& a, const Tensor& b) {
    std::string found;
    for (std::size_t t = 0; t < a.size(1); ++t) {
        const auto row_a = a.values().subspan(t * width, width), row_b = b.values().subspan(t * width, width);
        if (!std::equal(row_a.begin(), row_a.end(), row_b.begin())) found += std::to_string(t) + ' ';
    }
    return found;
}

// Position j changes itself and all after it, and none before it.
void expect_causal(const Function& f, std::size_t seq) {
    const Tensor x = normal({1, seq, width}, 5), before = f(x);
    ASSERT_TRUE(has_shape(before, x.shape()));
    for (std::size_t j = 0; j < seq; ++j) {
        const std::string found = differing(before, f(changed_at(x, j))), expected = positions(j, seq);
        EXPECT_EQ(found, expected) << "the positions of the output that change with input " << j
                                   << likely_if(found.size() > expected.size(),
                                                "a position sees a later one: no causal mask, or shifted")
                                   << likely_if(found.size() < expected.size(),
                                                "a position does not see all before it");
        if (found != expected) return;  // the other positions would only say it again
    }
}

// Every position of the input changes all of the output, which has so many positions. The causes: for an output position i
// that depends on inputs up to i alone, and for an output that depends on none.
void expect_all_seen(const Function& f, const Tensor& x, std::size_t outputs, const std::string& if_causal,
                     const std::string& if_none) {
    const Tensor before = f(x);
    ASSERT_EQ(before.size(1), outputs) << likely_if(
        before.size(1) == x.size(1), "x and memory are exchanged: the output is as long as the source");
    std::string found, all, causal, none;
    for (std::size_t j = 0; j < x.size(1); ++j) {
        const std::string input = "| by input " + std::to_string(j) + ": ";
        found += input + differing(before, f(changed_at(x, j)));
        all += input + positions(0, outputs);
        causal += input + positions(j, outputs);
        none += input;
    }
    EXPECT_EQ(found, all) << "the positions of the output that change"
                          << likely_if(found == causal, if_causal) << likely_if(found == none, if_none);
}

// The first three positions of x, alone, give what they give with padding behind them.
void expect_padding_without_effect(const std::function<Tensor(const Tensor&, const Padding&)>& f) {
    const Tensor x = normal({1, 5, width}, 7);
    const Tensor padded = f(x, Mask::from({1, 1, 1, 5}, {1, 1, 1, 0, 0}));
    ASSERT_TRUE(has_shape(padded, x.shape()));
    EXPECT_TRUE(close_named("the real tokens of a padded sentence", slice(padded, 1, 0, 3),
                            f(slice(x, 1, 0, 3), std::nullopt), {1e-5, 2e-6}));
}

using Training = std::function<Tensor(Rng*)>;

// With one seed, f and the reference draw the same, and the same result comes out. `wrong`: what else f may do with rng.
void expect_training(const Training& f, const Training& reference,
                     std::vector<std::pair<std::string, Training>> wrong = {}) {
    Rng rng(3), same(3);
    wrong.push_back(
        {"rng is not passed on: nothing is dropped in training", [&](Rng*) { return f(nullptr); }});
    std::vector<Suspect> suspects;
    for (const auto& other : wrong)
        suspects.push_back({other.first, [result = other.second] {
                                Rng again(3);
                                return result(&again);
                            }});
    EXPECT_TRUE(close(f(&rng), reference(&same), {1e-5, 1e-6}, suspects));
    EXPECT_TRUE(rng.state() == same.state()) << "more or less is drawn than the parts need";
}

// `call` takes a padding called `name` for 2 sequences of `seq` positions: (2, 1, 1, seq) or (1, 1, 1, seq), no other shape.
void expect_paddings_refused(const std::string& name, std::size_t seq,
                             const std::function<void(const Padding&)>& call) {
    const auto of = [](const Shape& shape) {
        return Mask::from(shape, std::vector<int>(element_count(shape), 1));
    };
    const Shape right{2, 1, 1, seq};
    for (const Shape& shape : {right, Shape{1, 1, 1, seq}}) call(of(shape));
    for (const Shape& shape : {Shape{2, 1, 1, seq - 1}, Shape{3, 1, 1, seq}, Shape{seq, seq}, Shape{2, seq},
                               Shape{1, 1, seq, seq}})
        EXPECT_TRUE(refuses<ShapeError>([&] { call(of(shape)); }, {name, to_string(right), to_string(shape)},
                                        "a padding of another shape"));
}

// `call` takes what is called `name`, of this shape; not one of another width, nor of another rank.
void expect_shapes_refused(const std::string& name, const Shape& right,
                           const std::function<void(const Tensor&)>& call) {
    call(normal(right, 8));
    for (const Shape& shape : {Shape{right[0], right[1], 6}, Shape{right[1], width}, Shape{width}})
        EXPECT_TRUE(refuses<ShapeError>([&] { call(normal(shape, 8)); },
                                        {name + " must be", to_string(shape), "8"}, "another shape"));
}

// A config with three mistakes: all are named at once.
void expect_config_refused(const std::function<void(const StackConfig&)>& make, bool layers_too) {
    StackConfig config = stack("pre");
    make(config);
    config.block.num_heads = 3;
    config.block.dropout = 1.5;
    config.num_layers = 0;
    std::vector<std::string> named{"3", "8", "1.5"};
    if (layers_too) named.push_back("0");
    EXPECT_TRUE(refuses<ValueError>([&] { make(config); }, named, "3 heads, dropout 1.5, 0 layers"));
}

const std::string causal_encoder = "an encoder has no causal mask: every position sees those after it too";
const std::string causal_across =
    "the causal mask falls on cross-attention too; the source is known in whole";
const std::string not_asked = "no target position depends on the source: the memory is not asked";

// --- 8.1 encoder_block -------------------------------------------------------------------------------------

TEST(Step_8_1_encoder_block, equals_a_layer_of_pytorchs_encoder) {
    for (const std::string& form : forms) {
        Rng rng(1);
        const EncoderBlock block(small(form), rng);
        const Loaded part = load("encoder.blocks.0.", block.parameters());
        const Tensor x = leaf("source");
        const AttentionOutput result = block(x, padding("source_padding"));
        expect_golden(form + ".encoder_block.", part, result.output,
                      layers("encoder_weights", {result.weights}), {{"source", x}}, 1e-5,
                      {{"the padding is not passed on: every position sees the padded ones",
                        [&] { return block.block(x).output; }},
                       {causal_encoder,
                        [&] { return block.block(x, *padding("source_padding") & causal_mask(5)).output; }},
                       {"an encoder has no causal mask, and the padding is lost",
                        [&] { return block.block(x, causal_mask(5)).output; }}});
    }
}

TEST(Step_8_1_encoder_block, every_position_sees_every_other) {
    Rng rng(2);
    const EncoderBlock block(small("pre"), rng);
    expect_all_seen([&](const Tensor& x) { return block(x).output; }, normal({1, 4, width}, 6), 4,
                    causal_encoder, "the block is not asked");
}

TEST(Step_8_1_encoder_block, padding_behind_a_sentence_has_no_effect) {
    Rng rng(3);
    const EncoderBlock block(small("post"), rng);
    expect_padding_without_effect([&](const Tensor& x, const Padding& p) { return block(x, p).output; });
}

TEST(Step_8_1_encoder_block, drops_in_training_what_the_block_of_chapter_07_drops) {
    Rng rng(4);
    const EncoderBlock block(small("pre", 0.3), rng);
    const Tensor x = golden()["source"];
    expect_training([&](Rng* r) { return block(x, padding("source_padding"), r).output; },
                    [&](Rng* r) { return block.block(x, padding("source_padding"), r).output; });
}

TEST(Step_8_1_encoder_block, refuses_what_does_not_fit) {
    Rng rng(5);
    const EncoderBlock block(small("pre"), rng);
    expect_paddings_refused("padding", 5, [&](const Padding& p) { block(golden()["source"], p); });
    expect_shapes_refused("x", {2, 5, width}, [&](const Tensor& x) { block(x); });
    expect_config_refused([&](const StackConfig& c) { EncoderBlock(c.block, rng)(golden()["source"]); },
                          false);
}

// --- 8.2 decoder_block -------------------------------------------------------------------------------------

TEST(Step_8_2_decoder_block, equals_a_causal_layer_of_pytorchs_encoder) {
    for (const std::string& form : forms) {
        Rng rng(1);
        const DecoderBlock block(small(form), rng);
        const Loaded part = load("encoder.blocks.0.", block.parameters());
        const Tensor x = leaf("source");
        const AttentionOutput result = block(x, padding("source_padding"));
        const auto wrong = [&](const Padding& mask) {
            return [&, mask] { return block.block(x, mask).output; };
        };
        Array strict = Array::from_shape({1, 1, 5, 5});
        for (std::size_t i = 0; i < strict.size(); ++i) strict.data()[i] = i % 5 < i / 5 ? 1.0f : 0.0f;
        const Mask back_alone(xt::xarray<bool>(xt::cast<bool>(strict)));
        expect_golden(form + ".decoder_block.", part, result.output,
                      layers("encoder_weights", {result.weights}), {{"source", x}}, 1e-5,
                      {{"the padding replaces the causal mask; both must hold: causal & padding",
                        wrong(padding("source_padding"))},
                       {"the padding is lost: the causal mask alone", wrong(causal_mask(5))},
                       {"a position does not see itself: the causal mask allows j <= i",
                        wrong(*padding("source_padding") & back_alone)},
                       {"no mask at all", wrong(std::nullopt)}});
    }
}

TEST(Step_8_2_decoder_block, no_position_sees_a_later_one) {
    Rng rng(2);
    const DecoderBlock block(small("post"), rng);
    for (const std::size_t seq : {1u, 2u, 6u})
        expect_causal([&](const Tensor& x) { return block(x).output; }, seq);
    expect_causal(
        [&](const Tensor& x) {
            return block(x, Mask::from({1, 1, 1, 4}, {1, 1, 1, 1})).output;
        },
        4);
}

TEST(Step_8_2_decoder_block, padding_behind_a_sentence_has_no_effect) {
    Rng rng(3);
    const DecoderBlock block(small("pre"), rng);
    expect_padding_without_effect([&](const Tensor& x, const Padding& p) { return block(x, p).output; });
}

TEST(Step_8_2_decoder_block, drops_in_training_what_the_block_of_chapter_07_drops) {
    Rng rng(4);
    const DecoderBlock block(small("pre", 0.3), rng);
    const Tensor x = golden()["source"];
    expect_training([&](Rng* r) { return block(x, std::nullopt, r).output; },
                    [&](Rng* r) { return block.block(x, causal_mask(5), r).output; });
}

TEST(Step_8_2_decoder_block, refuses_what_does_not_fit) {
    Rng rng(5);
    const DecoderBlock block(small("pre"), rng);
    expect_paddings_refused("padding", 5, [&](const Padding& p) { block(golden()["source"], p); });
    expect_shapes_refused("x", {2, 5, width}, [&](const Tensor& x) { block(x); });
}

// --- 8.3 cross_attention -----------------------------------------------------------------------------------

// Attention in its place, from chapters 01, 06 and 07. In cross-attention q is x, and k and v are the memory.
Tensor attended(const AttentionSublayer& s, const Norm& norm, const Tensor& x, const Tensor& q,
                const Tensor& k, const Tensor& v, const Padding& mask, Rng* rng = nullptr) {
    const bool pre = s.position == NormPosition::pre;
    const Tensor change =
        attention_with_dropout(s.attention, pre ? norm(q) : q, k, v, mask, s.dropout, rng).output;
    const Tensor added = x + dropout(change, s.dropout, rng);
    return pre ? added : norm(added);
}

Tensor attended(const AttentionSublayer& s, const Tensor& x, const Tensor& memory, const Padding& mask,
                Rng* rng = nullptr) {
    return attended(s, s.norm, x, x, memory, memory, mask, rng);
}

TEST(Step_8_3_cross_attention, equals_pytorch) {
    for (const std::string& form : forms) {
        Rng rng(1);
        const AttentionSublayer sublayer(small(form), rng);
        const Loaded part = load("decoder.blocks.0.cross.", sublayer.parameters());
        const Tensor x = leaf("target"), memory = leaf("memory");
        const AttentionOutput result = cross_attention(sublayer, x, memory, padding("source_padding"));
        expect_golden(form + ".cross_attention.", part, result.output,
                      layers("cross_weights", {result.weights}), {{"target", x}, {"memory", memory}}, 1e-5,
                      {{"source_padding is not passed on: every query sees the padding of the source",
                        [&] { return attended(sublayer, x, memory, std::nullopt); }}});
    }
}

TEST(Step_8_3_cross_attention, queries_are_of_the_decoder_keys_and_values_of_the_encoder) {
    for (const std::string& form : forms) {
        Rng rng(2);
        const AttentionSublayer s(small(form), rng);
        const Norm& norm = s.norm;
        const Tensor x = normal({2, 4, width}, 9), memory = normal({2, 4, width}, 10) * 2.0f;
        const Tensor input = form == "pre" ? norm(x) : x;  // what the lambda gets
        const auto wrong = [&](const Tensor& q, const Tensor& k, const Tensor& v, const Padding& mask) {
            const Tensor added = x + s.attention(q, k, v, mask).output;
            return form == "pre" ? added : norm(added);
        };
        EXPECT_TRUE(close_named(
            form, cross_attention(s, x, memory, short_source).output, attended(s, x, memory, short_source),
            {1e-5, 2e-6},
            {{"encoder and decoder are exchanged: the queries come from the memory",
              [&] { return wrong(memory, input, input, short_source); }},
             {"the queries come from the memory, and source_padding is lost",
              [&] { return wrong(memory, input, input, std::nullopt); }},
             {"encoder and decoder are exchanged: memory is added to, and asks x",
              [&] { return attended(s, memory, x, short_source); }},
             {"keys from the memory, but values from x",
              [&] { return wrong(input, memory, input, short_source); }},
             {"values from the memory, but keys from x",
              [&] { return wrong(input, input, memory, short_source); }},
             {"this is self-attention: the memory is not asked",
              [&] { return wrong(input, input, input, short_source); }},
             {"the memory goes through the sublayer's norm; that is for x alone",
              [&] { return wrong(input, norm(memory), norm(memory), short_source); }},
             {"the queries are not normed, although the norm comes first",
              [&] { return wrong(x, memory, memory, short_source); }},
             {causal_across, [&] { return wrong(input, memory, memory, *short_source & causal_mask(4)); }},
             {causal_across + ", and the padding is lost",
              [&] { return wrong(input, memory, memory, causal_mask(4)); }},
             {"this is self-attention of the memory: the queries are x's",
              [&] { return wrong(memory, memory, memory, short_source); }},
             {"the norm is not where sublayer.position says: norm_and_add knows",
              [&] {
                  const Tensor late = norm(x + s.attention(x, memory, memory, short_source).output);
                  return form == "pre" ? late : x + s.attention(norm(x), memory, memory, short_source).output;
              }},
             {"normed twice: before attention and after the addition; norm_and_add does it once",
              [&] { return norm(x + s.attention(norm(x), memory, memory, short_source).output); }},
             {"x is not added: norm_and_add does it",
              [&] {
                  const Tensor change = s.attention(input, memory, memory, short_source).output;
                  return form == "pre" ? change : norm(change);
              }},
             {"added to norm(x) in place of x",
              [&] { return norm(x) + s.attention(norm(x), memory, memory, short_source).output; }},
             {"source_padding is not passed on",
              [&] { return wrong(input, memory, memory, std::nullopt); }}}));
    }
}

TEST(Step_8_3_cross_attention, every_target_sees_every_source) {
    Rng rng(3);
    const AttentionSublayer sublayer(small("pre"), rng);
    const Tensor x = normal({1, 3, width}, 11);
    expect_all_seen([&](const Tensor& memory) { return cross_attention(sublayer, x, memory).output; },
                    normal({1, 5, width}, 12), 3, causal_across, not_asked);
}

TEST(Step_8_3_cross_attention, drops_weights_and_output_in_training) {
    Rng rng(4);
    const AttentionSublayer sublayer(small("pre", 0.3), rng);
    const Tensor x = golden()["target"], memory = golden()["memory"];
    expect_training([&](Rng* r) { return cross_attention(sublayer, x, memory, std::nullopt, r).output; },
                    [&](Rng* r) { return attended(sublayer, x, memory, std::nullopt, r); },
                    {{"the weights are not dropped: attention_with_dropout takes sublayer.dropout and rng",
                      [&](Rng* r) {
                          const Tensor q = sublayer.norm(x);
                          return x + dropout(sublayer.attention(q, memory, memory).output, 0.3, r);
                      }},
                     {"what attention gave is not dropped before it is added", [&](Rng* r) {
                          return x + attention_with_dropout(sublayer.attention, sublayer.norm(x), memory,
                                                            memory, std::nullopt, 0.3, r)
                                         .output;
                      }}});
}

TEST(Step_8_3_cross_attention, refuses_another_batch_and_what_does_not_fit) {
    Rng rng(5);
    const AttentionSublayer sublayer(small("pre"), rng);
    const Tensor x = golden()["target"], memory = golden()["memory"];
    expect_shapes_refused("memory", {2, 5, width}, [&](const Tensor& m) { cross_attention(sublayer, x, m); });
    expect_shapes_refused("x", {2, 4, width}, [&](const Tensor& t) { cross_attention(sublayer, t, memory); });
    expect_paddings_refused("source_padding", 5,
                            [&](const Padding& p) { cross_attention(sublayer, x, memory, p); });
    for (const std::size_t batch : {1u, 3u})
        EXPECT_TRUE(refuses<ShapeError>(
            [&] {
                cross_attention(sublayer, x, normal({batch, 5, width}, 13));
            },
            {"x", "memory", "2", std::to_string(batch)}, "another batch"));
}

// --- 8.4 encoder_decoder_block -----------------------------------------------------------------------------

TEST(Step_8_4_encoder_decoder_block, equals_a_layer_of_pytorchs_decoder) {
    for (const std::string& form : forms) {
        Rng rng(1);
        const EncoderDecoderBlock block(small(form), rng);
        const Loaded part = load("decoder.blocks.0.", block.parameters());
        const Tensor x = leaf("target"), memory = leaf("memory");
        const CrossBlockOutput result =
            block(x, memory, padding("source_padding"), padding("target_padding"));
        Parameters weights = layers("self_weights", {result.self_weights});
        append(weights, "cross_weights", {{"0", result.cross_weights}});
        expect_golden(form + ".encoder_decoder_block.", part, result.output, weights,
                      {{"target", x}, {"memory", memory}}, 1e-5, {});
    }
}

std::vector<Suspect> block_suspects(const EncoderDecoderBlock& b, const Tensor& x, const Tensor& memory) {
    const Mask causal = causal_mask(4);
    const auto self = [&b](const Tensor& t, const Padding& mask) { return b.self_attention(t, mask).output; };
    const auto cross = [&b, &memory](const Tensor& t, const Padding& mask) {
        return attended(b.cross, t, memory, mask);
    };
    const auto ff = [&b](const Tensor& t) { return b.feed_forward(t); };
    const Padding right = causal & *short_target;
    const Tensor back = self(x, right), across = cross(back, short_source);
    const auto of = [](const Tensor& t) { return [t] { return t; }; };
    const auto shared = [&](const AttentionSublayer& s, const Norm& norm) {
        return of(ff(attended(s, norm, back, back, memory, memory, short_source)));
    };
    const Tensor crossed = cross(x, short_source);
    return {
        {"cross-attention comes before self-attention", of(ff(self(crossed, right)))},
        {"cross-attention uses the norm of self-attention; each sublayer has its own",
         shared(b.cross, b.self_attention.norm)},
        {"cross-attention uses the weights of self-attention; it has its own: `cross`",
         shared(b.self_attention, b.self_attention.norm)},
        {"the target's padding is lost in self-attention", of(ff(cross(self(x, causal), short_source)))},
        {"the target's padding replaces the causal mask; both must hold",
         of(ff(cross(self(x, short_target), short_source)))},
        {"self-attention has no mask at all", of(ff(cross(self(x, std::nullopt), short_source)))},
        {"source and target padding are exchanged",
         of(ff(cross(self(x, causal & *short_source), short_target)))},
        {"the source's padding is not passed to cross-attention", of(ff(cross(back, std::nullopt)))},
        {"cross-attention is fed from x, not from what self-attention gave", of(ff(crossed))},
        {"the memory goes through a norm in the block; the encoder's last norm has done that",
         of(ff(attended(b.cross, back, b.cross.norm(memory), short_source)))},
        {"cross-attention is left out", of(ff(back))},
        {"the feed-forward network is left out", of(across)},
        {"the feed-forward network comes before cross-attention", of(cross(ff(back), short_source))},
    };
}

TEST(Step_8_4_encoder_decoder_block, three_sublayers_in_their_order) {
    for (const std::string& form : forms) {
        Rng rng(2);
        const EncoderDecoderBlock block(small(form), rng);
        Array gamma = rng.normal_array({width}, 1.0, 0.5);  // else all norms would be equal
        block.cross.norm.parameters()[0].tensor.mutable_array() = gamma;
        const Tensor x = normal({2, 4, width}, 9), memory = normal({2, 4, width}, 10);
        const Tensor back = block.self_attention(x, causal_mask(4) & *short_target).output;
        EXPECT_TRUE(close_named(form, block(x, memory, short_source, short_target).output,
                                block.feed_forward(attended(block.cross, back, memory, short_source)),
                                {1e-5, 2e-6}, block_suspects(block, x, memory)));
    }
}

TEST(Step_8_4_encoder_decoder_block, the_target_is_causal_and_the_source_is_not) {
    Rng rng(3);
    const EncoderDecoderBlock block(small("post"), rng);
    const Tensor memory = normal({1, 5, width}, 11), x = normal({1, 4, width}, 12);
    expect_causal([&](const Tensor& target) { return block(target, memory).output; }, 4);
    expect_all_seen([&](const Tensor& source) { return block(x, source).output; }, memory, 4, causal_across,
                    not_asked);
}

TEST(Step_8_4_encoder_decoder_block, rotary_positions_are_for_self_attention_alone) {
    BlockConfig config = small("pre");
    config.rotary = RotaryConfig{.max_len = 4};
    Rng rng(6);
    const EncoderDecoderBlock block(config, rng);
    const Tensor x = normal({1, 4, width}, 15), memory = normal({1, 6, width}, 16);  // longer than the table
    const Tensor back = block.self_attention(x, causal_mask(4)).output;
    EXPECT_TRUE(close(block(x, memory).output,
                      block.feed_forward(attended(block.cross, back, memory, std::nullopt)), {1e-5, 2e-6}));
}

TEST(Step_8_4_encoder_decoder_block, drops_in_training_in_every_sublayer) {
    Rng rng(4);
    const EncoderDecoderBlock block(small("pre", 0.3), rng);
    const Tensor x = golden()["target"], memory = golden()["memory"];
    const auto run = [&](Rng* self, Rng* cross, Rng* feed_forward) {
        const Tensor back = block.self_attention(x, causal_mask(4), self).output;
        return block.feed_forward(attended(block.cross, back, memory, std::nullopt, cross), feed_forward);
    };
    expect_training(
        [&](Rng* r) { return block(x, memory, std::nullopt, std::nullopt, r).output; },
        [&](Rng* r) { return run(r, r, r); },
        {{"rng does not reach self-attention", [&](Rng* r) { return run(nullptr, r, r); }},
         {"rng does not reach cross-attention", [&](Rng* r) { return run(r, nullptr, r); }},
         {"rng does not reach the feed-forward network", [&](Rng* r) { return run(r, r, nullptr); }}});
}

TEST(Step_8_4_encoder_decoder_block, refuses_what_does_not_fit) {
    Rng rng(5);
    const EncoderDecoderBlock block(small("pre"), rng);
    const Tensor x = golden()["target"], memory = golden()["memory"];
    expect_shapes_refused("memory", {2, 5, width}, [&](const Tensor& m) { block(x, m); });
    expect_shapes_refused("x", {2, 4, width}, [&](const Tensor& t) { block(t, memory); });
    expect_paddings_refused("source_padding", 5, [&](const Padding& p) { block(x, memory, p); });
    expect_paddings_refused("target_padding", 4, [&](const Padding& p) { block(x, memory, {}, p); });
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            block(x, normal({3, 5, width}, 13));
        },
        {"2", "3"}, "another batch"));
    expect_config_refused([&](const StackConfig& c) { EncoderDecoderBlock(c.block, rng)(x, memory); }, false);
}

// --- 8.5 encoder, 8.6 decoder ------------------------------------------------------------------------------

using Layer = std::function<Tensor(std::size_t, const Tensor&)>;

Tensor twice(const Layer& layer, const Tensor& x) { return layer(1, layer(0, x)); }

// What goes wrong in any stack of two layers: `layer` is right, `without` forgets the padding.
std::vector<Suspect> stack_suspects(const Tensor& x, const Norm& norm, const Layer& layer,
                                    const Layer& without) {
    const auto always = [&](std::size_t i) { return [=, &x] { return norm(layer(i, layer(i, x))); }; };
    std::vector<Suspect> suspects{
        {"the final norm is left out", [=, &x] { return twice(layer, x); }},
        {"the final norm comes after every block and again at the end; it belongs to the end alone",
         [=, &x] { return norm(norm(layer(1, norm(layer(0, x))))); }},
        {"the final norm comes after every block; it belongs to the end of the stack",
         [=, &x] { return norm(layer(1, norm(layer(0, x)))); }},
        {"the final norm comes first", [=, &x] { return twice(layer, norm(x)); }},
        {"every block is fed with x, not with what the block before gave",
         [=, &x] { return norm(layer(1, x)); }},
        {"the last block is left out", [=, &x] { return norm(layer(0, x)); }},
        {"the padding reaches the first block only", [=, &x] { return norm(without(1, layer(0, x))); }},
        {"the padding reaches no block", [=, &x] { return norm(twice(without, x)); }}};
    const Tensor first = layer(0, x), last = layer(1, x);
    if (std::ranges::equal(first.values(), last.values()))
        return suspects;  // one block for all: load() says so
    suspects.push_back({"the blocks come in reverse order", [=, &x] { return norm(layer(0, layer(1, x))); }});
    suspects.push_back({"the first block stands for all: each layer has weights of its own", always(0)});
    suspects.push_back({"the last block stands for all: each layer has weights of its own", always(1)});
    return suspects;
}

template <class Stack>
void expect_training_without_a_final_norm() {
    Rng rng(3);
    const Stack stack({small("post", 0.3), 2, false}, rng);
    ASSERT_FALSE(stack.final_norm.has_value());
    const Tensor x = golden()["source"];
    expect_training([&](Rng* r) { return stack(x, std::nullopt, r).output; },
                    [&](Rng* r) {
                        const Tensor first = stack.blocks[0](x, std::nullopt, r).output;
                        return stack.blocks[1](first, std::nullopt, r).output;
                    });
}

TEST(Step_8_5_encoder, equals_pytorchs_encoder) {
    for (const std::string& form : forms) {
        Rng rng(1);
        const Encoder encoder(stack(form), rng);
        const Loaded part = load("encoder.", encoder.parameters());
        const Tensor x = leaf("source");
        const Padding real = padding("source_padding");
        const StackOutput result = encoder(x, real);
        ASSERT_EQ(result.weights.size(), 2u) << "the weights of every layer, one after the other";
        const auto layer = [&](std::size_t i, const Tensor& t) { return encoder.blocks[i](t, real).output; };
        const auto without = [&](std::size_t i, const Tensor& t) { return encoder.blocks[i](t).output; };
        expect_golden(form + ".encoder.", part, result.output, layers("encoder_weights", result.weights),
                      {{"source", x}}, 1e-4, stack_suspects(x, *encoder.final_norm, layer, without));
    }
}

TEST(Step_8_5_encoder, every_position_sees_every_other_but_the_padding) {
    Rng rng(2);
    const Encoder encoder(stack("pre"), rng);
    expect_all_seen([&](const Tensor& x) { return encoder(x).output; }, normal({1, 4, width}, 6), 4,
                    causal_encoder, "no block is asked");
    expect_padding_without_effect([&](const Tensor& x, const Padding& p) { return encoder(x, p).output; });
}

TEST(Step_8_5_encoder, works_without_a_final_norm_and_drops_in_training) {
    expect_training_without_a_final_norm<Encoder>();
}

TEST(Step_8_5_encoder, refuses_a_config_that_does_not_fit_with_all_its_mistakes) {
    Rng rng(4);
    expect_config_refused([&](const StackConfig& c) { Encoder(c, rng)(golden()["source"]); }, true);
}

TEST(Step_8_6_decoder, equals_pytorchs_encoder_under_a_causal_mask) {
    for (const std::string& form : forms) {
        Rng rng(1);
        const Decoder decoder(stack(form), rng);
        const Loaded part = load("encoder.", decoder.parameters());  // one set of weights serves both
        const Tensor x = leaf("source");
        const Padding real = padding("source_padding");
        const StackOutput result = decoder(x, real);
        ASSERT_EQ(result.weights.size(), 2u) << "the weights of every layer, one after the other";
        const auto layer = [&](std::size_t i, const Tensor& t) { return decoder.blocks[i](t, real).output; };
        const auto without = [&](std::size_t i, const Tensor& t) { return decoder.blocks[i](t).output; };
        std::vector<Suspect> suspects = stack_suspects(x, *decoder.final_norm, layer, without);
        suspects.push_back(
            {"the blocks inside are called without their causal mask: use the DecoderBlock itself", [&] {
                 const Layer bare = [&](std::size_t i, const Tensor& t) {
                     return decoder.blocks[i].block(t, real).output;
                 };
                 return (*decoder.final_norm)(twice(bare, x));
             }});
        expect_golden(form + ".decoder.", part, result.output, layers("encoder_weights", result.weights),
                      {{"source", x}}, 1e-4, suspects);
    }
}

TEST(Step_8_6_decoder, no_position_sees_a_later_one) {
    Rng rng(2);
    const Decoder decoder(stack("pre"), rng);
    expect_causal([&](const Tensor& x) { return decoder(x).output; }, 5);
    expect_padding_without_effect([&](const Tensor& x, const Padding& p) { return decoder(x, p).output; });
}

TEST(Step_8_6_decoder, works_without_a_final_norm_and_drops_in_training) {
    expect_training_without_a_final_norm<Decoder>();
}

TEST(Step_8_6_decoder, refuses_a_config_that_does_not_fit_with_all_its_mistakes) {
    Rng rng(4);
    expect_config_refused([&](const StackConfig& c) { Decoder(c, rng)(golden()["source"]); }, true);
}

// --- 8.7 encoder_decoder -----------------------------------------------------------------------------------

TEST(Step_8_7_encoder_decoder, equals_pytorchs_transformer) {
    for (const std::string& form : forms) {
        Rng rng(1);
        const EncoderDecoder model(stack(form), rng);
        const Loaded part = load("", model.parameters());
        const Tensor source = leaf("source"), target = leaf("target");
        const Padding s = padding("source_padding"), t = padding("target_padding");
        const CrossStackOutput result = model(source, target, s, t);
        ASSERT_EQ(result.self_weights.size(), 2u) << "the self-attention weights of every layer";
        ASSERT_EQ(result.cross_weights.size(), 2u) << "the cross-attention weights of every layer";
        const auto wrong = [&](const Padding& encoder, const Padding& cross, const Padding& self) {
            return [&, encoder, cross, self] {
                return model.decode(target, model.encoder(source, encoder).output, cross, self).output;
            };
        };
        Parameters weights = layers("self_weights", result.self_weights);
        for (const NamedTensor& layer : layers("cross_weights", result.cross_weights))
            weights.push_back(layer);
        expect_golden(form + ".encoder_decoder.", part, result.output, weights,
                      {{"source", source}, {"target", target}}, 1e-4,
                      {{"the source's padding is not hidden from cross-attention", wrong(s, std::nullopt, t)},
                       {"the source's padding is not hidden in the encoder", wrong(std::nullopt, s, t)},
                       {"the source's padding is hidden nowhere", wrong(std::nullopt, std::nullopt, t)},
                       {"the target's padding is lost", wrong(s, s, std::nullopt)}});
        const StackOutput encoded = model.encode(source, s);
        EXPECT_TRUE(close_named("encode", encoded.output, golden()[form + ".encoder.output"], {1e-4, 2e-6}));
        ASSERT_EQ(encoded.weights.size(), 2u) << "encode gives the weights of every layer of the encoder";
    }
}

// Under each of the three padding masks by itself, and under none. The causal mask is in all, for a decoder has no other way.
TEST(Step_8_7_encoder_decoder, equals_pytorchs_transformer_under_each_mask_alone) {
    const Padding s = padding("source_padding"), t = padding("target_padding"), none;
    struct Case {
        std::string name;
        Padding in_encoder, across, in_decoder;
    };
    for (const std::string& form : forms) {
        Rng rng(1);
        const EncoderDecoder model(stack(form), rng);
        load("", model.parameters());
        const Tensor source = golden()["source"], target = golden()["target"];
        for (const Case& c : {Case{"causal", none, none, none}, Case{"source", s, none, none},
                              Case{"memory", none, s, none}, Case{"target", none, none, t}}) {
            const std::string name = form + ".encoder_decoder." + c.name + "_alone";
            const Tensor memory = model.encode(source, c.in_encoder).output;
            EXPECT_TRUE(close_named(name, model.decode(target, memory, c.across, c.in_decoder).output,
                                    golden()[name], {1e-4, 2e-6}));
        }
    }
}

TEST(Step_8_7_encoder_decoder, every_block_reads_the_memory_that_the_encoder_made_of_the_source) {
    for (const std::string& form : forms) {
        Rng rng(2);
        const EncoderDecoder model(stack(form), rng);
        load("", model.parameters());
        const Tensor source = normal({2, 4, width}, 9), target = normal({2, 4, width}, 10);
        const Norm &norm = *model.final_norm, &encoders = *model.encoder.final_norm;
        const Tensor memory = model.encoder(source).output;
        const auto on = [&](const Tensor& m) -> Layer {
            return [&model, m](std::size_t i, const Tensor& x) { return model.blocks[i](x, m).output; };
        };
        std::vector<Suspect> suspects = stack_suspects(target, norm, on(memory), on(memory));
        const auto suspect = [&](const std::string& message, const Tensor& m) {
            suspects.push_back({message, [=, &norm, &target] { return norm(twice(on(m), target)); }});
        };
        suspect("the encoder runs on the target; its input is the source", model.encoder(target).output);
        suspect("the memory goes through the decoder's norm", norm(memory));
        suspect("the memory is normed again", encoders(memory));
        suspect("the decoder reads the source itself: the encoder is left out", source);
        suspect("the memory is not normed: the encoder's final norm is left out",
                model.encoder.blocks[1](model.encoder.blocks[0](source).output).output);
        suspects.push_back({"source and target are exchanged",
                            [&] { return norm(twice(on(model.encoder(target).output), source)); }});
        suspects.push_back(
            {"a block is given the output of the block before as memory; all read the encoder's", [&] {
                 const Tensor first = model.blocks[0](target, memory).output;
                 return norm(model.blocks[1](first, first).output);
             }});
        suspects.push_back({"target and memory are exchanged: decode(target, memory)",
                            [&] { return norm(twice(on(target), memory)); }});
        suspects.push_back(
            {"each block reads the encoder's block of the same height; all read the encoder's output", [&] {
                 const Tensor low = model.encoder.blocks[0](source).output;
                 const Tensor first = model.blocks[0](target, low).output;
                 return norm(model.blocks[1](first, model.encoder.blocks[1](low).output).output);
             }});
        suspects.push_back({"the decoder ends with the encoder's final norm; it has its own",
                            [&] { return encoders(twice(on(memory), target)); }});
        EXPECT_TRUE(close_named(form, model(source, target).output, norm(twice(on(memory), target)),
                                {1e-5, 2e-6}, suspects));
        EXPECT_TRUE(close_named(form + ", decode", model.decode(target, memory).output,
                                norm(twice(on(memory), target)), {1e-5, 2e-6}, suspects));
    }
}

TEST(Step_8_7_encoder_decoder, a_memory_serves_any_number_of_targets) {
    Rng rng(3);
    const EncoderDecoder model(stack("pre"), rng);
    const Tensor source = normal({1, 5, width}, 11), target = normal({1, 4, width}, 12);
    const Tensor memory = model.encode(source).output;
    const Tensor whole = model.decode(target, memory).output;
    EXPECT_TRUE(close_named("operator() against decode(target, encode(source))", model(source, target).output,
                            whole, {0, 0}));
    for (std::size_t n = 1; n < 4; ++n)
        EXPECT_TRUE(close_named("the first " + std::to_string(n) + " positions alone",
                                model.decode(slice(target, 1, 0, n), memory).output, slice(whole, 1, 0, n),
                                {1e-5, 2e-6}));
    expect_causal([&](const Tensor& t) { return model.decode(t, memory).output; }, 4);
    expect_all_seen([&](const Tensor& s) { return model(s, target).output; }, source, 4, causal_across,
                    not_asked);
}

TEST(Step_8_7_encoder_decoder, padding_behind_the_source_has_no_effect) {
    Rng rng(4);
    const EncoderDecoder model(stack("post"), rng);
    const Tensor source = normal({1, 5, width}, 13), target = normal({1, 4, width}, 14);
    EXPECT_TRUE(close(model(source, target, Mask::from({1, 1, 1, 5}, {1, 1, 1, 0, 0})).output,
                      model(slice(source, 1, 0, 3), target).output, {1e-5, 2e-6}));
}

TEST(Step_8_7_encoder_decoder, drops_in_training_on_both_sides) {
    Rng rng(5);
    const EncoderDecoder model({small("pre", 0.3), 2, false}, rng);
    const Tensor source = golden()["source"], target = golden()["target"];
    const Padding none;
    const auto run = [&](Rng* encoder, Rng* decoder) {
        const Tensor memory = model.encoder(source, none, encoder).output;
        const Tensor first = model.blocks[0](target, memory, none, none, decoder).output;
        return model.blocks[1](first, memory, none, none, decoder).output;
    };
    expect_training([&](Rng* r) { return model(source, target, none, none, r).output; },
                    [&](Rng* r) { return run(r, r); },
                    {{"rng does not reach the encoder", [&](Rng* r) { return run(nullptr, r); }},
                     {"rng does not reach the decoder", [&](Rng* r) { return run(r, nullptr); }}});
}

TEST(Step_8_7_encoder_decoder, refuses_what_does_not_fit) {
    Rng rng(6);
    const EncoderDecoder model(stack("pre"), rng);
    const Tensor source = golden()["source"], target = golden()["target"];
    model(source, target);
    for (const std::size_t batch : {1u, 3u})
        EXPECT_TRUE(refuses<ShapeError>(
            [&] {
                model(normal({batch, 5, width}, 15), target);
            },
            {"EncoderDecoder", "source", "target", "2", std::to_string(batch)},
            "sources and targets of different number"));
    expect_config_refused([&](const StackConfig& c) { EncoderDecoder(c, rng)(source, target); }, true);
}

TEST(Given_costs, count_the_parameters_that_a_model_has) {
    Rng rng(7);
    for (const bool final_norm : {true, false}) {
        for (BlockConfig block : {small("pre"), small("post"), rms_swiglu_block(width, 2)}) {
            const StackConfig config{block, 3, final_norm};
            EXPECT_EQ(total(encoder_decoder_costs(config, 2, 5, 4)).parameters,
                      count_parameters(EncoderDecoder(config, rng).parameters()));
            EXPECT_EQ(total(stack_costs(config, "", 2, 5)).parameters,
                      count_parameters(Decoder(config, rng).parameters()));
        }
    }
}

}  // namespace
}  // namespace tfs::test
