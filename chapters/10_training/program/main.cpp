// chapters/10_training/program/main.cpp · trains a small model, and looks at what its attention learned
//
// Run it: ./tutorial run 10          on your own steps: ./tutorial run 10 --mine=all
//         ./tutorial run 10 -- --deeper
//         ./tutorial run 10 -- --steps 50 --rate 0.01
//         ./tutorial run 10 -- --train it        (a minute)
//         ./tutorial run 10 -- --train dates     (a minute)
//         ./tutorial run 10 -- --train characters     (25 minutes on one core; --corpus FILE learns your text)
//         ./tutorial run 10 -- --resume          (after Ctrl-C)
//         ./tutorial run 10 -- --experiment all  (what a part does for the training)
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "chapters/10_training/program/experiments.hpp"
#include "chapters/10_training/program/training_run.hpp"
#include "common/terminal/display.hpp"

namespace {

using namespace tfs;

// The options of this chapter.
struct OwnOptions {
    std::string train = "nouns";  // the model that is trained
    TaskOptions task = {};
    std::string corpus;  // a text for the model of characters; empty: the one that comes with the repository
    bool resume = false;
    std::string save;        // a file for the trained weights
    std::string experiment;  // its name, or "all"; empty: none
};

void check_experiment(const OwnOptions& own) {
    require_experiment(own.experiment);
    if (own.train != "nouns" || own.task.steps != 0 || own.task.heads != 0 || own.task.rate != 0.0 ||
        own.resume || !own.save.empty() || !own.corpus.empty())
        throw ValueError(
            "--experiment has models and plans of its own: leave out --train, --steps, --rate, "
            "--heads, --corpus, --resume and --save");
}

// A training may take minutes: what would stop it at its beginning or its end is said before.
void check_files(const OwnOptions& own, const SharedOptions& shared) {
    if (own.resume) {
        if (shared.show.plots.empty())
            throw ValueError(fmt::format(
                "--resume: --train {} has its checkpoints below the folder of --plots, which is not given",
                own.train));
        const auto file = checkpoints_of(shared, own.train) / "last.safetensors";
        if (!std::filesystem::exists(file))
            throw FileError(fmt::format("--resume: there is no checkpoint of --train {} to go on from, {}",
                                        own.train, harmless(file.string())));
    }
    const std::filesystem::path folder = std::filesystem::path(own.save).parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder))
        throw FileError(fmt::format("--save: there is no folder {} for the weights of --train {}",
                                    harmless(folder.string()), own.train));
}

void check_options(OwnOptions& own, const SharedOptions& shared) {
    own.task.corpus = own.corpus;
    own.task.seed = shared.seed;
    if (!own.experiment.empty()) check_experiment(own);
    (void)settings_of(own.train, own.task);
    check_files(own, shared);
}

std::string help_of_train() {
    std::vector<std::string> names;
    for (const TaskNeeds& needs : tasks()) names.emplace_back(needs.name);
    return fmt::format("the model that is trained: {}", fmt::join(names, ", "));
}

std::string help_of_heads() {
    std::vector<std::string> widths;
    for (const TaskNeeds& needs : tasks())
        widths.push_back(fmt::format("{}: {}", needs.name, needs.config().d_model));
    return fmt::format(
        "heads of attention, must divide the width of the model ({}); 0: as many as the model needs",
        fmt::join(widths, ", "));
}

ShownTraining shown_training(Show& show, const OwnOptions& own) {
    if (own.train == "it") return shown_it(show, own.task);
    if (own.train == "dates") return shown_dates(show, own.task);
    if (own.train == "characters") return shown_characters(show, own.task);
    return shown_nouns(show, own.task);
}

void show_models(Show& show, const OwnOptions& own) {
    if (!own.experiment.empty()) return show_experiments(show, own.experiment);
    const bool is_lesson = own.train == "nouns";
    if (is_lesson) show.section("By hand", [&] { show_by_hand(show); });
    show_training(show, shown_training(show, own), {.resume = own.resume, .save = own.save});
    if (!is_lesson) return;
    show.section("A trained encoder: who is \"it\"?", [&] { show_it(show); });
    show_dates(show);
    show_characters(show);
}

}  // namespace

int main(int argc, char** argv) {
    OwnOptions own;
    return tfs::run_chapter(
        argc, argv,
        {.name = "10_training",
         .description = "Training: from random weights to an attention map that means something.",
         .limits = {.max_tokens = 0, .heads = false, .max_d_model = 0},
         .own_options =
             [&](tfs::Program& program) {
                 program.option("--train", own.train, help_of_train());
                 program.option("--experiment", own.experiment,
                                "small trainings with and without a part: its name, or all");
                 program.option("--steps", own.task.steps,
                                "steps of training; 0: as many as the model needs");
                 program.option("--rate", own.task.rate, "the highest learning rate; 0: as the model needs");
                 program.option("--heads", own.task.heads, help_of_heads());
                 program.option("--corpus", own.corpus, "text file (UTF-8) for --train characters");
                 program.option("--resume", own.resume,
                                "go on from the last checkpoint of the same training");
                 program.option("--save", own.save, "file for the trained weights (safetensors, 16 bits)");
             },
         .own_checks = [&](const tfs::SharedOptions& shared) { check_options(own, shared); },
         .body = [&](tfs::Show& show) { show_models(show, own); }});
}
