// chapters/02_masks/program/sections.hpp · what the program of chapter 02 shows: a function for each section, by the file it lies in
#pragma once

#include "chapters/01_attention/models/noun_finder.hpp"
#include "chapters/02_masks/program/padded_batch.hpp"
#include "common/program.hpp"

namespace tfs {

// by_hand.cpp · the example for pencil and paper

// Prints the mean of the past and an example with scores; the figure has the second one, step by step.
HeatMapFigure show_by_hand(Show& show);

// mask_sheet.cpp · every mask side by side: what it allows, and the attention under it

// Prints shape and allowed cells of each mask. One figure shows the six single masks, the other those with a cache or
// with a second mask.
std::vector<HeatMapFigure> draw_masks(Show& show, const Example& example);

// The single masks of the text: all of the figure but padding.
struct NamedMask {
    std::string name;
    Mask mask;
};
std::vector<NamedMask> masks_of_text(const Example& example);

// The weights of head 1 of the same attention under each of them; the figure shows those of the single masks.
HeatMapFigure draw_attention(Show& show, const Example& example);

// trained_head.cpp · the trained head of chapter 01 under masks

// None where it can't do what is asked: then a note says why.
std::optional<NounFinder> load_trained_head(Show& show);

// In place of the figure of draw_attention. Prints what the last word looks at under each mask; the figure has its row.
HeatMapFigure draw_trained_attention(Show& show, const std::vector<NamedMask>& masks,
                                     const NounFinder& model);

// The puzzle: the noun, hidden by a window, as a global token. The figure has the mask of the learner and two maps.
HeatMapFigure draw_longformer(Show& show, std::size_t window, const NounFinder& model);

// In place of draw_cross_attention: four words that look for their nouns.
HeatMapFigure draw_trained_cross_attention(Show& show, const NounFinder& model);

// cross_attention.cpp · a target that attends to three padded sources

// Prints shapes and checks; the figure has the weights of head 1 for each source.
HeatMapFigure draw_cross_attention(Show& show, const Example& example);

// additive_as_boolean.cpp · an additive mask, read as a boolean one

// Runs an additive causal mask through an attention that expects ones and zeros, and prints what each query sees.
void show_additive_as_boolean(Show& show, const Example& example);

// training_on_the_future.cpp · what a model learns under a mask that shows only the future

// Trains a tiny model under the causal mask and under the misread one, with zeros for empty rows: its loss in training,
// and its loss when it writes and has no future to read. The figure has the map that each has learned.
HeatMapFigure train_on_the_future(Show& show);

// future_leak.cpp · does a later input change an earlier output, or get a gradient from it?

// Under no mask, under several, and under masks that act after the softmax. The figure shows |d output_i / d input_j| as a
// power of ten, exact zeros blank.
HeatMapFigure measure_leak(Show& show, const Example& example);

// padding.cpp · a padded batch against each of its sentences alone

// Prints how far the outputs of each sentence differ, with the padding mask and without.
void measure_padding(Show& show, const Example& example);

// empty_rows.cpp · what a query gets that may attend to nothing

// The weights of such a query where "forbidden" is -infinity, -1e9 or -1e4: PyTorch's formula, rounded to float32 or to
// half precision after every step.
void measure_empty_rows(Show& show);

// windows.cpp · what a window costs, and how far layers of windows see

// How far back the last output of a stack of windowed layers sees.
void measure_reach(Show& show);

// How many cells full, causal and windowed attention allow, against the length; counted, and by formula.
void count_cells(Show& show);

}  // namespace tfs
