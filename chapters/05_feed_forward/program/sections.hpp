// chapters/05_feed_forward/program/sections.hpp · what the program of chapter 05 shows: a function for each section, by the file it lies in
#pragma once

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "common/program.hpp"

namespace tfs {

// sentence_networks.cpp · a sentence through the feed-forward network and through SwiGLU, step by step

// x (1, seq, d_model). The shapes and sizes of each part.
void show_network(Show& show, const FeedForward& layer, const std::string& activation, const Tensor& x);

void show_swiglu(Show& show, const SwiGLU& layer, const Tensor& x);

// by_hand.cpp · the lesson's example for pencil and paper: a network that finds the larger of two features

void show_by_hand(Show& show);

// network_flow.cpp · both networks as boxes and arrows

FlowFigure network_flow();

// agreement.cpp · the puzzle at work: a feature that a later attention looks for

// The puzzle's network writes whether a verb fits its subject. Prints the weights of a head before and after; the figure has both
// maps.
void show_agreement(Show& show);

// exclusive_or_training.cpp · does training find the weights of the puzzle?

// Trains networks of several widths on the four inputs of exclusive or. Prints how many runs are right in the end.
void measure_exclusive_or_training(Show& show);

// attention_exclusive_or.cpp · one head gives exclusive or, as soon as there is a second token

void show_attention_exclusive_or(Show& show);

// exchanged_names.cpp · what happens if the weights of gate and up are exchanged

void show_exchanged_names(Show& show, const SwiGLU& layer, const Tensor& x);

// token_independence.cpp · one token is replaced: what changes in the others, after the network and after attention

// x (1, seq, d_model). Prints how many entries of the other tokens change.
void show_independence(Show& show, const Tensor& x, const FeedForward& layer);

// superposition.cpp · f(a + b) against f(a) + f(b): what is linear, and what is not

// For attention with fixed weights, attention as a whole, and the network. Prints the largest difference of each.
void show_superposition(Show& show);

// two_bits_task.cpp · is exactly one of two bits set? Attention alone can't tell where there is one token

// Trains attention alone, and attention with a feed-forward network of together no more parameters, on both bits in one
// token and on one bit in each of two tokens. Prints the table; the figure has the losses.
LineFigure measure_task(Show& show);

// dead_units.cpp · hidden units that fire for no input, before and after training

// Trains with small and large steps. Prints the last loss and the share of dead units.
void measure_dead_units(Show& show);

// fact_memory.cpp · a feed-forward network that knows facts, because we wrote them into its weights

// Writes six capitals into a network, asks for them, for strangers and for two at once. Prints what comes out; the figure
// shows which slots fire.
HeatMapFigure show_memory(Show& show);

// How well a memory of width 32 recalls, the more facts it holds, with and without a threshold. Prints a table.
void measure_capacity(Show& show);

// activation_curves.cpp · the activations as curves: values, derivatives, errors of the approximations

// Prints where the curves are lowest and steepest; the figure has values and derivatives.
LineFigure show_activations(Show& show);

// The distance of both approximations from the exact GELU (in double): the largest, where, and the curves.
LineFigure measure_approximations(Show& show);

// network_sizes.cpp · feed-forward networks of several widths: their parameters, and their times

// Parameters and operations of all of them, by formula and by counting; the share of a block and of whole models.
void show_sizes(Show& show);

// The time of each, in turns, and how many times as long it takes as ratio 4. On one core.
void measure_times(Show& show);

// activation_times.cpp · the time of each activation, beside a copy and beside the network around it

void measure_activation_times(Show& show);

}  // namespace tfs
