// chapters/00_tensors/program/gradients.cpp · how backward() walks back through four operations; how exact finite differences are
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "chapters/00_tensors/scalars.hpp"
#include "chapters/00_tensors/tensors.hpp"
#include "common/program.hpp"

namespace tfs {

namespace {

// One operation of the tape: the value that leaves it, its slope, and the gradient that goes back from it.
struct TapeStep {
    std::string operation, value, slope, gradient;
    bool both = false;  // whether it uses the value before it twice
};

// The forward pass above, from left to right; the way back below it. x and y are pixels.
PlaneFigure tape_figure(const std::vector<TapeStep>& steps, const std::string& start,
                        const std::string& to_bias) {
    constexpr double pitch = 172.0, first = 78.0, width = 92.0, above = 184.0, below = 84.0;
    PlanePanel panel{.low_x = 0.0, .high_x = 764.0, .low_y = 0.0, .high_y = 240.0};
    panel.text(40, above + 34, "forward:");
    panel.text(40, below - 34, "backward:");
    panel.text(34, above + 16, start);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const double x = first + pitch * static_cast<double>(i), right = x + width, middle = x + width / 2,
                     before = i == 0 ? 0.0 : x - pitch + width, after = right + (pitch - width);
        panel.box(x, above - 18, right, above + 18, Hue::with, steps[i].operation);
        panel.box(x, below - 18, right, below + 18, Hue::attention, steps[i].slope);
        for (const double shift : steps[i].both ? std::vector{-6.0, 6.0} : std::vector{0.0}) {
            panel.arrow(before + 4, above + shift, x - 5, above + shift, Hue::with);
            panel.arrow(x - 4, below + shift, before + 5, below + shift, Hue::attention);
        }
        panel.line(middle, above - 18, middle, below + 18, Hue::without).light = true;
        panel.text((right + std::min(after, 764.0)) / 2, above + 16, steps[i].value);
        panel.text((before + x) / 2, below + 16, steps[i].gradient);
    }
    const double end = first + pitch * static_cast<double>(steps.size()) - pitch + width;
    panel.arrow(end + 4, above, 762, above, Hue::with);
    panel.arrow(762, below, end + 5, below, Hue::attention);
    panel.text((end + 764) / 2, below + 16, "dL/dL = 1");
    panel.arrow(first + pitch + width / 2, below - 18, first + pitch + width / 2, below - 44, Hue::attention);
    panel.text(first + pitch + width / 2, below - 56, to_bias);
    return {.name = "tape",
            .title = "backward() goes back through the same operations, and multiplies slopes",
            .panels = {panel},
            .panels_per_row = 1,
            .caption =
                "Blue: four operations and their values. Orange: backward() visits them from the last to the "
                "first (dashed: the same operation), and multiplies the gradient by the slope of each. e is "
                "used twice, so two parts come back: 5 + 5."};
}

// What comes back to a in y = a * a + a, where a = 2 c = 3, and what a then sends on. x and y are pixels.
PlaneFigure branch_figure() {
    PlanePanel panel{.low_x = 0.0, .high_x = 764.0, .low_y = 0.0, .high_y = 190.0};
    struct Box {
        double x, y;
        std::string text;
    };
    const Box c{62, 60, "c = 1.5"}, a{276, 60, "a = 2 c = 3"}, product{484, 140, "m = a a = 9"},
        sum{690, 60, "y = m + a = 12"};
    for (const Box& box : {c, a, product, sum})
        panel.box(box.x - 60, box.y - 18, box.x + 60, box.y + 18, Hue::with, box.text);
    const auto send = [&](double x, double y, double to_x, double to_y, const std::string& part,
                          double above) {
        panel.arrow(x, y, to_x, to_y, Hue::attention);
        panel.text((x + to_x) / 2, (y + to_y) / 2 + above, part);
    };
    send(sum.x - 20, sum.y + 20, product.x + 64, product.y - 6, "1", 14);
    send(sum.x - 64, sum.y, a.x + 64, a.y, "1", -12);
    send(product.x - 64, product.y + 4, a.x + 6, a.y + 20, "3", 14);
    send(product.x - 50, product.y - 20, a.x + 50, a.y + 20, "3", -14);
    send(a.x - 64, a.y, c.x + 64, c.y, "2 x 7 = 14", 14);
    return {.name = "branch",
            .title = "a sends when its last part has come: 3 + 3 + 1 = 7",
            .panels = {panel},
            .panels_per_row = 1,
            .caption =
                "backward() in y = a a + a, where a = 2 c. Three parts come to a, one from each use; then a "
                "sends to c."};
}

// w x + b, a guess, and how wrong it is.
struct Guess {
    Scalars tape;
    Scalar &w, &x, &b, &wanted, &p, &s, &e, &loss;

