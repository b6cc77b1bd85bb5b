// chapters/10_training/program/sections.hpp · what the program of chapter 10 shows: a function for each section, by the file it lies in
#pragma once

#include "chapters/10_training/given/noun_training.hpp"
#include "common/program/chapter_program.hpp"

namespace tfs {

// The options of this chapter.
struct OwnOptions {
    std::string train = "nouns";       // the model that is trained
    std::size_t steps = 0, heads = 0;  // 0: as many as the model needs
    double rate = 0.0;                 // 0: as the model needs
    bool resume = false;
    std::string save;    // a file for the trained weights
    std::string corpus;  // a text for the model of characters; empty: the one that comes with the repository
    std::string experiment;  // its name, or "all"; empty: none
};

// The first model as the options want it.
[[nodiscard]] NounPlan noun_plan(const OwnOptions& own, std::uint64_t seed);

// The sentence whose maps are shown; its last word is replaced by "soft".
inline const std::vector<std::string> tired_cat = {"the", "cat",     "sat", "on",  "the",
                                                   "mat", "because", "it",  "was", "tired"};

// by_hand.cpp · the sums of the lesson that fit on paper

// Prints a loss with its gradient, and a first step of AdamW.
void show_by_hand(Show& show);

// noun_task.cpp · the task, and a guess by chance

// Prints sentences, their number, and the loss of the model before its first step.
void show_noun_task(Show& show, const NounTraining& training);

// noun_run.cpp · the training as it is seen: progress, curves, how the map grew

// How much the last word attends to each word, at some steps of the training.
struct GrowingMap {
    std::vector<std::size_t> steps;
    std::vector<std::vector<float>> tired, soft;  // a row for each of these steps
};
struct NounRun {
    LineFigure curves;
    GrowingMap growth;
};
// Trains, and prints what it reads at each evaluation. Ctrl-C ends it early; then the last checkpoint is in `checkpoints`.
[[nodiscard]] NounRun run_noun_training(Show& show, NounTraining& training, const OwnOptions& own);

// time_shares.cpp · which step takes how much of the time
// Prints it for the steps that a training step of this model is made of, and names one that takes more than its share.
void show_time_shares(Show& show, const NounTraining& training);

// noun_maps.cpp · what the trained attention looks at

// Prints the guesses for the two sentences, and the scores over all held-out sentences.
[[nodiscard]] HeatMapFigure show_trained_maps(Show& show, const NounTraining& training,
                                              const NounScore& score);
// Prints which nouns get less than half of the attention and are named all the same; a map of one such sentence, where there is one.
[[nodiscard]] std::optional<HeatMapFigure> show_overlooked(Show& show, const NounTraining& training,
                                                           const NounScore& score);
[[nodiscard]] HeatMapFigure growth_figure(const GrowingMap& growth);
// Trains models of 1, 2 and 4 heads with three seeds each, and prints how much their maps still say.
void compare_heads(Show& show, const OwnOptions& own);

// it_training.cpp, it_maps.cpp · the model that is asked who "it" is: its training, and what the shipped one says
void train_it(Show& show, const OwnOptions& own);
void show_it(Show& show);
// date_training.cpp · the training of the model that reads dates, an encoder-decoder
void train_dates(Show& show, const OwnOptions& own);
// date_maps.cpp · what it answers, and where it looks, from the weights that come with the repository
void show_dates(Show& show);
// character_training.cpp, character_text.cpp · the decoder that writes: its training, and a text from the shipped weights
void train_characters(Show& show, const OwnOptions& own);
void show_characters(Show& show);

}  // namespace tfs
