// chapters/06_residual_dropout/program/by_hand.cpp · the lesson's example: three layers that halve a number, in three ways
#include "chapters/06_residual_dropout/program/options.hpp"

namespace tfs {

namespace {

FlowFigure ways_figure() {
    const auto panel = [](const std::string& title, bool norm_before, bool norm_after) {
        FlowPanel one{.title = title, .boxes = {{"x", "", FlowKind::input}}};
        if (norm_before) one.boxes.push_back({"norm", "", FlowKind::norm});
        one.boxes.push_back({"sublayer", "", FlowKind::attention});
        one.boxes.push_back({"dropout"});
        one.residuals.push_back({0, one.boxes.size()});
        one.boxes.push_back({"+", "", FlowKind::add});
        if (norm_after) one.boxes.push_back({"norm", "", FlowKind::norm});
        return one;
    };
    return {.name = "ways",
            .title = "Three ways to add a sublayer",
            .panels = {panel("residual", false, false), panel("pre-norm", true, false),
                       panel("post-norm", false, true)},
            .caption =
                "Read upwards. The line around the boxes is the residual connection: x goes on unchanged "
                "and meets the sublayer's output at the plus. In pre-norm only additions lie on this "
                "line. In post-norm each sum passes a norm."};
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
