// chapters/06_residual_dropout/program/by_hand.cpp · the lesson's example: three layers that halve a number, in three ways
#include "chapters/06_residual_dropout/program/options.hpp"

namespace tfs {

namespace {

// One way to add a sublayer: the line of x goes straight up, the branch with the sublayer beside it.
PlanePanel way(const std::string& title, bool norm_before, bool norm_after) {
    using Kind = PlaneShape::Kind;
    constexpr double branch = 2.3, out = 0.6, plus = 5.6, top = 8.0;
    PlanePanel panel{title, -1.4, 4.2, -0.7, top + 0.5};
    const auto line = [&](Kind kind, double from_x, double from_y, double to_x, double to_y, double bold) {
        const bool main = bold > 1.0;
        panel.shapes.push_back({.kind = kind,
                                .from_x = from_x,
                                .from_y = from_y,
                                .to_x = to_x,
                                .to_y = to_y,
                                .hue = main ? Hue::residual : Hue::other,
                                .size = bold});
    };
    const auto box = [&](const std::string& name, double x, double y, Hue hue) {
        panel.shapes.push_back({.kind = Kind::rectangle,
                                .from_x = x - 1.1,
                                .from_y = y - 0.4,
                                .to_x = x + 1.1,
                                .to_y = y + 0.4,
                                .label = name,
                                .hue = hue,
                                .light = true});
    };
    panel.text(0.0, -0.4, "x");
    line(Kind::line, 0.0, 0.0, 0.0, plus - 0.35, 5.0);
    if (norm_after) {
        line(Kind::line, 0.0, plus + 0.35, 0.0, 6.4, 5.0);
        box("norm", 0.0, 6.8, Hue::norm);
    }
    line(Kind::arrow, 0.0, norm_after ? 7.2 : plus + 0.35, 0.0, top, 3.0);
    line(Kind::line, 0.0, out, branch, out, 1.0);
    double y = out;
    const auto step = [&](const std::string& name, Hue hue) {
        line(Kind::arrow, branch, y, branch, y + 0.6, 1.0);
        box(name, branch, y + 1.0, hue);
        y += 1.4;
    };
    if (norm_before) step("norm", Hue::norm);
    step("sublayer", Hue::attention);
    step("dropout", Hue::other);
    line(Kind::line, branch, y, branch, plus, 1.0);
    line(Kind::arrow, branch, plus, 0.35, plus, 1.0);
    panel.shapes.push_back({.kind = Kind::circle, .from_y = plus, .label = "+", .size = 0.35});
    return panel;
}

PlaneFigure ways_figure() {
    return {.name = "ways",
            .title = "In pre-norm the line of x meets only additions; in post-norm also a norm",
            .panels = {way("residual", false, false), way("pre-norm", true, false),
                       way("post-norm", false, true)},
            .panels_per_row = 3,
            .caption =
                "Read upwards. The bold line is the residual connection: x goes on unchanged and meets "
                "the sublayer's output at the plus."};
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

}  // namespace

Section three_layers_by_hand() {
    return {.id = "by-hand", .title = "By hand: three layers", .run = show_three_layers};
}

}  // namespace tfs
