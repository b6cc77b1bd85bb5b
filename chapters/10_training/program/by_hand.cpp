// chapters/10_training/program/by_hand.cpp · the sums of the lesson that fit on paper
#include <fmt/format.h>
#include <fmt/ranges.h>

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
    return {.items = {Paragraph{fmt::format("logits 2, 1, 0 and target 0: p = {}   loss {:.3f}   gradient {}",
                                            in_decimals(softmax(logits.detach()).array()), loss.item(),
                                            in_decimals(logits.grad()))}}};
}

Report report_of_adamw() {
    AdamW adam({{"bias", learned({2}, {1.0f, 1.0f})}});
    const Tensor& bias = adam.parameters[0].tensor;
    sum(bias * Tensor::from({2}, {0.001f, 1000.0f})).backward();
    adam.step(0.1);
    return {.items = {Paragraph{
                fmt::format("AdamW, first step, rate 0.1, values 1, 1, gradients 0.001, 1000: values {}",
                            in_decimals(bias.array()))}}};
}

}  // namespace

Section training_by_hand() {
    return {.id = "by-hand", .title = "By hand", .run = [](const Request&) {
                Report report = part_or_gap(report_of_loss);
                report.add(part_or_gap(report_of_adamw));
                return report;
            }};
}

}  // namespace tfs
