// chapters/05_feed_forward/program/networks.cpp · both networks, number by number and shape by shape: by hand, on a sentence, as a drawing
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

namespace {

// --- by hand

// a where s = 1, 0 where s = 0: relu(a + 4 s - 4) - relu(-a + 4 s - 4), for a from -4 to 4
FeedForward network_by_hand() {
    Rng unused(0);
    FeedForward network(2, 2, unused, Activation::relu);
    network.up.weight = Tensor::from({2, 2}, {1, 4, -1, 4});
    network.up.bias = Tensor::full({2}, -4.0f);
    network.down.weight = Tensor::from({2, 2}, {1, -1, 0, 0});
    network.down.bias = Tensor::zeros({2});
    return network;
}

// "(2, 1, -1)"
std::string numbers_of_row(const Tensor& x, std::size_t row) {
    std::vector<float> numbers;
    for (std::size_t i = 0; i < x.size(-1); ++i) numbers.push_back(x.at({row, i}) + 0.0f);  // no -0
    return fmt::format("({:g})", fmt::join(numbers, ", "));
}

Report show_switch(const Request&) {
    const FeedForward network = network_by_hand();
    const Tensor x = Tensor::from({3, 2}, {3, 1, 3, 0, -2, 1});
    const Tensor raised = network.up(x), hidden = network.hidden(x), output = network(x);
    Table table{
        .columns = {
            {"token", whole()}, {"x", whole()}, {"up(x)", whole()}, {"relu", whole()}, {"down", whole()}}};
    for (std::size_t i = 0; i < x.size(0); ++i)
        table.add({i, numbers_of_row(x, i), numbers_of_row(raised, i), numbers_of_row(hidden, i),
                   numbers_of_row(output, i)});
    return Report(table);
}

// --- the drawing of the widths

// Rows of numbers as bars, as tall as they are long, and what is done in between; in units of a feature.
struct Hourglass {
    PlanePanel panel;

