// chapters/09_transformer/whole_model.hpp · the blank page: a GPT from ids to logits in one function
//
// What blocks, stacks and Transformer compute together, written out once, with the functions of chapters 01 to 06 only:
// Radford et al. 2019 (GPT-2), and with rotary positions, RMSNorm and SwiGLU Touvron et al. 2023 (LLaMA, arXiv:2302.13971).
// It neither trains nor keeps the keys and values of earlier positions.
//
//     const WholeModel model(load_trained_model(weights_file("characters"), character_kind()));
//     const Tensor logits = model(ids).back().x;  // (batch, seq, vocab)
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "chapters/09_transformer/transformer.hpp"
#include "common/io/trained_model.hpp"

namespace tfs {

// What a part of the model gives: "embedding", "blocks.0", "blocks.1", …, "final_norm", "logits".
struct Stage {
    std::string name;
    Tensor x;  // (batch, seq, d_model), of the logits (batch, seq, vocab)
};

struct WholeModel {
    TransformerConfig config;
    std::filesystem::path file;
    std::map<std::string, Tensor> weights;  // by their names in the file: "blocks.0.attention.w_q.weight"

    // Given (models/whole_model.cpp) · A decoder with pre-norm, a final norm and learned or rotary positions. ValueError if the
    // config asks for another model, FileError if the file can't be read. The config must be that of the weights: weights that it
    // does not ask for are not used, and not refused.
    WholeModel(const TransformerConfig& config, const std::filesystem::path& file);
    // Given · A model whose config is known from its file.
    explicit WholeModel(const TrainedModel& trained);

    // Step whole_model · The forward pass: ids (batch, seq) -> its num_layers + 3 stages in their order, the last of them the
    // logits. A block's stage is the sum that leaves it.
    // Your checklist asks for the decoder of weights/characters.safetensors alone: 4 blocks, d_model 128, 4 heads, d_ff 512, 65
    // characters. It is GPT-2 with two changes: rotary positions, and the exact GELU. So the embedding is not scaled, each norm
    // comes before its sublayer, attention and network have all their biases, and the logits use the table of the embedding. The
    // solution can do more: learned positions, RMSNorm, SwiGLU, no biases, a second table.
    //
    // Its weights (the decoder has blocks 0 to 3):
    //   embedding.weight                     (vocab, d_model)
    //   blocks.0.attention.norm              a norm
    //   blocks.0.attention.w_q, w_k, w_v     linear, d_model -> d_model
    //   blocks.0.attention.w_o               linear, d_model -> d_model
    //   blocks.0.feed_forward.norm           a norm
    //   blocks.0.feed_forward.up             linear, d_model -> d_ff
    //   blocks.0.feed_forward.down           linear, d_ff -> d_model
    //   final_norm                           a norm
    // A norm has .gamma and .beta (d_model); a linear layer .weight (out, in) and .bias (out). What you need of the config:
    // config.num_layers, config.max_len(), config.block.d_model, config.block.num_heads, config.block.activation and
    // config.block.rotary(), which points to theta and layout. with_bias below is true for all layers of this decoder. (For the
    // logits write tfs::linear(x, weight("…")): within WholeModel `linear` alone is the member below, which wants a name.)
    //
    // Throws ValueError if there are more than max_len positions or an id is no token (given: require_ids); ShapeError if ids is
    // not (batch, seq) or weights do not fit each other; FileError, which names it, if a weight is missing.
    std::vector<Stage> operator()(const Ids& ids) const;

    // Given · The parts, by the beginning of their weights' names: "blocks.0.attention.w_q", "blocks.0.attention.norm".
    Tensor linear(const std::string& name, const Tensor& x, bool with_bias) const;  // (..., in) -> (..., out)
    Tensor norm(const std::string& name, const Tensor& x) const;  // (..., d_model) -> the same
    const Tensor& weight(const std::string& name) const;          // FileError if it is missing
};

}  // namespace tfs
