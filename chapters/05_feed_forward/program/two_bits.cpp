// chapters/05_feed_forward/program/two_bits.cpp · is exactly one of two bits set? Attention alone can't tell where there is one token
#include <fmt/format.h>

#include <optional>

#include "chapters/01_attention/attention.hpp"
#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

namespace {

constexpr std::size_t d_model = 16, heads = 4, examples = 128, steps = 400;
constexpr float step_size = 0.1f;

struct Examples {
    Tensor x;       // (examples, seq, d_model)
    Tensor target;  // (examples): 1 where exactly one bit is set, else -1
};

// A bit adds its direction (2, d_model) to a token's vector or subtracts it; a little noise makes no two examples the same.
// Both bits in the one token there is, or one bit in each of two.
Examples draw(const Array& directions, bool two_tokens, Rng& rng) {
    const std::size_t seq = two_tokens ? 2 : 1;
    Array x = rng.normal_array({examples, seq, d_model}, 0.0, 0.02);
    std::vector<float> target(examples);
    for (std::size_t e = 0; e < examples; ++e) {
        const float bits[2]{e % 2 == 0 ? -1.0f : 1.0f,
                            e / 2 % 2 == 0 ? -1.0f : 1.0f};  // each pair equally often
        for (std::size_t b = 0; b < 2; ++b) {
            float* token = x.data() + (e * seq + (two_tokens ? b : 0)) * d_model;
            for (std::size_t i = 0; i < d_model; ++i) token[i] += bits[b] * directions(b, i);
        }
        target[e] = bits[0] == bits[1] ? -1.0f : 1.0f;
    }
    return {Tensor(std::move(x)), Tensor::from({examples}, target)};
}

// Attention, once or more; a feed-forward network or none; one number for each example, read from the last token.
struct Model {
    std::vector<MultiHeadAttention> attention;
    std::optional<FeedForward> ffn;
    Linear read_out;

    Model(std::size_t layers, bool with_ffn, Rng& rng) : read_out(d_model, 1, rng) {
        for (std::size_t i = 0; i < layers; ++i) attention.emplace_back(d_model, heads, rng);
        if (with_ffn) ffn.emplace(d_model, 4 * d_model, rng);
    }

    Tensor operator()(Tensor x) const {
        for (const MultiHeadAttention& layer : attention) x = layer(x, x, x).output;
        if (ffn) x = (*ffn)(x);
        return reshape(read_out(slice(x, 1, x.size(1) - 1, x.size(1))), {x.size(0)});
    }

    Parameters parameters() const {
        Parameters all;
        for (std::size_t i = 0; i < attention.size(); ++i)
            append(all, fmt::format("attention.{}", i), attention[i].parameters());
        if (ffn) append(all, "ffn", ffn->parameters());
        append(all, "read_out", read_out.parameters());
        return all;
    }
};

// -log of the probability of the right answer, sigmoid(target * logit); ln 2 = 0.693 for a model that knows nothing.
Tensor logistic_loss(const Tensor& logits, const Tensor& target) {
    return mean(log(1.0f + exp(-(logits * target))));
}

double accuracy(const Model& model, const Examples& held_out) {
    const NoGrad no_grad;
    const Tensor margins = model(held_out.x) * held_out.target;
    double right = 0.0;
    for (const float margin : margins.values()) right += margin > 0.0f ? 1.0 : 0.0;
    return right / static_cast<double>(examples);
}

// The first step at which the loss is below 0.1.
Cell steps_to_a_tenth(const std::vector<double>& loss) {
    for (std::size_t i = 0; i < loss.size(); ++i)
        if (loss[i] < 0.1) return i;
    return "never";
}

struct Training {
    std::string model;
    std::vector<double> loss = {};  // by step
    double right = 0.0;             // percent of new examples
};

Training train(const Request& request, bool two_tokens, bool with_ffn) {
    Rng rng(request[options::seed]);
    const Array directions = rng.normal_array({2, d_model}, 0.0, 0.5);
    const Examples training = draw(directions, two_tokens, rng), held_out = draw(directions, two_tokens, rng);
    const Model model(with_ffn ? 1 : 3, with_ffn, rng);
    const Parameters parameters = model.parameters();
    Training run{.model = with_ffn ? "attention + feed-forward" : "three attention layers"};
    for (std::size_t i = 0; i < steps; ++i) {
        const Tensor loss = logistic_loss(model(training.x), training.target);
        run.loss.push_back(loss.item());
        gradient_step(loss, parameters, step_size);
        if (i % 20 == 0)
            request.tell({"progress",
                          fmt::format("{}: step {} of {}, loss {:.2f}", run.model, i, steps, loss.item()),
                          {{"step", static_cast<double>(i)}, {"loss", loss.item()}}});
    }
    run.right = 100.0 * accuracy(model, held_out);
    return run;
}

Report show_two_bits(const Request& request) {
    Table table{.columns = {{"bits in"},
                            {"model"},
                            {"last loss", fixed(2)},
                            {"steps to 0.1", whole()},
                            {"new texts right", whole(), "%"}}};
    for (const bool two_tokens : {false, true}) {
        for (const bool with_ffn : {false, true}) {
            const Training run = train(request, two_tokens, with_ffn);
            table.add({two_tokens ? "two tokens" : "one token", run.model, run.loss.back(),
                       steps_to_a_tenth(run.loss), run.right});
        }
    }
    return Report(table);
}

}  // namespace

Sections two_bits_sections() {
    return {{"two-bits",
             "Exactly one of two bits: attention alone, and with a feed-forward network",
             show_two_bits,
             {options::seed}}};
}

}  // namespace tfs
