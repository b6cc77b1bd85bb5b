// tests/08_encoder_decoder/checklist.cpp · what the checks of several steps of chapter 08 share
#include "tests/08_encoder_decoder/checklist.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/gradients_reach.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {

BlockConfig small(const std::string& form, double dropout) {
    const bool pre = form == "pre";
    return {.d_model = width,
            .num_heads = 3,
            .d_ff = 16,
            .norm_position = pre ? NormPosition::pre : NormPosition::post,
            .activation = pre ? Activation::gelu : Activation::relu,
            .dropout = dropout};
}

StackConfig stack(const std::string& form, double dropout) { return {small(form, dropout), 2, true}; }

Padding padding(const std::string& name) {
    const Tensor real = golden()[name];  // (batch, seq)
    return as_mask(reshape(real, {real.size(0), 1, 1, real.size(1)}));
}

Loaded load(const std::string& prefix, Parameters parameters) {
    std::set<const float*> places;
    for (NamedTensor& parameter : parameters) {
        parameter.tensor.mutable_array() = golden()[prefix + parameter.name].array();
        places.insert(parameter.tensor.values().data());
    }
    const bool shared = places.size() < parameters.size();
    EXPECT_FALSE(shared) << likely_if(shared, "all layers share one block: each has its own weights");
    return {prefix, parameters};
}

Parameters layers(const std::string& kind, const std::vector<Tensor>& weights) {
    Parameters all;
    for (std::size_t i = 0; i < weights.size(); ++i)
        all.push_back({kind + "." + std::to_string(i), weights[i]});
    return all;
}

namespace {

// "weights.0" of the golden "encoder_weights.0"
std::string shown(const std::string& name) { return name.substr(name.starts_with("encoder_") ? 8 : 0); }

// Wrong weights in this place: those of another one, or of all heads in one.
std::vector<Suspect> weights_suspects(const std::string& name, const Parameters& weights,
                                      const NamedTensor& place) {
    std::vector<Suspect> suspects;
    for (const NamedTensor& other : weights)
        if (other.name != place.name)
            suspects.push_back({shown(place.name) + " holds what belongs to " + shown(other.name),
                                [=] { return golden()[name + other.name]; }});
    for (const KeepDims keep : {KeepDims::no, KeepDims::yes})
        suspects.push_back({"the weights are averaged over the heads: return those of every head",
                            [=] { return mean(golden()[name + place.name], 1, keep); }});
    return suspects;
}

}  // namespace

