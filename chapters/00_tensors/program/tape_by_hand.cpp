// chapters/00_tensors/program/tape_by_hand.cpp · one weight, four operations, and how backward() walks back through them
#include <fmt/format.h>

#include <algorithm>

#include "chapters/00_tensors/tensors.hpp"
#include "common/program.hpp"

namespace tfs {

namespace {

Tensor number(float value, bool requires_grad = false) {
    return Tensor(Tensor::full({}, value).array(), requires_grad);
}

float gradient_of(const Tensor& x) { return x.grad().data()[0]; }

// One operation of the tape: the value that leaves it, its slope, and the gradient that goes back from it.
struct TapeStep {
    std::string operation, value, slope, gradient;
    bool both = false;  // whether it uses the value before it twice
};

// The forward pass above, from left to right; the way back below it. x and y are pixels.
PlaneFigure tape_figure(const std::vector<TapeStep>& steps, const std::string& start,
                        const std::string& to_bias) {
    using Kind = PlaneShape::Kind;
    constexpr double pitch = 172.0, first = 78.0, width = 92.0, above = 184.0, below = 84.0;
    PlanePanel panel{.title = {}, .low_x = 0.0, .high_x = 764.0, .low_y = 0.0, .high_y = 240.0};
    const auto add = [&](Kind kind, double x, double y, double to_x, double to_y, Hue hue,
                         const std::string& label = {}) {
        panel.shapes.push_back(
            {kind, x, y, to_x, to_y, label, hue, 0.0, kind == Kind::rectangle || kind == Kind::line});
    };
    panel.text(40, above + 34, "forward:");
    panel.text(40, below - 34, "backward:");
    panel.text(34, above + 16, start);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const double x = first + pitch * static_cast<double>(i), right = x + width, middle = x + width / 2,
                     before = i == 0 ? 0.0 : x - pitch + width, after = right + (pitch - width);
        add(Kind::rectangle, x, above - 18, right, above + 18, Hue::with, steps[i].operation);
        add(Kind::rectangle, x, below - 18, right, below + 18, Hue::attention, steps[i].slope);
        for (const double shift : steps[i].both ? std::vector{-6.0, 6.0} : std::vector{0.0}) {
            add(Kind::arrow, before + 4, above + shift, x - 5, above + shift, Hue::with);
            add(Kind::arrow, x - 4, below + shift, before + 5, below + shift, Hue::attention);
        }
        add(Kind::line, middle, above - 18, middle, below + 18, Hue::without);
        panel.text((right + std::min(after, 764.0)) / 2, above + 16, steps[i].value);
        panel.text((before + x) / 2, below + 16, steps[i].gradient);
    }
    const double end = first + pitch * static_cast<double>(steps.size()) - pitch + width;
    add(Kind::arrow, end + 4, above, 762, above, Hue::with);
    add(Kind::arrow, 762, below, end + 5, below, Hue::attention);
    panel.text((end + 764) / 2, below + 16, "dL/dL = 1");
    add(Kind::arrow, first + pitch + width / 2, below - 18, first + pitch + width / 2, below - 44,
        Hue::attention);
    panel.text(first + pitch + width / 2, below - 56, to_bias);
    return {.name = "tape",
            .title = "backward() goes back through the same operations, and multiplies slopes",
            .panels = {panel},
            .panels_per_row = 1,
            .caption =
                "Blue: four operations and their values. Orange: backward() visits them from the last to the "
                "first (dashed: the same "
                "operation), and multiplies the gradient by the slope of each. The gradient of L itself is "
                "1. e is used twice, so two parts "
                "come back: 2 + 2."};
}

Report check_slope(const Tensor& w) {
    const auto loss_of = [](const Array& weight) {
        const double error = 2.0 * weight.data()[0] + 1.0 - 5.0;
        return error * error;
    };
    Report report;
    report.note(fmt::format("check: L at w = 3.01 is {:.4f}, at w = 2.99 {:.4f}; the slope is {:.2f}",
                            loss_of(number(3.01f).array()), loss_of(number(2.99f).array()),
                            finite_difference_gradient(loss_of, w.array()).data()[0]));
    return report;
}

Report show_tape_by_hand(const Request&) {
    const Tensor w = number(3, true), x = number(2), b = number(1, true), wanted = number(5);
    const Tensor p = w * x, s = p + b, e = s - wanted, loss = e * e;
    Report report;
    report.note(fmt::format("w = {:g}, x = {:g}, b = {:g}, wanted {:g}", w.item(), x.item(), b.item(),
                            wanted.item()));
    report.note(fmt::format("forward: p = w x = {:g}, s = p + b = {:g}, e = s - 5 = {:g}, L = e e = {:g}",
                            p.item(), s.item(), e.item(), loss.item()));
    loss.backward();
    report.note(fmt::format("backward(): w.grad() = {:g}, b.grad() = {:g}", gradient_of(w), gradient_of(b)));
    report.add(part_or_gap([&] { return check_slope(w); }));
    const float at_e = gradient_of(b);  // it reaches s, p and b as it is
    report.add(tape_figure(
        {{"times x = 2", fmt::format("p = {:g}", p.item()), "times x = 2",
          fmt::format("dL/dw = {:g}", gradient_of(w))},
         {"plus b = 1", fmt::format("s = {:g}", s.item()), "times 1", fmt::format("dL/dp = {:g}", at_e)},
         {"minus 5", fmt::format("e = {:g}", e.item()), "times 1", fmt::format("dL/ds = {:g}", at_e)},
         {"e times e", fmt::format("L = {:g}", loss.item()), fmt::format("times e = {:g}", e.item()),
          fmt::format("dL/de = {:g}", at_e), true}},
        fmt::format("w = {:g}", w.item()), fmt::format("dL/db = {:g}", at_e)));
    return report;
}

}  // namespace

Section tape_by_hand() { return {.id = "tape-by-hand", .title = "A tape by hand", .run = show_tape_by_hand}; }

}  // namespace tfs
