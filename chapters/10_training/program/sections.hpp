// chapters/10_training/program/sections.hpp · what the program of chapter 10 shows: a function for each section, by the file it lies in
#pragma once

#include "chapters/10_training/models/noun_training.hpp"
#include "common/program/chapter_program.hpp"

namespace tfs {

// The training of a task as it is shown. Each of the four models has a function that returns one.
struct ShownTraining {
    Task task;
    std::string title;                                   // of the section that tells the task
    std::function<void()> introduce;                     // what is asked, and of which model
    std::function<void(std::size_t step)> at_step = {};  // before the first step, and after each
    std::function<void()> finish;                        // the sections of the trained model
};
[[nodiscard]] ShownTraining shown_nouns(Show& show, const TaskOptions& options);
[[nodiscard]] ShownTraining shown_it(Show& show, const TaskOptions& options);
[[nodiscard]] ShownTraining shown_dates(Show& show, const TaskOptions& options);
[[nodiscard]] ShownTraining shown_characters(Show& show, const TaskOptions& options);

// The sentence whose maps are shown; its last word is replaced by "soft".
inline const std::vector<std::string> tired_cat = {"the", "cat",     "sat", "on",  "the",
                                                   "mat", "because", "it",  "was", "tired"};

// by_hand.cpp · the sums of the lesson that fit on paper

// Prints a loss with its gradient, and a first step of AdamW.
void show_by_hand(Show& show);

// time_shares.cpp · which step takes how much of the time
// Prints it for the steps that a training step of this model is made of, and names one that takes more than its share.
void show_time_shares(Show& show, const NounTask& nouns);

// noun_maps.cpp · what the trained attention looks at

// Prints the guesses for the two sentences, and the scores over all held-out sentences.
[[nodiscard]] HeatMapFigure show_trained_maps(Show& show, const NounTask& nouns, const NounScore& score);
// Prints which nouns get less than half of the attention and are named all the same; a map of one such sentence, where there is one.
[[nodiscard]] std::optional<HeatMapFigure> show_overlooked(Show& show, const NounTask& nouns,
                                                           const NounScore& score);
// How much the last word attends to each word, at some steps of the training.
struct GrowingMap {
    std::vector<std::size_t> steps;
    std::vector<std::vector<float>> tired, soft;  // a row for each of these steps
};
[[nodiscard]] HeatMapFigure growth_figure(const GrowingMap& growth);
// Trains models of 1, 2 and 4 heads with three seeds each, and prints how much their maps still say.
void compare_heads(Show& show, const TaskOptions& options);

// it_maps.cpp, date_maps.cpp, character_text.cpp · what the shipped models say: who "it" is, a date, a text
void show_it(Show& show);
void show_dates(Show& show);
void show_characters(Show& show);

}  // namespace tfs
