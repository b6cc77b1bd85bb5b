// chapters/05_feed_forward/program/sentence_networks.cpp · a sentence through the feed-forward network and through SwiGLU, step by step
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

namespace {

double percent_below_zero(const Tensor& x) {
    const auto values = x.values();
    const auto count = std::count_if(values.begin(), values.end(), [](float v) { return v <= 0.0f; });
    return 100.0 * static_cast<double>(count) / static_cast<double>(values.size());
}

FlowFigure network_flow() {
    const FlowKind step = FlowKind::feed_forward;
    FlowPanel plain{.title = "feed-forward network"}, gated{.title = "SwiGLU"};
    plain.boxes = {{"x", "(batch, seq, 512)", FlowKind::input},
                   {"up: linear", "(batch, seq, 2048)", step},
                   {"activation", "(batch, seq, 2048)", step},
                   {"down: linear", "(batch, seq, 512)", step}};
    gated.boxes = {{"x", "(batch, seq, 512)", FlowKind::input},
                   {"gate: linear", "(batch, seq, 1365)", step},
                   {"silu", "(batch, seq, 1365)", step},
                   {"times, entry by entry", "(batch, seq, 1365)", step},
                   {"down: linear", "(batch, seq, 512)", step}};
    gated.inputs = {{3, "up(x): linear", "(batch, seq, 1365)"}};
    return {
        .name = "flow",
        .title = "The two networks, from bottom to top, at d_model 512",
        .panels = {plain, gated},
        .caption =
            "Left: widen, bend each number, narrow. Right: SwiGLU has a third matrix; one result decides how "
            "much of the other passes. With 1365 hidden units in place of 2048, both have about as many "
            "weights."};
}

Report trace_network(const Request& request) {
    const std::string& name = request[options::activation];
    const auto chosen = std::find_if(all_activations.begin(), all_activations.end(),
                                     [&](const NamedActivation& each) { return each.name == name; });
    const auto [x, layer, rng] = sentence_network(request, chosen->activation);
    const std::size_t d_model = request[options::d_model], d_ff = hidden_size(request);
    const Tensor raised = layer.up(x), hidden = layer.hidden(x);
    Report report;
    report.step("x", x, {"batch", "seq", "d_model"}, "one row per token");
    report.step("up(x)", raised, {"batch", "seq", "d_ff"}, fmt::format("{} -> {}", d_model, d_ff));
    report.step("hidden", hidden, {"batch", "seq", "d_ff"}, name);
    report.step("output", layer.output(hidden), {"batch", "seq", "d_model"},
                fmt::format("{} -> {}", d_ff, d_model));
    report.note(fmt::format("{:.0f} % of up(x) and {:.0f} % of the hidden activations are 0 or below",
                            percent_below_zero(raised), percent_below_zero(hidden)));
    report.note(fmt::format("{} parameters", count_parameters(layer.parameters())));
    return report;
}

Report show_network(const Request& request) {
    Report report = part_or_gap([&] { return trace_network(request); });
    report.add(network_flow());  // also before the step is written: it shows what to build
    return report;
}

// What happens if the weights of gate and up are exchanged, or those of gate and down.
void add_exchanged_names(Report& report, const SwiGLU& layer, const Tensor& x) {
    const NoGrad no_grad;
    SwiGLU exchanged = layer;
    std::swap(exchanged.gate, exchanged.up);
    const Tensor right = layer(x), wrong = exchanged(x);
    report.note(
        fmt::format("gate and up exchanged: no error, largest entry {:.2f}, largest difference {:.2f}",
                    largest_difference(right.array(), Tensor::zeros(right.shape()).array()),
                    largest_difference(right.array(), wrong.array())));
    std::swap(exchanged.gate, exchanged.down);
    try {
        (void)exchanged(x);
    } catch (const ShapeError& error) {
        report.note(fmt::format("gate and down exchanged: {}", error.what()));
    }
}

Report show_swiglu(const Request& request) {
    SentenceNetwork drawn = sentence_network(request);
    const SwiGLU layer(request[options::d_model], swiglu_hidden_size(hidden_size(request)), drawn.rng);
    const Tensor& x = drawn.x;
    const Tensor hidden = layer.hidden(x);
    Report report;
    report.step("gate(x)", layer.gate(x), {"batch", "seq", "d_ff"});
    report.step("silu(gate(x))", silu(layer.gate(x)), {"batch", "seq", "d_ff"}, "how much passes");
    report.step("up(x)", layer.up(x), {"batch", "seq", "d_ff"}, "what passes");
    report.step("hidden", hidden, {"batch", "seq", "d_ff"}, "their product");
    report.step("output", layer.output(hidden), {"batch", "seq", "d_model"});
    report.note(fmt::format("{} parameters", count_parameters(layer.parameters())));
    add_exchanged_names(report, layer, x);
    return report;
}

}  // namespace

std::size_t hidden_size(const Request& request) {
    const std::size_t d_ff = request[options::d_ff];
    return d_ff > 0 ? d_ff : 4 * request[options::d_model];
}

SentenceNetwork sentence_network(const Request& request, Activation activation) {
    const std::size_t d_model = request[options::d_model];
    Rng rng(request[options::seed]);
    const Vocabulary vocabulary = build_vocabulary(request.words(options::text));
    const Tensor x = Embedding(vocabulary.words.size(), d_model, rng)(vocabulary.ids);
    const FeedForward layer(d_model, hidden_size(request), rng, activation);
    return {x, layer, rng};
}

Section network_on_a_sentence() {
    return {.id = "network",
            .title = "The feed-forward network, step by step (random weights)",
            .options = {options::text, options::d_model, options::d_ff, options::activation, options::seed},
            .run = show_network};
}

Section swiglu_on_a_sentence() {
    return {.id = "swiglu",
            .title = "SwiGLU, step by step (random weights)",
            .level = Level::deeper,
            .options = {options::text, options::d_model, options::d_ff, options::seed},
            .run = show_swiglu};
}

}  // namespace tfs
