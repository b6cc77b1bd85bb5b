// chapters/09_transformer/program/options.hpp · what several sections of chapter 09 share: options, the model they ask for
#pragma once

#include <fmt/ranges.h>

#include "chapters/09_transformer/models/text_transformer.hpp"
#include "common/program.hpp"

namespace tfs {

namespace options {

inline const TextOption text = sentence();
inline const TextOption model{.flag = "--model",
                              .value = "tiny-decoder",
                              .help = fmt::format("one of {}", fmt::join(preset_names(), ", ")),
                              .choices = preset_names()};
inline const FlagOption untrained{"--untrained", "leave out the trained decoder"};
inline const CountOption heads{"--heads", 0, 0, 32, "of a tiny model; 0: its own"};
inline const CountOption d_model{"--d-model", 0, 0, 512, "of a tiny model; 0: its own"};
inline const CountOption layers{"--layers", 0, 0, 24, "of a tiny model; 0: its own"};
inline const TextOption save = file("--save", "file for the weights (safetensors)");
inline const TextOption load = file("--load", "file to load the weights from");

// Those that asked_model, asked_weights and wants_trained read.
inline const std::vector<Option> of_any_model{text,   model, untrained, heads, d_model,
                                              layers, save,  load,      seed};

}  // namespace options

// The tokens of a text, numbered after three tokens that no text has.
struct TextIds {
    std::vector<std::string> words;  // words[id]: "<pad>", "<start>", "<end>", then those of the text
    Ids ids;                         // (1, seq)
    Tokens tokens;

    static constexpr std::int64_t pad = 0, start = 1, end = 2;
};

// A small model in the sizes that were asked for, with the words of the text as its tokens; a published one as it is.
struct AskedModel {
    std::string name, label;  // "tiny-decoder", "tiny-decoder, untrained"
    bool from_file = false;   // its weights
    TransformerConfig config;
    TextIds text;
};
// ValueError if the sizes don't fit, or a model that is too large to run has a file.
[[nodiscard]] AskedModel asked_model(const Request& request);
// Drawn with --seed, or loaded. ValueError if the model is too large to run here.
[[nodiscard]] Transformer asked_weights(const Request& request, const AskedModel& asked);

// Whether this program runs the model: decided by the size of the weights alone. They are counted by the given costs, so
// that a run on a learner's steps needs none of them to decide.
[[nodiscard]] bool small_enough(const TransformerConfig& config);
[[nodiscard]] std::string why_too_large(const AskedModel& asked);

// The decoder of characters that chapter 10 trained. Loaded once in a program, at its first use. Throws as load_network.
[[nodiscard]] const TextTransformer& character_model();
// ValueError if --read, of the sections that look into it, is no text that it can read.
void check_read_text(const Request& request);
// Whether a trained model is shown in place of an untrained one.
[[nodiscard]] bool wants_trained(const Request& request);
// It, where it is what is asked for; else none, after a line that says why and what is shown `instead`.
[[nodiscard]] const TextTransformer* trained_decoder(Report& report, const Request& request,
                                                     const std::string& instead);

// The choices of a config in words, a line for each part.
[[nodiscard]] Table config_in_words(const AskedModel& asked);
// The mean of -ln p(next token) over the positions of all texts; nothing follows the last one of each. logits (texts, seq, vocab),
// ids (texts, seq).
[[nodiscard]] double next_token_loss(const Tensor& logits, const Ids& ids);

}  // namespace tfs
