// chapters/09_transformer/whole_model.hpp · the blank page: a GPT from ids to logits, written with the functions of chapters 00 to 05 only
//
// What Transformer computes with its stack and blocks: GPT-2 (Radford et al. 2019), with learned or with rotary positions. It neither
// trains nor keeps the keys and values of earlier positions.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "chapters/09_transformer/transformer.hpp"
#include "common/io/trained_model.hpp"

namespace tfs {

// Your checklists ask for the decoder of weights/characters.safetensors: 4 blocks, d_model 128, 4 heads, d_ff 512, 65 characters; of rows
// also for GPT-2's learned positions. The decoder is GPT-2 with two changes: rotary positions, and the exact GELU. So each norm comes before its sublayer, all linear layers have a bias,
// and the logits use the table of the embedding. The weights:
//   embedding.weight                     (vocab, d_model): the table
//   positions.embedding.weight           (max_len, d_model), where they are learned: GPT-2's, not this decoder's
//   blocks.0.attention.norm              a norm
//   blocks.0.attention.w_q, w_k, w_v     linear, d_model -> d_model
//   blocks.0.attention.w_o               linear, d_model -> d_model
//   blocks.0.feed_forward.norm           a norm
//   blocks.0.feed_forward.up             linear, d_model -> d_ff
//   blocks.0.feed_forward.down           linear, d_ff -> d_model
//   final_norm                           a norm
// A norm has .gamma and .beta (d_model); a linear layer .weight (out, in) and .bias (out).
struct Gpt {
    TransformerConfig config;
    std::filesystem::path file;
    std::map<std::string, Tensor> weights;

    // Given (models/whole_model.cpp) · A decoder with pre-norm, a final norm and learned or rotary positions; the config must be that
    // of the weights. ValueError if it asks for another model, FileError if the file can't be read.
    Gpt(const TransformerConfig& config, const std::filesystem::path& file);
    explicit Gpt(const TrainedModel& trained);  // whose config is known from its file

    // Given · A weight; and layers, by the beginning of the names of their weights: norm("final_norm", x),
    // linear("blocks.0.attention.w_q", x). FileError, which names it, if a weight is missing.
    const Tensor& weight(const std::string& name) const;
    Tensor norm(const std::string& name, const Tensor& x) const;    // (..., d_model) -> the same
    Tensor linear(const std::string& name, const Tensor& x) const;  // (..., in) -> (..., out)

    // Step rows_and_logits · The two ends. In: a row of the table for each id, and where config.block.uses<LearnedPositions>()
    // the rows of positions 0, 1, … are added.
    //   ids (batch, seq) -> (batch, seq, d_model)
    // ValueError if there are more than max_len positions or an id is no token, ShapeError if ids is not (batch, seq): given.
    Tensor rows(const Ids& ids) const;
    // Out: the final norm, then a score for each token, the dot product with its row of the table.
    //   x (batch, seq, d_model), what leaves the last block -> (batch, seq, vocab), before any softmax
    Tensor logits(const Tensor& x) const;

    // Step decoder_block · Block i, counted from 0:
    //   x = x + w_o(merged heads of attention(norm(x)));  x = x + down(activation(up(norm(x))))
    // Each position sees itself and earlier ones; the positions 0, 1, … turn queries and keys. What you need of the config:
    // config.block.num_heads, .d_model, .activation, .rotary() (theta and layout; null where positions are learned).
    //   x (batch, seq, d_model) -> the same
    Tensor block(std::size_t i, Tensor x) const;
    // And the whole model. It returns its stages, so that the check can name the first that differs: what rows returns, what each of
    // the config.num_layers blocks returns, the logits.
    std::vector<Tensor> operator()(const Ids& ids) const;
};

}  // namespace tfs
