// chapters/10_training/program/sections.cpp · trains a small model, and looks at what its attention learned
//
// Run it: ./tutorial run 10          on your own steps: ./tutorial run 10 --mine=all
//         ./tutorial run 10 -- --deeper
//         ./tutorial run 10 -- --steps 50 --rate 0.01
//         ./tutorial run 10 -- --train sizes     (seconds)
//         ./tutorial run 10 -- --train it        (a minute)
//         ./tutorial run 10 -- --train dates     (a minute)
//         ./tutorial run 10 -- --train characters     (25 minutes on one core; --corpus FILE learns your text)
//         ./tutorial run 10 --mine=passed -- --experiment language-model     (3 minutes on two cores; --steps 200 shortens it)
//         ./tutorial run 10 -- --resume          (after Ctrl-C)
//         ./tutorial run 10 -- --experiment all  (what a part does for the training)
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "chapters/10_training/program/options.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

Sections by_hand_sections(), training_sections(), it_sections(), dates_sections(), characters_sections(),
    experiment_sections();

namespace options {

TextOption trained_model() {
    std::vector<std::string> names;
    for (const TaskKind& kind : task_kinds()) names.emplace_back(kind.name);
    return {"--train", names.front(), fmt::format("the model that is trained: {}", fmt::join(names, ", ")), 0,
            names};
}

}  // namespace options

namespace {

// A training may take minutes: what would stop it at its beginning or its end is said before.
void check_files(const Request& request) {
    const std::string& train = request[options::train];
    if (request[options::resume]) {
        const std::filesystem::path folder = checkpoints_of(request, train),
                                    file = folder / "last.safetensors";
        if (folder.empty())
            throw ValueError(fmt::format(
                "--resume: --train {} has its checkpoints below the folder of --plots, which is not given",
                train));
        if (!std::filesystem::exists(file))
            throw FileError(fmt::format("--resume: there is no checkpoint of --train {} to go on from, {}",
                                        train, harmless(file.string())));
    }
    std::error_code error;
    const auto status = std::filesystem::status(request[options::save], error);
    if (status.type() == std::filesystem::file_type::none)
        throw FileError(fmt::format("--save: {}: can't be written ({})", harmless(request[options::save]),
                                    error.message()));
    if (std::filesystem::is_directory(status))
        throw FileError(fmt::format("--save: {} is a folder, not a file", harmless(request[options::save])));
    const std::filesystem::path folder = std::filesystem::path(request[options::save]).parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder))
        throw FileError(fmt::format("--save: there is no folder {} for the weights of --train {}",
                                    harmless(folder.string()), train));
}

void check_options(const Request& request) {
    (void)task_settings(request);
    check_files(request);
}

// What follows the training of the lesson is not shown with another.
bool belongs(const Section& section, const Request& request) {
    const std::string& train = request[options::train];
    if (section.id == "task" || section.id == "training") return true;
    return train == "nouns";
}

}  // namespace

Chapter chapter() {
    return {.name = "10_training",
            .description = "Training: from random weights to an attention map that means something.",
            .sections = joined({by_hand_sections(), training_sections(), it_sections(), dates_sections(),
                                characters_sections(), experiment_sections()}),
            .check = check_options,
            .belongs = belongs};
}

TaskSettings task_settings(const Request& request) {
    return settings_of(request[options::train], {.steps = request[options::steps],
                                                 .heads = request[options::heads],
                                                 .rate = request[options::rate],
                                                 .seed = request[options::seed],
                                                 .corpus = request[options::corpus]});
}

}  // namespace tfs
