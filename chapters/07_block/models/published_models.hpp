// chapters/07_block/models/published_models.hpp · well-known models by their published sizes: a block, and what is around the blocks
#pragma once

#include <string>
#include <vector>

#include "chapters/07_block/block.hpp"

namespace tfs {

// A block, how many there are, and what a whole model adds to them (chapter 09 builds it).
struct PublishedModel {
    std::string name;   // on the command line: "llama3-8b"
    std::string title;  // "Llama 3 8B"
    BlockConfig block;
    std::size_t layers, vocabulary;
    std::size_t positions = 0;    // rows of a learned table
    std::size_t segments = 0;     // likewise
    std::size_t other_norms = 1;  // on the embedding, or after the last block
    bool pooler = false;          // BERT's dense layer on the first position
    bool writes = true;           // turns vectors into logits
    bool untied_output = false;   // with a table of its own
    std::size_t published = 0;    // the parameters of its published weights

    [[nodiscard]] std::size_t d() const { return block.d_model; }
};

// BERT-base, GPT-2, Qwen-7B, LLaMA-7B, Llama 3 8B, TinyLlama-1.1B.
[[nodiscard]] const std::vector<PublishedModel>& published_models();

// By its name on the command line. ValueError, which lists the names, where there is none.
[[nodiscard]] const PublishedModel& published_model(const std::string& name);
[[nodiscard]] std::vector<std::string> published_model_names();

// Of the whole model, by step block_parameters and its other sizes.
[[nodiscard]] std::size_t total_parameters(const PublishedModel& model);

}  // namespace tfs
