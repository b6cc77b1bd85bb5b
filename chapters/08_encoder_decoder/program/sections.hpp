// chapters/08_encoder_decoder/program/sections.hpp · what the program of chapter 08 shows: a function for each section, by the file it lies in
#pragma once

#include "chapters/08_encoder_decoder/models/trained_maps.hpp"
#include "chapters/08_encoder_decoder/program/three_models.hpp"

namespace tfs {

// attention_maps.cpp · who looks at whom in the three models: counts and maps

// Prints how many pairs of positions do look at each other (a weight above 0 in any layer and head). The figure has
// layer 1, head 1 of each model.
HeatMapFigure show_who_looks(Show& show, const ThreeModels& models, const ThreeOutputs& outputs);

// The cross map of layer 1, head 1 in the terminal: target (down) x source (right).
void show_cross_map(Show& show, const ThreeModels& models, const CrossStackOutput& output);

// The maps of the untrained encoder-decoder's three attentions, each with a view for each layer.
std::vector<std::vector<View>> draw_all_maps(const ThreeModels& models, const ThreeOutputs& outputs);

// trained_models.cpp · the trained models, where they can do what is asked

// None where an option asks for what they can't do: then a note says why. `changed`: the options that have other values than
// without them, of those that the trained models don't know.
std::optional<TrainedModels> load_trained_models(Show& show, const std::vector<std::string>& changed);

// In place of what show_who_looks and show_cross_map draw: a figure of each kind, and the cross map in numbers.
std::vector<HeatMapFigure> trained_figures(const Show& show, const TrainedModels& models);
void show_trained_cross_map(Show& show, const TrainedModels& models);

// by_hand.cpp · the lesson's example for pencil and paper: means over what each kind may see

// Prints the means for two sources that differ in their last value.
void show_by_hand(Show& show);

// influence.cpp · which input can change which output, measured

// Replaces one input vector after the other. Prints how many outputs change; the figure shows which.
HeatMapFigure measure_influence(Show& show, const ThreeModels& models);

// backwards.cpp · the puzzle: what the head with weights by hand reads

// Prints the smallest weight on the position that is wanted, over all lengths, and a word read backwards.
void measure_backwards(Show& show);
HeatMapFigure backwards_figure();

// mask_difference.cpp · one block under the masks of encoder and decoder

// The first blocks of encoder and decoder, whose parameters are equal, under the mask of each. Prints how far they are apart.
void measure_mask_difference(Show& show, const ThreeModels& models);

// source_padding.cpp · a padded source, masked in the encoder, across, or not at all

// Prints how far the output of a padded source is from that of the source alone, for each way to mask it.
void measure_source_padding(Show& show, const ThreeModels& models);

// data_flow.cpp · the data flow of an encoder-decoder as a figure

// The encoder's and the decoder's block, with shapes, and the arrow of the memory.
FlowFigure draw_data_flow(const StackConfig& config, std::size_t source, std::size_t target);

// model_costs.cpp · parameters, FLOPs and bytes of the three kinds of model

// Prints parameters and kept bytes of the encoder-decoder by formula, and as they are counted.
void compare_with_tape(Show& show, const ThreeModels& models);

// Prints parameters, FLOPs and bytes of each kind, at the sizes of the base model of 2017. The figure shows their parts.
BarFigure compare_costs(Show& show);

// final_norm.cpp · what the norm at the end of a stack is for, measured

// The size of what leaves a stack, with and without the final norm, and how sharply a decoder looks at it. Prints a table.
LineFigure measure_final_norm(Show& show);

// memory_reuse.cpp · one encoding of the source for many tokens of the target

// FLOPs of writing n tokens with the encoder run for each token, or once; and that the results are equal. Prints a table.
LineFigure measure_reuse(Show& show, const ThreeModels& models);

}  // namespace tfs
