// chapters/03_positional_encoding/program/sections.hpp · what the program of chapter 03 shows: a function for each section, by the file it lies in
#pragma once

#include <vector>

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "chapters/03_positional_encoding/program/marker_finder.hpp"
#include "chapters/03_positional_encoding/program/positioned_attention.hpp"
#include "common/program.hpp"

namespace tfs {

// sentence_positions.cpp · the sentence with positions: added to x, turning queries and keys, in the scores

// Sinusoids and learned rows: two ways add a row to x.
void show_added(Show& show, const PositionedAttention& layer, const Tensor& x);

// Rotary positions turn queries and keys.
void show_turned(Show& show, const PositionedAttention& layer, const Tensor& x);

// ALiBi adds a bias to the scores.
void show_bias(Show& show);

// by_hand.cpp · one pair of features turned by RoPE

// Three positions with a quarter turn each. Prints the turned queries and keys and their scores.
void show_by_hand(Show& show);

LineFigure turn_figure();  // the same score at the same distance, wherever the two are

// previous_token.cpp · the puzzle

// The weight that the head of the puzzle gives to the previous token. Prints the smallest one.
void measure_previous_token(Show& show);

HeatMapFigure previous_token_figure();

// token_order.cpp · what another order of the tokens changes, for each way of telling positions

// Compares the output for the reordered x with the output for x in that order. Prints a table.
void measure_orders(Show& show, const PositionedAttention& layer, const Tensor& x);

// sinusoid_shift.cpp · sinusoids: a shift of the position is a rotation, and a dot product knows the distance

// PE(pos + k) is a fixed linear map of PE(pos): rotate each pair by its angle; or find the map by least squares.
// Prints a table, beside a table of random rows, where no such map exists. Not wider than 64 or longer than 256: that
// would take long and say the same.
void measure_rotation(Show& show, std::size_t max_len);

// PE(pos) · PE(pos + k) depends on k alone. Prints a table against k.
void measure_dot_products(Show& show, const Tensor& table);

HeatMapFigure table_figure(const Tensor& table);       // positions x columns
LineFigure columns_figure(const Tensor& table);        // a few single columns
HeatMapFigure similarity_figure(const Tensor& table);  // PE PEᵀ

// float_angles.cpp · how far an angle computed in float is off

// The largest error of a sine against the position. Prints a table.
void measure_float_angles(Show& show);

// rotary_invariance.cpp · rotary positions: what a turn leaves as it is, and what it changes

// Norms stay; a score depends on the distance alone; a part with an offset equals the part of the whole; one layout is
// the other with its columns in another order; turned values would bring absolute positions back.
void measure_rotary(Show& show);

HeatMapFigure phases_figure(const RotaryEmbedding& rotary);  // the angle of each pair against the position

// angles_along_heads.cpp · angles that are laid along the heads

// It gives an error, another shape, or no positions. Prints which, for some numbers of heads and positions.
void measure_angles_along_heads(Show& show);

// alibi_slopes.cpp · ALiBi: its slopes, and the two ways of writing its bias

// ALiBi as the paper defines it and as its published code adds it: the same weights under a causal mask. Prints the slopes
// as well.
void measure_alibi(Show& show);

HeatMapFigure bias_figure(std::size_t num_heads, std::size_t seq);  // the bias of a few heads

// score_decay.cpp · what distance does to a score: sinusoids, rotary positions, ALiBi

// Dot products of sinusoids, the mean of random rotary scores, and the factor of ALiBi, against the distance.
LineFigure decay_figure(std::uint64_t seed);

// length_limits.cpp · what becomes of learned rows, sinusoids and rotary angles past the trained length

// How many pairs turn less than once within the trained length, for a few models and for a d_k and length.
void count_slow_pairs(Show& show, std::size_t d_k, std::size_t length);

// The refusal of a learned table, and how far the sinusoids of unseen positions lie from all seen ones.
void measure_unseen_rows(Show& show);

// attention_spread.cpp · how untrained attention spreads over more and more keys

// Entropy, and the weight on the last 64 keys, without positions, with rotary ones and with ALiBi. Prints a table.
void measure_spread(Show& show);

// marker_finder.cpp · one head that learns to find the last marker, with positions of any kind

// One head for each kind of positions, fitted at a short length.
[[nodiscard]] std::vector<Finder> fitted_finders(std::uint64_t seed);

// marker_figures.cpp · what these heads look at, and what they find in longer texts

// Asks each head at longer lengths. Prints a table; the figure has its rows.
LineFigure measure_lengths(Show& show, const std::vector<Finder>& finders);
// What each head attends to in one text.
HeatMapFigure markers_figure(const std::vector<Finder>& finders);

}  // namespace tfs
