// chapters/11_generation/program/options.hpp · what several sections of chapter 11 share: options, and the model that writes
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/11_generation/generation.hpp"
#include "common/program.hpp"

namespace tfs {

namespace options {

inline const TextOption model{"--model",
                              "characters",
                              "the trained model that writes: characters or dates",
                              0,
                              {"characters", "dates"}};
inline const TextOption prompt{"--prompt", "",
                               "what the model continues, or the date that it reads; empty: the lesson's"};
inline const CountOption tokens{"--tokens", 200, 0, 100'000, "how many tokens it writes at most"};
inline const RealOption temperature{"--temperature", 0.8, 0.0, 1000.0,
                                    "divides the logits; 0 takes the likeliest token"};
inline const CountOption top_k{"--top-k", 0, 0, 1'000'000, "keeps so many tokens; 0 keeps all"};
inline const RealOption top_p{"--top-p", 1.0, 0.0, 1.0, "keeps the fewest tokens that reach this sum", true};
inline const RealOption min_p{"--min-p", 0.0, 0.0, 1.0,
                              "keeps tokens of this share of the largest probability"};
inline const TextOption stop{"--stop", "(none)", "a text that ends the writing"};

}  // namespace options

// A trained model with what it shall continue.
struct Writer {
    std::shared_ptr<const TextTransformer> trained;
    TokenIds prompt;                           // of the dates: <start>
    std::optional<Ids> source = std::nullopt;  // of the dates: the written date
    std::string text = {};                     // what was asked for
    std::size_t new_tokens = 0;                // of the dates: the length of an answer

    // As generate() asks; the writer must live as long.
    [[nodiscard]] LanguageModel model() const;
};
// Reads --model, --prompt, --tokens. ValueError, which names the flag, for a prompt that the model can't read.
[[nodiscard]] Writer asked_writer(const Request& request);
// The shipped decoder of characters, with this prompt.
[[nodiscard]] Writer character_writer(const std::string& prompt);

// Reads --temperature, --top-k, --top-p, --min-p.
[[nodiscard]] Sampling asked_sampling(const Request& request);

}  // namespace tfs
