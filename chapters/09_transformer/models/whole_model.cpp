// chapters/09_transformer/models/whole_model.cpp · what the blank page is given: weights from a file, and parts that use them
#include "chapters/09_transformer/whole_model.hpp"

#include <fmt/format.h>

#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/09_transformer/models/text_transformer.hpp"
#include "common/io/safetensors_header.hpp"

namespace tfs {

Tensor Gpt::linear(const std::string& name, const Tensor& x) const {
    try {
        return tfs::linear(x, weight(name + ".weight"), &weight(name + ".bias"));
    } catch (const ShapeError& error) {
        throw ShapeError(name + ": " + error.what());
    }
}

Tensor Gpt::norm(const std::string& name, const Tensor& x) const {
    return layer_norm(x, weight(name + ".gamma"), weight(name + ".beta"), config.block.norm_eps);
}

const Tensor& Gpt::weight(const std::string& name) const {
    const auto found = weights.find(name);
    if (found == weights.end()) refuse_file(file, fmt::format("{} is missing", in_quotes(name)));
    return found->second;
}

Gpt::Gpt(const TransformerConfig& settings, const std::filesystem::path& weight_file)
    : config(require_valid("Gpt", settings)), file(weight_file) {
    require_gpt("Gpt", config);
    for (const NamedTensor& loaded : load_safetensors(file)) weights.emplace(loaded.name, loaded.tensor);
}

Gpt::Gpt(const TrainedModel& trained)
    : config(require_valid("Gpt", transformer_config(trained.tokenizer, trained.config))),
      file(trained.file) {
    require_gpt("Gpt", config);
    for (const NamedTensor& loaded : trained.weights) weights.emplace(loaded.name, loaded.tensor);
}

}  // namespace tfs