    Guess(double weight, double bias)
        : w(tape.number(weight)),
          x(tape.number(3)),
          b(tape.number(bias)),
          wanted(tape.number(8)),
          p(tape.product(w, x)),
          s(tape.sum(p, b)),
          e(tape.difference(s, wanted)),
          loss(tape.product(e, e)) {}
};

// The gradients of w and b, as the layer finds them.
std::pair<float, float> gradients_of_layer(const Guess& guess) {
    const auto number = [](const Scalar& scalar, bool requires_grad) {
        return Tensor(Tensor::full({}, static_cast<float>(scalar.value)).array(), requires_grad);
    };
    const Tensor w = number(guess.w, true), b = number(guess.b, true);
    const Tensor e = w * number(guess.x, false) + b - number(guess.wanted, false);
    (e * e).backward();
    return {w.grad().data()[0], b.grad().data()[0]};
}

Report check_slope() {
    const auto loss_at = [](double weight) { return Guess(weight, 1).loss.value; };
    const auto loss_of = [&](const Array& weight) { return loss_at(weight.data()[0]); };
    Report report;
    report.note(fmt::format("check: L at w = 4.01 is {:.4f}, at w = 3.99 {:.4f}; the slope is {:.2f}",
                            loss_at(4.01), loss_at(3.99),
                            finite_difference_gradient(loss_of, Tensor::full({1}, 4).array()).data()[0]));
    return report;
}

// Training, with the step's gradients: w and b move a little against them, again and again.
Report train_by_hand() {
    constexpr double rate = 0.02;
    constexpr std::size_t last = 12;
    Table table{.title = "each time, scalar_backward, and w and b move by -0.02 times their gradients:",
                .columns = {{"step", whole()}, {"w", fixed(3)}, {"b", fixed(3)}, {"L", fixed(4)}}};
    double w = 4, b = 1;
    for (std::size_t step = 0; step <= last; ++step) {
        Guess guess(w, b);
        if (step <= 2 || step == last) table.add({step, w, b, guess.loss.value});
        scalar_backward(guess.loss);
        w -= rate * guess.w.gradient;
        b -= rate * guess.b.gradient;
    }
    return Report(table);
}

Report show_tape_by_hand(const Request&) {
    const Guess guess(4, 1);
    const auto [of_w, of_b] = gradients_of_layer(guess);
    Report report;
    report.note(fmt::format("w = {:g}, x = {:g}, b = {:g}, wanted {:g}", guess.w.value, guess.x.value,
                            guess.b.value, guess.wanted.value));
    report.note(fmt::format("forward: p = w x = {:g}, s = p + b = {:g}, e = s - 8 = {:g}, L = e e = {:g}",
                            guess.p.value, guess.s.value, guess.e.value, guess.loss.value));
    report.note(fmt::format("backward(): w.grad() = {:g}, b.grad() = {:g}", of_w, of_b));
    report.add(part_or_gap(check_slope));
    report.add(part_or_gap(train_by_hand));
    const std::string back = fmt::format("{:g}", of_b);  // it reaches s, p and b as it is
    report.add(tape_figure(
        {{"times 3", fmt::format("p = {:g}", guess.p.value), "times 3", fmt::format("dL/dw = {:g}", of_w)},
         {"plus b", fmt::format("s = {:g}", guess.s.value), "times 1", "dL/dp = " + back},
         {"minus 8", fmt::format("e = {:g}", guess.e.value), "times 1", "dL/ds = " + back},
         {"e times e", fmt::format("L = {:g}", guess.loss.value),
          fmt::format("times e = {:g}", guess.e.value),
          fmt::format("{0:g} + {0:g} = {1:g}", guess.e.value, of_b), true}},
        fmt::format("w = {:g}", guess.w.value), "dL/db = " + back));
    report.add(branch_figure());
    return report;
}

// The gradient by (f(x + h) - f(x)) / h.
template <class Function>
Array one_sided_gradient(const Function& f, const Array& x, float step) {
    Array gradient = Array::from_shape(x.shape());
    Array point = x;
    const double here = f(x);
    for (std::size_t i = 0; i < x.size(); ++i) {
        point.data()[i] = x.data()[i] + step;
        gradient.data()[i] =
            static_cast<float>((f(point) - here) / (static_cast<double>(point.data()[i]) - x.data()[i]));
        point.data()[i] = x.data()[i];
    }
    return gradient;
}

// The true gradient is 1 - tanh(x_i)^2.
double largest_error(const Array& gradient, const Array& x) {
    double largest = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double t = std::tanh(static_cast<double>(x.data()[i]));
        largest = std::max(largest, std::abs(gradient.data()[i] - (1.0 - t * t)));
    }
    return largest;
}