    struct Bar {
        double left, right, length, middle;
    };
    // From left to right: at 0 stands x, at 4 the result.
    Bar bar(const std::string& name, double length, double middle, double place) {
        const Bar at{2360.0 * place, 2360.0 * place + 1260.0, length, middle};
        panel.box(at.left, middle - length / 2, at.right, middle + length / 2, Hue::feed_forward,
                  fmt::format("{}{:.0f}", name, length));
        return at;
    }
    // From one end of a bar to that of the next: -0.5 is the lower one, 0.5 the upper one.
    void edge(const Bar& bar, const Bar& next, double end) {
        panel.line(bar.right, bar.middle + end * bar.length, next.left, next.middle + end * next.length,
                   Hue::feed_forward);
    }
    void arrow(double from_x, double from_y, double to_x, double to_y) {
        panel.arrow(from_x, from_y, to_x, to_y, Hue::other, 0.8);
    }
    void arrow(const Bar& bar, const Bar& next) {
        arrow(bar.right + 60.0, bar.middle, next.left - 40.0, next.middle);
    }
    // From the ends of one bar to those of the next, and an arrow with a name.
    void into(const Bar& bar, const Bar& next, const std::string& name) {
        edge(bar, next, -0.5);
        edge(bar, next, 0.5);
        arrow(bar, next);
        panel.text((bar.right + next.left) / 2, bar.middle + 190.0, name);
    }
};

constexpr double drawn_d_model = 512, flow_right = 4 * 2360.0 + 1280.0;

PlanePanel feed_forward_widths() {
    constexpr double d_ff = 2048, reach = d_ff / 2 + 20.0;
    Hourglass drawn{{"feed-forward network", -20.0, flow_right, -reach, reach}};
    const auto x = drawn.bar("x: ", drawn_d_model, 0.0, 0.0), up = drawn.bar("", d_ff, 0.0, 4.0 / 3.0),
               bent = drawn.bar("", d_ff, 0.0, 8.0 / 3.0),
               out = drawn.bar("output: ", drawn_d_model, 0.0, 4.0);
    drawn.into(x, up, "up");
    drawn.into(up, bent, "activation");
    drawn.into(bent, out, "down");
    return drawn.panel;
}

PlanePanel swiglu_widths() {
    constexpr double d_ff = 1365, aside = d_ff / 2 + 40.0, reach = aside + d_ff / 2 + 20.0;
    Hourglass drawn{{"SwiGLU", -20.0, flow_right, -reach, reach}};
    const auto x = drawn.bar("x: ", drawn_d_model, 0.0, 0.0), gate = drawn.bar("", d_ff, aside, 1.0),
               up = drawn.bar("", d_ff, -aside, 1.0), bent = drawn.bar("", d_ff, aside, 2.0),
               product = drawn.bar("", d_ff, 0.0, 3.0), out = drawn.bar("output: ", drawn_d_model, 0.0, 4.0);
    drawn.edge(x, gate, 0.5);
    drawn.edge(x, up, -0.5);
    drawn.arrow(x, gate);
    drawn.arrow(x, up);
    const double between = (x.right + gate.left) / 2 + 210.0;
    drawn.panel.text(between, 0.27 * aside, "gate");
    drawn.panel.text(between, -0.27 * aside, "up");
    drawn.into(gate, bent, "silu");
    // Both meet in the sign of the product.
    const double sign = bent.right + 0.42 * (product.left - bent.right);
    drawn.panel.text(sign, 0.0, "×");
    drawn.arrow(bent.right + 60.0, bent.middle, sign - 60.0, 0.17 * aside);
    drawn.arrow(up.right + 60.0, up.middle, sign - 60.0, -0.17 * aside);
    drawn.arrow(sign + 130.0, 0.0, product.left - 40.0, 0.0);
    drawn.into(product, out, "down");
    return drawn.panel;
}

PlaneFigure flow_figure() {
    return {
        .name = "flow",
        .title = "Both networks widen a token's row, bend it, and make it narrow again",
        .panels = {feed_forward_widths(), swiglu_widths()},
        .panels_per_row = 1,
        .caption =
            "A bar is as tall as the row is long. In SwiGLU silu, an activation, bends what gate makes of x; "
            "× multiplies this with what up makes of x, entry by entry. With 1365 in place of 2048, both "
            "networks have about as many weights."};
}

// --- on a sentence

// --d-ff, or 4 times --d-model.
std::size_t hidden_size(const Request& request) {
    const std::size_t d_ff = request[options::d_ff];
    return d_ff > 0 ? d_ff : 4 * request[options::d_model];
}

// The sentence as random embeddings (1, seq, d_model), and an untrained network for it.
struct SentenceNetwork {
    Tensor x;
    FeedForward layer;
    Rng rng;  // draws what comes after them
};

SentenceNetwork sentence_network(const Request& request, Activation activation = Activation::gelu) {
    const std::size_t d_model = request[options::d_model];
    Rng rng(request[options::seed]);
    const Vocabulary vocabulary = build_vocabulary(request.words(options::text));
    const Tensor x = Embedding(vocabulary.words.size(), d_model, rng)(vocabulary.ids);
    const FeedForward layer(d_model, hidden_size(request), rng, activation);
    return {x, layer, rng};
}

double percent_below_zero(const Tensor& x) {
    const auto values = x.values();
    const auto count = std::count_if(values.begin(), values.end(), [](float v) { return v <= 0.0f; });
    return 100.0 * static_cast<double>(count) / static_cast<double>(values.size());
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
    report.add(flow_figure());  // also before the step is written: it shows what to build
    return report;
}

Report show_swiglu(const Request& request) {
    const NoGrad no_grad;
    SentenceNetwork drawn = sentence_network(request);
    const Tensor& x = drawn.x;
    const SwiGLU layer(request[options::d_model], swiglu_hidden_size(hidden_size(request)), drawn.rng);
    const Tensor hidden = layer.hidden(x), output = layer.output(hidden);
    Report report;
    report.step("gate(x)", layer.gate(x), {"batch", "seq", "d_ff"});
    report.step("silu(gate(x))", silu(layer.gate(x)), {"batch", "seq", "d_ff"}, "how much passes");
    report.step("up(x)", layer.up(x), {"batch", "seq", "d_ff"}, "what passes");
    report.step("hidden", hidden, {"batch", "seq", "d_ff"}, "their product");
    report.step("output", output, {"batch", "seq", "d_model"});
    SwiGLU exchanged = layer;
    std::swap(exchanged.gate, exchanged.up);
    report.note(
        fmt::format("gate and up exchanged: no error, largest entry {:.2f}, largest difference {:.2f}",
                    largest_difference(output.array(), Tensor::zeros(output.shape()).array()),
                    largest_difference(output.array(), exchanged(x).array())));
    return report;
}

}  // namespace

Sections networks_sections() {
    return {{"by-hand", "By hand: a feature that switches another one", show_switch},
            {"network",
             "The feed-forward network, step by step (untrained)",
             show_network,
             {options::text, options::d_model, options::d_ff, options::activation, options::seed}},
            {"swiglu",
             "SwiGLU, step by step (untrained)",
             show_swiglu,
             {options::text, options::d_model, options::d_ff, options::seed},
             Level::deeper}};
}

}  // namespace tfs
