// common/io/trained_model.hpp · a trained model as one file: configuration, weights, tokens, and what the file says of itself
//
// It knows no chapter. A chapter puts the weights into a network of what it has built up to there:
//     const auto model = load_network<NounFinder>(weights_file("nouns"), noun_finder_kind());
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/rng.hpp"
#include "common/io/safetensors.hpp"
#include "common/text/tokenizer.hpp"

namespace tfs {

enum class PositionKind { none, sinusoidal, learned, rotary, alibi };

// The sizes and choices of a model, apart from its weights and tokens.
struct ModelConfig {
    std::size_t layers = 1;  // of an encoder-decoder: on each side
    std::size_t d_model = 0, heads = 1;
    std::size_t d_ff = 0;  // 0: 4 d_model, where there is a feed-forward network
    std::size_t max_len = 0;
    PositionKind positions = PositionKind::none;
    bool two_sequences = false;     // an encoder-decoder
    bool scaled_embedding = false;  // by sqrt(d_model)
    double dropout = 0.0;           // in training only, in all places of chapter 06

    [[nodiscard]] std::size_t feed_forward_size() const { return d_ff > 0 ? d_ff : 4 * d_model; }
};

// What is common to all files of a kind.
struct ModelKind {
    std::string name;  // "a noun finder": other files are "not the weights of a noun finder"
    // The entries of the metadata that each file must have, in the order in which they are asked for: of "words", "characters",
    // "layers", "d_model", "heads", "d_ff" and "context" (max_len).
    std::vector<std::string> entries = {};
    ModelConfig otherwise = {};  // what holds where a file has no such entry
    Tokenizer tokenizer = {};    // the same; and the special ids in any case
    // A file may ask for these positions, too: it has an entry "positions" where they are not those of `otherwise`.
    std::vector<PositionKind> other_positions = {};
};

struct TrainedModel {
    ModelConfig config;
    Tokenizer tokenizer;
    Parameters weights;               // by their names in the file: "blocks.0.attention.w_q.weight"
    Metadata says = {};               // what else the file says: "made_by", "held_out_accuracy"
    std::filesystem::path file = {};  // it comes from; errors name it

    // Copies the weights into parameters of the same names. FileError, before anything is changed, if names are missing or left
    // over, or shapes differ.
    void copy_into(Parameters parameters) const;
};

// FileError, which names the file, if it can't be read, lacks an entry of its kind, or has one that makes no sense.
[[nodiscard]] TrainedModel load_trained_model(const std::filesystem::path& file, const ModelKind& kind);
// As a safetensors file of 16-bit numbers, from which a model of this kind can be loaded again. FileError if it can't be
// written, ValueError if models of this kind don't have its positions.
void save_trained_model(const TrainedModel& model, const ModelKind& kind, const std::filesystem::path& file);

// Throws the FileError "FILE: not the weights of a noun finder: WHY", where no network can be made of what a file says.
[[noreturn]] void refuse_network(const TrainedModel& trained, const ModelKind& kind, const ValueError& why);

// load_trained_model for a network: a struct with members `config` and `tokenizer` and a function `parameters()`, which is made of
// a Tokenizer, a ModelConfig and an Rng. FileError, too, if its constructor throws a ValueError for what the file says, or the
// weights are not those of such a network.
template <class Network>
[[nodiscard]] Network load_network(const std::filesystem::path& file, const ModelKind& kind) {
    const TrainedModel trained = load_trained_model(file, kind);
    const auto make = [&] {
        try {
            Rng none = Rng::zeros();
            return Network(trained.tokenizer, trained.config, none);
        } catch (const ValueError& error) {
            refuse_network(trained, kind, error);
        }
    };
    Network network = make();
    trained.copy_into(network.parameters());
    return network;
}
// save_trained_model for a network.
//   says: what the file says beside sizes and tokens
template <class Network>
void save_network(const Network& network, const ModelKind& kind, const std::filesystem::path& file,
                  const Metadata& says = {}) {
    save_trained_model({network.config, network.tokenizer, network.parameters(), says}, kind, file);
}

}  // namespace tfs
