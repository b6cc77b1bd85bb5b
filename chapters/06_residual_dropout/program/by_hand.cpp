// chapters/06_residual_dropout/program/by_hand.cpp · three layers that halve a number, the coins of dropout, the ways to add a sublayer
#include <fmt/format.h>

#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "common/program.hpp"

namespace tfs {

namespace {

// --- the ways to add a sublayer

// Where the branch is, where the line ends; of a plus.
constexpr double branch = 2.3, top = 8.0, radius = 0.35;

// The line of x is bold, and goes straight up; branches are thin.
void rise(PlanePanel& panel, double from, double to) { panel.line(0.0, from, 0.0, to, Hue::residual, 5.0); }
void arrive(PlanePanel& panel, double from, double to) {
    panel.arrow(0.0, from, 0.0, to, Hue::residual, 3.0);
}

void box(PlanePanel& panel, const std::string& name, double x, double y, Hue hue, double half_width = 1.1) {
    panel.box(x - half_width, y - 0.4, x + half_width, y + 0.4, hue, name);
}

// One way to add a sublayer.
PlanePanel way(const std::string& title, bool norm_before, bool norm_after) {
    constexpr double out = 0.6, sum = 5.6;
    PlanePanel panel{title, -1.4, 3.7, -0.7, top + 0.5};
    panel.text(0.0, -0.4, "x");
    rise(panel, 0.0, sum - radius);
    if (norm_after) {
        rise(panel, sum + radius, 6.4);
        box(panel, "norm", 0.0, 6.8, Hue::norm);
    }
    arrive(panel, norm_after ? 7.2 : sum + radius, top);
    panel.line(0.0, out, branch, out, Hue::other, 1.0);
    double y = out;
    const auto step = [&](const std::string& name, Hue hue) {
        panel.arrow(branch, y, branch, y + 0.6, Hue::other, 1.0);
        box(panel, name, branch, y + 1.0, hue);
        y += 1.4;
    };
    if (norm_before) step("norm", Hue::norm);
    step("sublayer", Hue::attention);
    step("dropout", Hue::other);
    panel.line(branch, y, branch, sum, Hue::other, 1.0);
    panel.arrow(branch, sum, radius, sum, Hue::other, 1.0);
    panel.circle(0.0, sum, radius, "+");
    return panel;
}

// Four blocks: the line begins as the embedding, and each sublayer adds something.
PlanePanel sum_of_parts() {
    constexpr double half_width = 1.45, apart = 1.65;
    constexpr double lower = 0.75;  // a sublayer reads the line so far below its plus
    PlanePanel panel{"a pre-norm stack: a sum", -1.4, branch + half_width + 0.2, -0.7, top + 0.5};
    panel.text(0.0, -0.4, "embedding");
    double below = 0.0;
    const auto add = [&](const std::string& name, double y, Hue hue) {
        rise(panel, below, y - radius);
        panel.line(0.0, y - lower, branch, y - lower, Hue::other, 1.0);
        panel.line(branch, y - lower, branch, y - 0.4, Hue::other, 1.0);
        box(panel, name, branch, y, hue, half_width);
        panel.arrow(branch - half_width, y, radius, y, Hue::other, 1.0);
        panel.circle(0.0, y, radius, "+");
        below = y + radius;
    };
    add("attention 1", 1.1, Hue::attention);
    add("feed-forward 1", 1.1 + apart, Hue::feed_forward);
    panel.text(branch, 1.1 + 1.55 * apart, "…");
    add("feed-forward 4", 1.1 + 2.3 * apart, Hue::feed_forward);
    rise(panel, below, 6.2);
    box(panel, "norm", 0.0, 6.6, Hue::norm);
    arrive(panel, 7.0, top - 0.2);
    panel.text(0.0, top + 0.1, "logits");
    return panel;
}

PlaneFigure ways_figure() {
    return {.name = "ways",
            .title = "In pre-norm the line of x meets only additions, so the stream is a sum",
            .panels = {way("pre-norm", true, false), way("post-norm", false, true), sum_of_parts()},
            .panels_per_row = 3,
            .caption =
                "Read upwards. On the bold line, the residual connection, x meets the sublayer's output at "
                "the plus. Right, in short: what reaches the last norm is the embedding plus what each "
                "sublayer adds."};
}

Report show_three_layers(const Request&) {
    const Sublayer half = [](const Tensor& t) { return t * 0.5f; };
    const Sublayer size_one = [](const Tensor& t) { return t / sqrt(t * t); };  // the norm of a single number
    Table table{.columns = {{"layer"},
                            {"x", significant(6)},
                            {"after 1", significant(6)},
                            {"after 2", significant(6)},
                            {"after 3", significant(6)},
                            {"gradient at x", fixed(3)}}};
    const auto add = [&](const std::string& name, const Sublayer& layer) {
        const Tensor x(Tensor::full({1}, 8.0f).array(), true);  // true: it wants a gradient
        const Tensor first = layer(x), second = layer(first), third = layer(second);
        third.backward();
        table.add({name, x.item(), first.item(), second.item(), third.item(), x.grad().data()[0]});
    };
    add("s(x)", half);
    add("x + s(x)", [&](const Tensor& t) { return residual(t, half); });
    add("x + s(norm(x))", [&](const Tensor& t) { return pre_norm_residual(t, size_one, half); });
    Report report;
    report.note("s(x) = x / 2, three times, from x = 8. norm(x) = x / |x|, which is 1 here.");
    report.add(table);
    report.add(ways_figure());
    return report;
}

// --- coins

// For x = 2: mean and variance over many coins, and how often two calls agree.
Report show_mean_and_variance(const Request& request) {
    constexpr std::size_t count = 1000000;
    const Tensor x = Tensor::full({count}, 2.0f);
    const NoGrad no_grad;
    Rng rng(request[options::seed]);
    Table table{.columns = {{"p", fixed(1)},
                            {"mean in training", fixed(3)},
                            {"in evaluation", fixed(3)},
                            {"variance in training", fixed(3)},
                            {"equal in two calls, %", fixed(1)}}};
    for (const double p : {0.1, 0.2, 0.5}) {
        const Tensor y = dropout(x, p, &rng), again = dropout(x, p, &rng);
        std::size_t equal = 0;
        for (std::size_t i = 0; i < count; ++i) equal += y.values()[i] == again.values()[i] ? 1 : 0;
        table.add({p, mean(y).item(), mean(dropout(x, p, nullptr)).item(), variance(y, 0).item(),
                   100.0 * static_cast<double>(equal) / count});
    }
    Report report;
    report.note(fmt::format("x = 2, {} coins for each p.", count));
    report.add(table);
    return report;
}

}  // namespace

Sections by_hand_sections() {
    return {{"by-hand", "By hand: three layers", show_three_layers},
            {"mean", "Dropout keeps the mean", show_mean_and_variance, {options::seed}}};
}

}  // namespace tfs
