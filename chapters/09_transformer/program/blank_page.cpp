// chapters/09_transformer/program/blank_page.cpp · the blank page: the model in one function beside Transformer, on the same windows
#include <fmt/format.h>

#include <cmath>

#include "chapters/09_transformer/program/options.hpp"
#include "chapters/09_transformer/whole_model.hpp"

namespace tfs {

namespace {

constexpr std::size_t blank_page_windows = 20;

// -log2 of the probability of each character that has one before it, in the mean. Logits (windows, seq, vocab).
double bits_per_character(const Tensor& logits, const Ids& ids) {
    const Tensor logs = log(softmax(logits));
    const std::size_t windows = ids.shape()[0], seq = ids.shape()[1], vocab = logits.size(2);
    double sum = 0.0;
    for (std::size_t i = 0; i < windows; ++i)
        for (std::size_t t = 0; t + 1 < seq; ++t)
            sum -= static_cast<double>(
                logs.values()[(i * seq + t) * vocab + static_cast<std::size_t>(ids(i, t + 1))]);
    return sum / static_cast<double>(windows * (seq - 1)) / std::log(2.0);
}

Report show_blank_page(const Request& request) {
    const NoGrad no_grad;
    Report report;
    const TextTransformer* const trained = trained_decoder(report, request, "so there is nothing to compare");
    if (trained == nullptr) return report;
    const Ids ids = recorded_windows(trained->tokenizer, blank_page_windows);
    const WholeModel model(load_trained_model(weights_file("characters"), character_kind()));
    const std::vector<Stage> stages = model(ids);
    const Shape of_logits{ids.shape()[0], ids.shape()[1], trained->tokenizer.size()};
    if (stages.empty() || stages.back().x.shape() != of_logits)
        throw ShapeError(
            fmt::format("whole_model: the last stage must be the logits, {}; ./tutorial check 9.6 "
                        "says more of whole_model",
                        to_string(of_logits)));
    for (const Stage& stage : stages)
        report.step(stage.name, stage.x, {"window", "seq", stage.name == "logits" ? "vocab" : "d_model"});
    report.note(
        fmt::format("{} windows of {} characters: {} predicted characters, all but the first of each. A "
                    "uniform guess costs "
                    "log2({}) = {:.2f} bits.",
                    ids.shape()[0], ids.shape()[1], ids.shape()[0] * (ids.shape()[1] - 1),
                    trained->tokenizer.size(), std::log2(static_cast<double>(trained->tokenizer.size()))));
    const auto says = [&](const char* who, const Tensor& logits) {
        return fmt::format("{}: {:.4f} bits per character", who, bits_per_character(logits, ids));
    };
    report.note(says("whole_model, one function", stages.back().x));
    // Where a step of Transformer is missing, what came before it stays.
    report.add(part_or_gap([&] {
        Report other;
        other.note(says("Transformer, with its stack", trained->model(ids).logits));
        return other;
    }));
    return report;
}

}  // namespace

Section blank_page() {
    return {.id = "blank-page",
            .title = "A blank page: the model in one function beside Transformer",
            .level = Level::deeper,
            .options = options::of_any_model,
            .run = show_blank_page};
}

}  // namespace tfs
