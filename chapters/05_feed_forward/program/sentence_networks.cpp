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

// A drawing of rows of numbers as bars, as tall as they are long, and of what is done in between; in units of a feature.
class Hourglass {
  public:
    PlanePanel panel;

    struct Bar {
        double left, right, length, middle;
    };
    // From left to right: at 0 stands x, at 4 the result.
    Bar bar(const std::string& name, double length, double middle, double place) {
        constexpr double thick = 1260.0;
        const Bar at{2360.0 * place, 2360.0 * place + thick, length, middle};
        panel.shapes.push_back({.kind = PlaneShape::Kind::rectangle,
                                .from_x = at.left,
                                .from_y = middle - length / 2,
                                .to_x = at.right,
                                .to_y = middle + length / 2,
                                .label = fmt::format("{}{:.0f}", name, length),
                                .hue = Hue::feed_forward,
                                .light = true});
        return at;
    }
    // From one end of a bar to that of the next: -0.5 is the lower one, 0.5 the upper one.
    void edge(const Bar& bar, const Bar& next, double end) {
        panel.shapes.push_back({.kind = PlaneShape::Kind::line,
                                .from_x = bar.right,
                                .from_y = bar.middle + end * bar.length,
                                .to_x = next.left,
                                .to_y = next.middle + end * next.length,
                                .hue = Hue::feed_forward});
    }
    // From the ends of one bar to those of the next, and an arrow with a name.
    void into(const Bar& bar, const Bar& next, const std::string& name) {
        edge(bar, next, -0.5);
        edge(bar, next, 0.5);
        arrow(bar, next, next.middle);
        write(name, (bar.right + next.left) / 2, bar.middle + 190.0);
    }
    void arrow(const Bar& bar, const Bar& next, double at) {
        arrow(bar.right + 60.0, bar.middle, next.left - 40.0, at);
    }
    void arrow(double from_x, double from_y, double to_x, double to_y) {
        panel.shapes.push_back({.kind = PlaneShape::Kind::arrow,
                                .from_x = from_x,
                                .from_y = from_y,
                                .to_x = to_x,
                                .to_y = to_y,
                                .size = 0.8});
    }
    void write(const std::string& name, double x, double y) { panel.text(x, y, name); }
};

PlaneFigure network_widths() {
    constexpr double d_model = 512, d_ff = 2048, narrow = 1365, aside = narrow / 2 + 40.0,
                     reach = aside + narrow / 2 + 20.0, end = 4 * 2360.0 + 1260.0;
    Hourglass plain{{"feed-forward network", -20.0, end + 20.0, -d_ff / 2 - 20.0, d_ff / 2 + 20.0}},
        gated{{"SwiGLU", -20.0, end + 20.0, -reach, reach}};
    {
        const auto x = plain.bar("x: ", d_model, 0.0, 0.0), up = plain.bar("", d_ff, 0.0, 4.0 / 3.0),
                   bent = plain.bar("", d_ff, 0.0, 8.0 / 3.0), out = plain.bar("output: ", d_model, 0.0, 4.0);
        plain.into(x, up, "up");
        plain.into(up, bent, "activation");
        plain.into(bent, out, "down");
    }
    const auto x = gated.bar("x: ", d_model, 0.0, 0.0), gate = gated.bar("", narrow, aside, 1.0),
               up = gated.bar("", narrow, -aside, 1.0), bent = gated.bar("", narrow, aside, 2.0),
               product = gated.bar("", narrow, 0.0, 3.0), out = gated.bar("output: ", d_model, 0.0, 4.0);
    gated.edge(x, gate, 0.5);
    gated.edge(x, up, -0.5);
    gated.arrow(x, gate, gate.middle);
    gated.arrow(x, up, up.middle);
    gated.write("gate", (x.right + gate.left) / 2 + 210.0, 0.27 * aside);
    gated.write("up", (x.right + up.left) / 2 + 210.0, -0.27 * aside);
    gated.into(gate, bent, "silu");
    // Both meet in the sign of the product.
    const double sign = bent.right + 0.42 * (product.left - bent.right);
    gated.write("×", sign, 0.0);
    gated.arrow(bent.right + 60.0, bent.middle, sign - 60.0, 0.17 * aside);
    gated.arrow(up.right + 60.0, up.middle, sign - 60.0, -0.17 * aside);
    gated.arrow(sign + 130.0, 0.0, product.left - 40.0, 0.0);
    gated.into(product, out, "down");
    return {
        .name = "flow",
        .title = "Both networks widen a token's row, bend it, and make it narrow again",
        .panels = {plain.panel, gated.panel},
        .panels_per_row = 1,
        .caption =
            "A bar is as tall as the row is long. In SwiGLU silu, an activation, bends what gate makes of x; "
            "× multiplies this with what up makes of x, entry by entry. With 1365 in place of 2048, both "
            "networks have about as many weights."};
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
    report.add(network_widths());  // also before the step is written: it shows what to build
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

Sections sentence_networks_sections() {
    return {{"network",
             "The feed-forward network, step by step (random weights)",
             show_network,
             {options::text, options::d_model, options::d_ff, options::activation, options::seed}},
            {"swiglu",
             "SwiGLU, step by step (random weights)",
             show_swiglu,
             {options::text, options::d_model, options::d_ff, options::seed},
             Level::deeper}};
}

}  // namespace tfs
