// chapters/09_transformer/program/blank_page.cpp · the blank page: the model in one function beside Transformer, on the same windows
#include <fmt/format.h>

#include <cmath>

#include "chapters/09_transformer/program/options.hpp"
#include "chapters/09_transformer/whole_model.hpp"

namespace tfs {

namespace {

constexpr std::size_t blank_page_windows = 20;

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
        return fmt::format("{}: {:.4f} bits per character", who,
                           next_token_loss(logits, ids) / std::log(2.0));
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

Sections blank_page_sections() {
    return {{"blank-page", "A blank page: the model in one function beside Transformer", show_blank_page,
             options::of_any_model, Level::deeper}};
}

}  // namespace tfs
