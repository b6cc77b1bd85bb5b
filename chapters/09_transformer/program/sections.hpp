// chapters/09_transformer/program/sections.hpp · what the program of chapter 09 shows: a function for each section, by the file it lies in
#pragma once

#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/09_transformer/program/ids_to_logits.hpp"
#include "chapters/09_transformer/program/model_choice.hpp"

namespace tfs {

// config_in_words.cpp · the choices of a config, in words

// Five lines: kind and layers, block, norms, embedding and positions, output.
void print_config(Show& show, const std::string& name, const TransformerConfig& config);

// "none", "sinusoids", "learned", "rotary" or "ALiBi".
std::string name_of_positions(const TransformerConfig& config);

// Whether they are added to the embeddings, and not used in every block.
bool adds_positions(const TransformerConfig& config);

// model_table.cpp · the table of a whole model, part by part

// The summary of a model that reads `seq` tokens, and whether transformer_parameters agrees with it.
void print_model_table(Show& show, const TransformerConfig& config, std::size_t seq);

// attention_maps.cpp · the attention maps of all layers and heads of a model

// All heads, a view for each layer. `remark` ends the caption.
std::vector<View> draw_attention_maps(const ModelRun& run, const Transformer& model, const TextIds& text,
                                      const std::string& name, const std::string& remark);

// next_tokens.cpp · the token that a model expects after each position

// The token that each position gives the largest logit, and its probability. Prints a table.
void print_best_tokens(Show& show, const TransformerOutput& output, const TextIds& text);

// The probabilities of all tokens at each position.
HeatMapFigure draw_scores(const TransformerOutput& output, const TextIds& text, const std::string& name);

// greedy_text.cpp · what a model writes, always taking the best token

// Prints what a decoder adds to the text, or an encoder-decoder writes after <start>, and how soon it repeats itself.
void show_greedy_text(Show& show, const Transformer& model, const TextIds& text, std::size_t new_tokens);

// trained_decoder.cpp · a decoder that chapter 10 trained: its maps, and what it writes

// The trained model of characters. Nothing where the options ask for another one or the text is none for it; then it prints
// the reason, but for a model with a file of its own.
std::optional<TextTransformer> trained_decoder(Show& show, const ModelChoice& choice);

// All heads on the first characters of the text, a view for each layer.
std::vector<View> draw_character_maps(Show& show, const TextTransformer& trained);

// Prints what it adds to the text, greedily, and how many different words that has.
void show_greedy_characters(Show& show, const TextTransformer& trained, std::size_t count);

// one_sentence.cpp · one sentence from text to its next character; docs/overview.md quotes it

// Prints the text, its ids, the vectors of its last position, and the best guesses of the next character.
void show_one_sentence(Show& show, const TextTransformer& trained);

// The way of a text through the model, and a step of its training, with the chapter of each part.
FlowFigure draw_overview(Show& show, const TextTransformer& trained);

// by_hand.cpp · the example for pencil and paper: three tokens, two features, tied logits

// The logits of two hidden vectors, for a table of three rows. Prints a table.
void show_tied_logits_by_hand(Show& show);

// induction.cpp · the puzzle: what the two layers with weights by hand look at, and what they write

// Prints what they write, and the smallest weights on the right keys; the figure has the maps of both layers.
HeatMapFigure show_induction(Show& show);

// data_flow.cpp · the data flow of the three kinds of model as a figure

// From ids to logits in each kind of model, side by side, with the parts that the config has.
FlowFigure draw_data_flow(const std::string& name, const TransformerConfig& config, std::size_t seq);

// initial_loss.cpp · the sizes of tokens, positions and logits before training, and the first loss

// How the table of the tokens is drawn, and the factor sqrt(d_model): tokens against positions, and the first logits.
// Prints a table.
void measure_embedding_scale(Show& show);

// The loss at the start against d_model, for three ways to draw the table. Prints a table.
LineFigure measure_first_loss(Show& show);

// final_norm.cpp · what the last norm of a model does to the logits, measured

// The logits of pre-norm and post-norm decoders, without and with the final norm. Prints a table.
void measure_final_norm(Show& show);

// later_tokens.cpp · whether logits depend on later tokens, measured

// Changes each token in turn, and prints how many logits before it change; and whether padding behind a text matters.
void measure_later_tokens(Show& show);

// encoder_once.cpp · an encoder that runs once, or anew for every token

// Translates both ways, and prints whether the texts are the same.
void measure_encoder_once(Show& show);

// model_sizes.cpp · published models beside each other: choices, sizes, parameters

// Prints a table with a column for each of these presets.
void print_model_sizes(Show& show, const std::vector<std::string>& models);

// parameter_counts.cpp · how the parameters of published models are shared among their parts

// The share of each part in the parameters of these presets. Prints a table; the figure has the same as bars.
BarFigure show_parameter_counts(Show& show, const std::vector<std::string>& models);

// weight_memory.cpp · what the weights of a model need in memory

// Why a model is not run.
void say_too_large(Show& show, const std::string& name, const TransformerConfig& config);

// What the weights of published models need, and which of them this machine could hold. Prints a table.
void print_weight_memory(Show& show, const std::vector<std::string>& models);

}  // namespace tfs