void expect_golden(const std::string& name, const Loaded& part, const Tensor& output,
                   const Parameters& weights, const Parameters& inputs, double relative,
                   const std::vector<Suspect>& suspects) {
    const Tolerance tolerance{relative, 2e-6}, of_gradients{10 * relative, 1e-5};
    const auto same = close_named(name + "output", output, golden()[name + "output"], tolerance, suspects);
    EXPECT_TRUE(same);
    if (!same && std::string(same.message()).find("Likely cause") != std::string::npos) return;
    for (const NamedTensor& layer : weights) {
        const auto right = close_named(name + shown(layer.name), layer.tensor, golden()[name + layer.name],
                                       tolerance, weights_suspects(name, weights, layer));
        EXPECT_TRUE(right);
        if (!right) return;  // the others would only say it again
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

namespace {

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

}  // namespace

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

void expect_padding_without_effect(const std::function<Tensor(const Tensor&, const Padding&)>& f) {
    const Tensor x = normal({1, 7, width}, 7);
    const Tensor padded = f(x, Mask::from({1, 1, 1, 7}, {1, 1, 1, 1, 1, 0, 0}));
    ASSERT_TRUE(has_shape(padded, x.shape()));
    EXPECT_TRUE(close_named("the real tokens of a padded sentence", slice(padded, 1, 0, 5),
                            f(slice(x, 1, 0, 5), std::nullopt), {1e-5, 2e-6}));
}

bool expect_training(const Training& f, const Training& reference,
                     std::vector<std::pair<std::string, Training>> wrong) {
    Rng rng(3), same(3);
    wrong.push_back(
        {"rng is not passed on: nothing is dropped in training", [&](Rng*) { return f(nullptr); }});
    std::vector<Suspect> suspects;
    for (const auto& other : wrong)
        suspects.push_back({other.first, [result = other.second] {
                                Rng again(3);
                                return result(&again);
                            }});
    const auto right = close(f(&rng), reference(&same), {1e-5, 1e-6}, suspects);
    EXPECT_TRUE(right);
    EXPECT_TRUE(rng.state() == same.state())
        << "more or less is drawn than the parts need"
        << likely_if(bool(right), "a part runs once more, and what it gives is not used for the output");
    return bool(right);
}

std::string cause_of_shape(const ShapeError& error, const std::string& shape, const std::string& cause) {
    return likely_if(std::string(error.what()).find(shape) != std::string::npos, cause);
}

void expect_none_needed(const std::function<void()>& call) {
    try {
        call();
    } catch (const std::bad_optional_access&) {
        ADD_FAILURE()
            << "a stack without a final norm does not run"
            << likely_if(true,
                         "final_norm is read although the config wants none: test it with if (final_norm)");
    }
}

Mask inverted(const Padding& mask) { return Mask(!mask->array()); }

void expect_paddings_refused(const std::string& name, std::size_t seq,
                             const std::function<void(const Padding&)>& call) {
    const auto of = [](const Shape& shape) {
        return Mask::from(shape, std::vector<int>(element_count(shape), 1));
    };
    const Shape right{5, 1, 1, seq};
    for (const Shape& shape : {right, Shape{1, 1, 1, seq}}) call(of(shape));
    for (const Shape& shape : {Shape{5, 1, 1, seq - 1}, Shape{4, 1, 1, seq}, Shape{seq, seq}, Shape{5, seq},
                               Shape{1, 1, seq, seq}})
        EXPECT_TRUE(refuses<ShapeError>([&] { call(of(shape)); }, {name, to_string(right), to_string(shape)},
                                        "a padding of another shape"));
}

void expect_shapes_refused(const std::string& name, const Shape& right,
                           const std::function<void(const Tensor&)>& call) {
    call(normal(right, 8));
    for (const Shape& shape : {Shape{right[0], right[1], width - 2}, Shape{right[1], width}, Shape{width}})
        EXPECT_TRUE(refuses<ShapeError>([&] { call(normal(shape, 8)); },
                                        {name + " must be", to_string(shape), std::to_string(width)},
                                        "another shape"));
}

void expect_config_refused(const std::function<void(const StackConfig&)>& make, bool layers_too) {
    StackConfig config = stack("pre");
    make(config);
    config.block.num_heads = 5;
    config.block.dropout = 1.5;
    config.num_layers = 0;
    std::vector<std::string> named{"5", std::to_string(width), "1.5"};
    if (layers_too) named.push_back("0");
    EXPECT_TRUE(refuses<ValueError>([&] { make(config); }, named, "5 heads, dropout 1.5, 0 layers"));
}

Tensor attended(const AttentionSublayer& s, const Norm& norm, const Tensor& x, const Tensor& q,
                const Tensor& k, const Tensor& v, const Padding& mask, Rng* rng) {
    const bool pre = s.position == NormPosition::pre;
    const Tensor change =
        attention_with_dropout(multi_head(s.attention), pre ? norm(q) : q, k, v, mask, s.dropout, rng).output;
    const Tensor added = x + dropout(change, s.dropout, rng);
    return pre ? added : norm(added);
}

Tensor attended(const AttentionSublayer& s, const Tensor& x, const Tensor& memory, const Padding& mask,
                Rng* rng) {
    return attended(s, s.norm, x, x, memory, memory, mask, rng);
}

}  // namespace tfs::test
