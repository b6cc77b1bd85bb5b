// chapters/09_transformer/given/checks.hpp · the checks of chapter 09, given: errors in one sentence
#pragma once

#include <string_view>

#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

// ids (batch, seq) of tokens that the model knows, at most max_len positions; segments of the same shape
// where they are given. ShapeError, ValueError.
void require_ids(std::string_view what, const TransformerConfig& config, const Ids& ids,
                 const std::optional<Ids>& segment_ids = std::nullopt);

// The model is of one of these kinds. ValueError, which names what it is.
void require_one_sequence(std::string_view what, const TransformerConfig& config);   // no encoder-decoder
void require_two_sequences(std::string_view what, const TransformerConfig& config);  // an encoder-decoder
void require_decoder(std::string_view what, const TransformerConfig& config);

// As many sequences in the source as in the target. ShapeError.
void require_source_and_target(std::string_view what, const Ids& source, const Ids& target);

// memory (batch, source, d_model) belongs to these source ids. ShapeError.
void require_memory(std::string_view what, const TransformerConfig& config, const Tensor& memory,
                    const Ids& source);

// One sequence of at least one token, and room for so many more. ShapeError, ValueError.
void require_prompt(std::string_view what, const TransformerConfig& config, const Ids& prompt,
                    std::size_t new_tokens);

// The id of a token that the model knows. ValueError. `name`: "start_id".
void require_token(std::string_view what, std::string_view name, const TransformerConfig& config,
                   std::int64_t id);

}  // namespace tfs
