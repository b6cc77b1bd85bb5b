// chapters/09_transformer/program/model_choice.cpp · the model that the options ask for, and its weights
#include "chapters/09_transformer/program/model_choice.hpp"

#include <fmt/ostream.h>

#include <array>

#include "chapters/09_transformer/program/weight_memory.hpp"
#include "common/io/safetensors.hpp"

namespace tfs {

namespace {

struct FileOption {
    const char* flag;
    const std::string& file;
};

std::array<FileOption, 2> file_options(const ModelChoice& choice) {
    return {{{"--load", choice.load}, {"--save", choice.save}}};
}

void check_ranges(const ModelChoice& choice) {
    require_between("--layers", choice.layers, 0, 24);
    require_between("--heads", choice.heads, 0, 32);
    require_between("--d-model", choice.d_model, 0, 512);
    for (const auto& [flag, file] : file_options(choice))
        if (file.empty()) throw ValueError(fmt::format("{}: the file name is empty", flag));
}

TransformerConfig in_chosen_sizes(const ModelChoice& choice, std::size_t vocab) {
    TransformerConfig config = preset(choice.name);
    config.vocab_size = vocab;
    if (choice.layers > 0) config.num_layers = choice.layers;
    if (choice.heads > 0) config.block.num_heads = choice.heads;
    if (choice.d_model > 0) {
        config.block.d_ff = config.block.d_ff * choice.d_model / config.block.d_model;
        config.block.d_model = choice.d_model;
    }
    return require_valid(choice.name, config);
}

// A model that is only counted has no weights that a file could hold.
void refuse_files(const ModelChoice& choice, const TransformerConfig& config) {
    for (const auto& [flag, file] : file_options(choice)) {
        if (file == no_file) continue;
        throw ValueError(fmt::format(
            "{}: {} is too large to run here ({}, at most {}): weights can be read and written for the tiny "
            "models only",
            flag, choice.name, in_bytes(weights_in_bytes(config)),
            in_bytes(static_cast<double>(largest_weights))));
    }
}

}  // namespace

TransformerConfig chosen_config(const ModelChoice& choice, std::size_t vocab) {
    check_ranges(choice);
    if (choice.name.starts_with("tiny-") || choice.name == "textbook") return in_chosen_sizes(choice, vocab);
    const TransformerConfig config = preset(choice.name);
    if (choice.heads + choice.d_model + choice.layers > 0) {
        throw ValueError(
            fmt::format("{} has its published sizes; choose others for a tiny one", choice.name));
    }
    if (!small_enough(config)) refuse_files(choice, config);
    return config;
}

Transformer make_model(Show& show, const ModelChoice& choice, const TransformerConfig& config) {
    const bool drawn = choice.load == no_file;
    Rng rng = drawn ? Rng(show.options.seed) : Rng::zeros();
    Transformer model(config, rng);
    if (!drawn) load_weights(model, choice.load);
    fmt::print(show.out, "  weights {}: {} parameters in {} tensors\n",
               drawn ? fmt::format("drawn with seed {}", show.options.seed) : "loaded from " + choice.load,
               with_separators(count_parameters(model.parameters())), model.parameters().size());
    if (const std::size_t bad = count_not_finite(model.parameters()); bad > 0)
        fmt::print(show.out, "  {} of its values are NaN or infinite, as after a training that diverged\n",
                   bad);
    if (choice.save == no_file) return model;
    save_weights(model, choice.save);
    fmt::print(show.out, "  saved as {}\n", choice.save);
    return model;
}

}  // namespace tfs
