// chapters/07_block/program/published_models.cpp · well-known models by their published sizes
#include "chapters/07_block/program/published_models.hpp"

namespace tfs {

const std::vector<PublishedModel>& published_models() {
    static const std::vector<PublishedModel> all = {
        {.name = "BERT-base",
         .block = bert_block(),
         .layers = 12,
         .vocabulary = 30522,
         .positions = 512,
         .segments = 2,
         .pooler = true,
         .published = 109482240},
        {.name = "GPT-2",
         .block = gpt2_block(),
         .layers = 12,
         .vocabulary = 50257,
         .positions = 1024,
         .published = 124439808},
        {.name = "Qwen-7B",
         .block = qwen_block(),
         .layers = 32,
         .vocabulary = 151936,
         .untied_output = true,
         .published = 7721324544},
        {.name = "LLaMA-7B",
         .block = llama_block(),
         .layers = 32,
         .vocabulary = 32000,
         .untied_output = true,
         .published = 6738415616},
    };
    return all;
}

}  // namespace tfs
