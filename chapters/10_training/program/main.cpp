// chapters/10_training/program/main.cpp · trains a small model, and looks at what its attention learned
//
// Run it: ./tutorial run 10          on your own steps: ./tutorial run 10 --mine=all
//         ./tutorial run 10 -- --deeper
//         ./tutorial run 10 -- --steps 50 --rate 0.01
//         ./tutorial run 10 -- --train it        (a minute)
//         ./tutorial run 10 -- --train dates     (a minute)
//         ./tutorial run 10 -- --train characters     (five minutes; --corpus FILE learns your text)
//         ./tutorial run 10 -- --resume          (after Ctrl-C)
//         ./tutorial run 10 -- --experiment all  (what a part does for the training)
#include <fmt/ostream.h>

#include "chapters/10_training/program/experiments.hpp"
#include "chapters/10_training/program/sections.hpp"
#include "common/text/display.hpp"

namespace {

using namespace tfs;

// What a model needs where the options don't say it.
struct Needs {
    std::size_t steps, heads;
    double rate;
    std::size_t d_model;
};
const std::map<std::string, Needs> needs_of = {{"nouns", {300, 1, 3e-3, 64}},
                                               {"it", {2400, 4, 2e-3, 96}},
                                               {"dates", {1800, 1, 3e-3, 64}},
                                               {"characters", {6000, 4, 3e-3, 128}}};

void check_experiment(const OwnOptions& own) {
    require_experiment(own.experiment);
    if (own.train != "nouns" || own.steps != 0 || own.heads != 0 || own.rate != 0.0 || own.resume ||
        !own.save.empty() || !own.corpus.empty())
        throw ValueError(
            "--experiment has models and plans of its own: leave out --train, --steps, --rate, "
            "--heads, --corpus, --resume and --save");
}

void check_options(OwnOptions& own) {
    const auto model = needs_of.find(own.train);
    if (model == needs_of.end())
        throw ValueError(
            fmt::format("--train {}: there is no such model; there are: nouns, it, dates, characters",
                        harmless(own.train)));
    if (!own.experiment.empty()) check_experiment(own);
    if (own.steps == 0) own.steps = model->second.steps;
    if (own.heads == 0) own.heads = model->second.heads;
    if (own.rate == 0.0) own.rate = model->second.rate;
    require_between("--steps", own.steps, 2, 1'000'000);
    require_heads(own.heads, model->second.d_model);
    if (!(own.rate > 0.0)) throw ValueError(fmt::format("--rate {}: must be above 0", own.rate));
    if (!own.corpus.empty() && own.train != "characters")
        throw ValueError(fmt::format("--corpus is for --train characters, not for {}", own.train));
}

std::map<std::string, std::string> metadata_of(const NounTraining& training, const NounScore& score) {
    return {{"made_by", "./tutorial run 10 -- --save weights/nouns.safetensors"},
            {"plan", in_words(training.trainer.plan)},
            {"held_out_accuracy", fmt::format("{:.4f}", score.accuracy)},
            {"held_out_mean_weight", fmt::format("{:.3f}", score.mean_weight)}};
}

void show_training(Show& show, const OwnOptions& own) {
    show.section("By hand", [&] { show_by_hand(show); });
    const std::unique_ptr<NounTraining> training = make_noun_training(noun_plan(own, show.options.seed));
    show.section("The task: which noun does the last word speak of?",
                 [&] { show_noun_task(show, *training); });
    show.section(fmt::format("Training: {} steps of 64 sentences", own.steps), [&] {
        const NounRun run = run_noun_training(show, *training, own);
        show.figures.save(run.curves);
        if (!show.options.show.whose.empty())
            show_time_shares(show, *training);  // on the learner's own steps
        const NounScore score = score_of(*training);
        show.section("What its attention learned", [&] {
            show.figures.save(show_trained_maps(show, *training, score));
            show.figures.save(growth_figure(run.growth));
        });
        show.section("What the map doesn't show", [&] {
            if (const auto figure = show_overlooked(show, *training, score)) show.figures.save(*figure);
        });
        if (!own.save.empty()) {
            save_network(training->model, noun_finder_kind(), own.save, metadata_of(*training, score));
            fmt::print(show.out, "\nThe weights are in {}\n", own.save);
        }
    });
    show.deeper("Claim: with more heads, one map says less", [&] { compare_heads(show, own); });
}

void show_models(Show& show, const OwnOptions& own) {
    if (!own.experiment.empty()) return show_experiments(show, own.experiment);
    if (own.train == "it") return train_it(show, own);
    if (own.train == "dates") return train_dates(show, own);
    if (own.train == "characters") return train_characters(show, own);
    show_training(show, own);
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
                 program.option("--train", own.train,
                                "the model that is trained: nouns, it, dates, characters");
                 program.option("--experiment", own.experiment,
                                "small trainings with and without a part: its name, or all");
                 program.option("--steps", own.steps, "steps of training; 0: as many as the model needs");
                 program.option("--rate", own.rate, "the highest learning rate; 0: as the model needs");
                 program.option("--heads", own.heads,
                                "heads of attention, must divide its width of 64 (it: 96, characters: 128); "
                                "0: as many as the model needs");
                 program.option("--corpus", own.corpus, "text file (UTF-8) for --train characters");
                 program.option("--resume", own.resume,
                                "go on from the last checkpoint of the same training");
                 program.option("--save", own.save, "file for the trained weights (safetensors, 16 bits)");
             },
         .own_checks = [&](const tfs::SharedOptions&) { check_options(own); },
         .body = [&](tfs::Show& show) { show_models(show, own); }});
}
