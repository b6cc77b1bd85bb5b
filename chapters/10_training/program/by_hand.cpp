// chapters/10_training/program/by_hand.cpp · the sums of the lesson that fit on paper
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "chapters/01_attention/attention.hpp"
#include "chapters/10_training/program/options.hpp"

namespace tfs {

namespace {

std::string in_decimals(const Array& values) {
    return fmt::format("{:.3f}", fmt::join(values.begin(), values.end(), ", "));
}

Tensor learned(const Shape& shape, std::vector<float> values) {
    return Tensor::from(shape, std::move(values)).set_requires_grad(true);
}

Report report_of_loss() {
    const Tensor logits = learned({1, 3}, {2.0f, 1.0f, 0.0f});
    Ids target = Ids::from_shape({1});
    target(0) = 0;
    const Tensor loss = cross_entropy(logits, target);
    loss.backward();
    return Report(Paragraph{fmt::format("logits 2, 1, 0 and target 0: p = {}   loss {:.3f}   gradient {}",
                                        in_decimals(softmax(logits.detach()).array()), loss.item(),
                                        in_decimals(logits.grad()))});
}

// How far AdamW moves a value at step 1, 10 and 100, in learning rates.
Report report_of_adamw() {
    constexpr double rate = 1e-3;
    AdamW adam({{"bias", learned({3}, {0.0f, 0.0f, 0.0f})}, {"weight", learned({1, 1}, {1.0f})}});
    const Tensor &bias = adam.parameters[0].tensor, &weight = adam.parameters[1].tensor;
    Table table{.title = "How far AdamW moves a value, in learning rates",
                .columns = {{"step", whole()},
                            {"0.0001 each time", fixed(3), {}, "gradient"},
                            {"1000 each time", fixed(3), {}, "gradient"},
                            {"1, -1 in turn", fixed(3), {}, "gradient"},
                            {"0, but decay 0.01", fixed(3), {}, "gradient"}}};
    for (std::size_t step = 1; step <= 100; ++step) {
        const Array b = bias.array(), w = weight.array();
        clear_grads(adam.parameters);
        (sum(bias * Tensor::from({3}, {1e-4f, 1e3f, step % 2 == 1 ? 1.0f : -1.0f})) + sum(weight * 0.0f))
            .backward();
        adam.step(rate);
        const auto moved = [&](float before, float after) { return std::abs(before - after) / rate; };
        if (step == 1 || step == 10 || step == 100)
            table.add({step, moved(b(0), bias.at({0})), moved(b(1), bias.at({1})), moved(b(2), bias.at({2})),
                       moved(w(0, 0), weight.at({0, 0}))});
    }
    Report report;
    report.add(table);
    return report;
}

// The loss over the probability of the right word, and where it is if one or another of the three words is right.
LineFigure loss_figure() {
    const Array p = softmax(Tensor::from({1, 3}, {2.0f, 1.0f, 0.0f})).array();
    LinePanel panel{.x_axis = "probability of the right word", .y_axis = "loss"};
    constexpr const char* names[] = {"first", "second", "third"};
    for (std::size_t i = 0; i < 3; ++i)
        panel.series.push_back({.name = fmt::format("{} word p = {:.3f}, loss {:.3f}", names[i], p.data()[i],
                                                    -std::log(p.data()[i])),
                                .x = {p.data()[i]},
                                .y = {-std::log(p.data()[i])},
                                .hue = Hue::held_out});
    Series curve{.name = "−ln p", .hue = Hue::training, .name_at = 0.45};
    for (std::size_t i = 2; i <= 100; ++i)
        curve.add(static_cast<double>(i) / 100.0, -std::log(static_cast<double>(i) / 100.0));
    panel.series.push_back(curve);
    return {
        .name = "loss",
        .title = "The less the model expects the right word, the larger the loss",
        .panels = {panel},
        .caption =
            "The loss is −ln p. The three points: the first, the second or the third word is the right one."};
}

LineFigure schedule_figure() {
    const TrainingPlan plan = settings_of("nouns", {}).plan;
    WarmupCosine schedule = plan.rate;
    schedule.total = plan.steps;
    Series rate{.name = "rate"};
    for (std::size_t step = 1; step <= schedule.total; ++step)
        rate.add(static_cast<double>(step), learning_rate(schedule, step));
    return {.name = "schedule",
            .title = "The learning rate warms up, then it falls along half a cosine",
            .panels = {{.x_axis = "step",
                        .y_axis = "learning rate",
                        .series = {rate},
                        .from_zero = true,
                        .limits = {{.from = 0.0,
                                    .to = static_cast<double>(schedule.warmup),
                                    .name = "warm-up",
                                    .on_x = true}}}},
            .caption = "The learning rate of the training below."};
}

}  // namespace

Sections by_hand_sections() {
    return {{"by-hand", "By hand", [](const Request&) {
                 Report report = part_or_gap(report_of_loss);
                 report.add(part_or_gap(report_of_adamw));
                 report.add(loss_figure());
                 report.add(part_or_gap([] {
                     Report drawn;
                     drawn.add(schedule_figure());
                     return drawn;
                 }));
                 return report;
             }}};
}

}  // namespace tfs
