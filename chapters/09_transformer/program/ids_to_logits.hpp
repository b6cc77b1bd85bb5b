// chapters/09_transformer/program/ids_to_logits.hpp · a model runs on a text: the shapes from ids to logits
#pragma once

#include "chapters/09_transformer/program/text_ids.hpp"
#include "chapters/09_transformer/transformer.hpp"
#include "common/program.hpp"

namespace tfs {

// What one run of a model gives.
struct ModelRun {
    TransformerOutput output;
    std::vector<Tensor> encoder_weights;  // of an encoder-decoder
};

// Shapes from ids to logits, traced. An encoder-decoder reads the text and writes it after <start>.
ModelRun trace_model(Show& show, const Transformer& model, const TextIds& text);

}  // namespace tfs
