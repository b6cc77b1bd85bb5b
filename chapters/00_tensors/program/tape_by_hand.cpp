// chapters/00_tensors/program/tape_by_hand.cpp · one weight, four operations, and how backward() walks back through them
#include <fmt/format.h>

#include "chapters/00_tensors/tensors.hpp"
#include "common/program.hpp"

namespace tfs {

namespace {

Tensor number(float value, bool requires_grad = false) {
    return Tensor(Tensor::full({}, value).array(), requires_grad);
}

float gradient_of(const Tensor& x) { return x.grad().data()[0]; }

// What backward() passes from operation to operation: the forward pass on the left, the way back on the right.
FlowFigure tape_figure(float p, float s, float e, float loss, float at_e, float at_w) {
    FlowPanel forward{.title = "forward: values",
                      .boxes = {{"w = 3", "", FlowKind::input},
                                {"times x = 2", fmt::format("p = {:g}", p)},
                                {"plus b = 1", fmt::format("s = {:g}", s)},
                                {"minus 5", fmt::format("e = {:g}", e)},
                                {"square", ""},
                                {fmt::format("L = {:g}", loss), "", FlowKind::input}}};
    FlowPanel back{.title = "backward: gradients",
                   .boxes = {{"dL/dL = 1", "", FlowKind::input},
                             {fmt::format("times 2 e = 2 · {:g}", e), fmt::format("dL/de = {:g}", at_e)},
                             {"times 1", fmt::format("dL/ds = {:g}", at_e)},
                             {fmt::format("times 1; dL/db = {:g}", at_e), fmt::format("dL/dp = {:g}", at_e)},
                             {"times x = 2", ""},
                             {fmt::format("dL/dw = {:g}", at_w), "", FlowKind::input}},
                   .downward = true};
    return {
        .name = "tape",
        .title = "A tape, forward and back",
        .panels = {forward, back},
        .links = {{0, 5, 1, 0}, {0, 4, 1, 1}, {0, 1, 1, 4}},
        .caption =
            "Left, upwards: four operations and their values. Right, downwards: backward() visits the same "
            "operations from the last to the first, and multiplies the gradient by the slope of each. The "
            "lower arrows to the right are values that a slope needs: e = 2 and x = 2. The gradient of L "
            "itself is 1; there the way back begins."};
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
    report.add(tape_figure(p.item(), s.item(), e.item(), loss.item(), gradient_of(b), gradient_of(w)));
    return report;
}

}  // namespace

Section tape_by_hand() { return {.id = "tape-by-hand", .title = "A tape by hand", .run = show_tape_by_hand}; }

}  // namespace tfs
