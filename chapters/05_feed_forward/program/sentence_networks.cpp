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

// A drawing of rows of numbers as bars, as wide as they are long, and of what is done in between; in units of a feature.
class Hourglass {
  public:
    PlanePanel panel;

    struct Bar {
        double left, right, bottom, top;
    };
    // On a storey, or on several: 0 is x, 4 the result.
    Bar bar(const std::string& name, double width, double centre, double storey, double last) {
        const Bar at{centre - width / 2, centre + width / 2, 420.0 * storey, 420.0 * last + 220.0};
        panel.shapes.push_back({.kind = PlaneShape::Kind::rectangle,
                                .from_x = at.left,
                                .from_y = at.bottom,
                                .to_x = at.right,
                                .to_y = at.top,
                                .label = fmt::format("{}{:.0f}", name, width),
                                .hue = Hue::feed_forward,
                                .light = true});
        return at;
    }
    Bar bar(const std::string& name, double width, double centre, double storey) {
        return bar(name, width, centre, storey, storey);
    }
    // From the ends of one bar to those of the next; or from and to two bars side by side.
    void into(const Bar& left, const Bar& right, const Bar& next_left, const Bar& next_right,
              const std::string& name) {
        const auto line = [&](double from_x, double to_x) {
            panel.shapes.push_back({.kind = PlaneShape::Kind::line,
                                    .from_x = from_x,
                                    .from_y = left.top,
                                    .to_x = to_x,
                                    .to_y = next_left.bottom,
                                    .hue = Hue::feed_forward});
        };
        line(left.left, next_left.left);
        line(right.right, next_right.right);
        write(name, (left.left + right.right + next_left.left + next_right.right) / 4,
              (left.top + next_left.bottom) / 2);
    }
    void write(const std::string& name, double x, double y) {
        panel.shapes.push_back({.kind = PlaneShape::Kind::text, .from_x = x, .from_y = y, .label = name});
    }
};

PlaneFigure network_widths() {
    constexpr double d_model = 512, d_ff = 2048, narrow = 1365, aside = narrow / 2 + 40.0,
                     reach = aside + narrow / 2;
    Hourglass plain{{"feed-forward network", -reach, reach, -20.0, 1920.0}},
        gated{{"SwiGLU", -reach, reach, -20.0, 1920.0}};
    {
        const auto x = plain.bar("x: ", d_model, 0.0, 0.0), up = plain.bar("", d_ff, 0.0, 4.0 / 3.0),
                   bent = plain.bar("", d_ff, 0.0, 8.0 / 3.0), out = plain.bar("", d_model, 0.0, 4.0);
        plain.into(x, x, up, up, "up");
        plain.into(up, up, bent, bent, "activation");
        plain.into(bent, bent, out, out, "down");
    }
    const auto x = gated.bar("x: ", d_model, 0.0, 0.0), gate = gated.bar("", narrow, -aside, 1.0),
               up = gated.bar("", narrow, aside, 1.0, 2.0), bent = gated.bar("", narrow, -aside, 2.0),
               product = gated.bar("", narrow, 0.0, 3.0), out = gated.bar("", d_model, 0.0, 4.0);
    gated.into(x, x, gate, up, "");
    gated.write("gate", -0.5 * aside, 320.0);
    gated.write("up", 0.5 * aside, 320.0);
    gated.into(gate, gate, bent, bent, "silu");
    gated.into(bent, up, product, product, "times, entry by entry");
    gated.into(product, product, out, out, "down");
    return {.name = "flow",
            .title = "Both networks widen a token's row, bend it, and make it narrow again",
            .panels = {plain.panel, gated.panel},
            .caption =
                "Read upwards; a bar is as wide as the row is long. In SwiGLU x goes two ways: silu of the "
                "left one decides how much of the right one passes. With 1365 in place of 2048, both "
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