template <class Real>
double sum_of_tanh(const Array& x) {
    Real total = 0;
    for (std::size_t i = 0; i < x.size(); ++i) total += std::tanh(static_cast<Real>(x.data()[i]));
    return static_cast<double>(total);
}

// Steps from 1 down to 1e-6, two for each power of ten.
Table difference_errors(std::uint64_t seed) {
    Table table{.title = "f(x) = sum of tanh(x_i) over 8 entries; the largest error of the gradient:",
                .columns = {{"step h", scientific(1)},
                            {"one-sided, float32", scientific(1)},
                            {"central, float32", scientific(1)},
                            {"central, float64", scientific(1)}}};
    const Array x = Rng(seed).uniform_array({8}, -1.5, 1.5);
    for (int half_decade = 0; half_decade <= 12; ++half_decade) {
        const float h = static_cast<float>(std::pow(10.0, -0.5 * half_decade));
        table.add({h, largest_error(one_sided_gradient(sum_of_tanh<float>, x, h), x),
                   largest_error(finite_difference_gradient(sum_of_tanh<float>, x, h), x),
                   largest_error(finite_difference_gradient(sum_of_tanh<double>, x, h), x)});
    }
    return table;
}

// The step with the smallest error.
double best_step(const Series& errors) {
    const auto least = std::min_element(errors.y.begin(), errors.y.end());
    return errors.x[static_cast<std::size_t>(least - errors.y.begin())];
}

Report show_difference_error(const Request& request) {
    const Table table = difference_errors(request[options::seed]);
    const Series one_sided = series(table, "step h", "one-sided, float32"),
                 central = series(table, "step h", "central, float32", "float32"),
                 in_double = series(table, "step h", "central, float64", "float64");
    Report report;
    report.add(table);
    report.note(
        fmt::format("best step: one-sided {:.1e}, central {:.1e}", best_step(one_sided), best_step(central)));
    LinePanel panel{"central differences of a function f in float32 and in float64",
                    "step h",
                    "largest error of the gradient",
                    true,
                    true,
                    {central, in_double}};
    panel.series[0].name_at = panel.series[1].name_at = central.x[central.x.size() - 3];
    panel.limits = {{.from = best_step(central), .name = "best h in float32", .on_x = true}};
    report.add(LineFigure{
        .name = "difference_error",
        .title = "In float32 a middle step is best: smaller ones suffer from rounding, larger ones from "
                 "truncation",
        .panels = {panel},
        .panels_per_row = 1,
        .caption =
            "f is a sum of tanh(x). In float32 its values are too coarse for a small step; in float64 such "
            "steps do no harm. A large step harms both. Both axes are logarithmic."});
    return report;
}

}  // namespace

Sections gradients_sections() {
    return {{"tape-by-hand", "A tape by hand", show_tape_by_hand},
            {"difference-error",
             "Measured: the error of finite differences",
             show_difference_error,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
