// chapters/07_block/models/published_models.cpp · well-known models by their published sizes
#include "chapters/07_block/models/published_models.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "chapters/07_block/cost.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

// A decoder of LLaMA's kind: rotary positions, one norm after the last block, an output table of its own.
PublishedModel llama_like(const char* name, const char* title, const BlockConfig& block, std::size_t layers,
                          std::size_t vocabulary, std::size_t published) {
    return {.name = name,
            .title = title,
            .block = block,
            .layers = layers,
            .vocabulary = vocabulary,
            .untied_output = true,
            .published = published};
}

}  // namespace

const std::vector<PublishedModel>& published_models() {
    static const std::vector<PublishedModel> all = {
        {.name = "bert-base",
         .title = "BERT-base",
         .block = bert_block(),
         .layers = 12,
         .vocabulary = 30522,
         .positions = 512,
         .segments = 2,
         .pooler = true,
         .writes = false,
         .published = 109482240},
        {.name = "gpt2",
         .title = "GPT-2",
         .block = gpt2_block(),
         .layers = 12,
         .vocabulary = 50257,
         .positions = 1024,
         .published = 124439808},
        llama_like("qwen-7b", "Qwen-7B", qwen_block(), 32, 151936, 7721324544),
        llama_like("llama-7b", "LLaMA-7B", llama_block(), 32, 32000, 6738415616),
        llama_like("llama3-8b", "Llama 3 8B", llama3_block(), 32, 128256, 8030261248),
        llama_like("tinyllama-1.1b", "TinyLlama-1.1B", tinyllama_block(), 22, 32000, 1100048384),
    };
    return all;
}

std::vector<std::string> published_model_names() {
    std::vector<std::string> names;
    for (const PublishedModel& model : published_models()) names.push_back(model.name);
    return names;
}

const PublishedModel& published_model(const std::string& name) {
    for (const PublishedModel& model : published_models())
        if (model.name == name) return model;
    throw ValueError(fmt::format("there is no model '{}'; there are: {}", harmless(name),
                                 fmt::join(published_model_names(), ", ")));
}

std::size_t total_parameters(const PublishedModel& m) {
    const BlockParameters block = block_parameters(m.block);
    const std::size_t tables = m.vocabulary * (m.untied_output ? 2 : 1) + m.positions + m.segments;
    return tables * m.d() + m.layers * block.total() + m.other_norms * block.norm +
           (m.pooler ? m.d() * m.d() + m.d() : 0);
}

}  // namespace tfs
