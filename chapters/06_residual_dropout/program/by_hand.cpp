// chapters/06_residual_dropout/program/by_hand.cpp · the lesson's example: three layers that halve a number, in three ways
#include <fmt/ostream.h>

#include <string>

#include "chapters/06_residual_dropout/program/sections.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

void show_by_hand(Show& show) {
    const Sublayer half = [](const Tensor& t) { return t * 0.5f; };
    const Sublayer size_one = [](const Tensor& t) { return t / sqrt(t * t); };  // the norm of a single number
    const auto row = [&](const char* name, const Sublayer& layer) {
        const Tensor x(Tensor::full({1}, 8.0f).array(), true);  // true: it wants a gradient
        fmt::print(show.out, "  {:<16} {:>5g}", name, x.item());
        Tensor y = x;
        for (int i = 0; i < 3; ++i) {
            y = layer(y);
            fmt::print(show.out, " {:>5g}", y.item());
        }
        y.backward();
        fmt::print(show.out, " {:>19.3f}\n", x.grad().data()[0]);
    };
    show.out << "  s(x) = x / 2, three times, from x = 8. norm(x) = x / |x|, which is 1 here.\n\n";
    fmt::print(show.out, "  {:<16} {:>5} {:>17} {:>19}\n", "layer", "x", "after 1, 2, 3", "gradient at x");
    row("s(x)", half);
    row("x + s(x)", [&](const Tensor& t) { return residual(t, half); });
    row("x + s(norm(x))", [&](const Tensor& t) { return pre_norm_residual(t, size_one, half); });
}

FlowFigure ways_figure() {
    const auto panel = [](const std::string& title, bool adds, bool before, bool after) {
        FlowPanel one{.title = title, .boxes = {{"x", "", FlowKind::input}}};
        if (before) one.boxes.push_back({"norm", "", FlowKind::norm});
        one.boxes.push_back({"sublayer", "", FlowKind::attention});
        one.boxes.push_back({"dropout"});
        if (adds) {
            one.residuals.push_back({0, one.boxes.size()});
            one.boxes.push_back({"+", "", FlowKind::add});
        }
        if (after) one.boxes.push_back({"norm", "", FlowKind::norm});
        return one;
    };
    return {.name = "ways",
            .title = "Three ways to add a sublayer",
            .panels = {panel("residual", true, false, false), panel("pre-norm", true, true, false),
                       panel("post-norm", true, false, true)},
            .caption =
                "Read upwards. The line around the boxes is the residual connection: x goes on unchanged "
                "and meets the sublayer's output at the plus. In pre-norm only additions lie on this "
                "line. In post-norm each sum passes a norm."};
}

}  // namespace tfs
