// chapters/09_transformer/given/model_checks.hpp · the checks of chapter 09, given: errors in one sentence
#pragma once

#include <string_view>

#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

// ids (batch, seq) of tokens that the model knows, the first of them at position `offset`, the last before max_len; segments
// of the same shape where they are given. ShapeError, ValueError. `what`: "embed", "decode: target".
void require_ids(std::string_view what, const TransformerConfig& config, const Ids& ids,
                 const Offset& offset = 0, const std::optional<Ids>& segment_ids = std::nullopt);

// The model is of one of these kinds. ValueError, which names what it is.
void require_one_sequence(std::string_view what, const TransformerConfig& config);   // no encoder-decoder
void require_two_sequences(std::string_view what, const TransformerConfig& config);  // an encoder-decoder
void require_decoder(std::string_view what, const TransformerConfig& config);

// What WholeModel (whole_model.hpp) computes. ValueError, which names what else the config asks for.
void require_gpt(std::string_view what, const TransformerConfig& config);

// Ids that the model knows, as many sequences in the source as in the target. ShapeError, ValueError.
void require_source_and_target(std::string_view what, const TransformerConfig& config, const Ids& source,
                               const Ids& target, const Offset& offset = 0);

// The memory's output is (batch, source, d_model), of as many sources as there are targets. ShapeError.
void require_memory(std::string_view what, const TransformerConfig& config, const Memory& memory,
                    const Ids& target);

// One sequence of at least one token. ShapeError. `name`: "source".
void require_one_row(std::string_view what, std::string_view name, const Ids& ids);

// Room for so many new tokens behind `beginning`, "the prompt" or "start_id". ValueError.
void require_room(std::string_view what, const TransformerConfig& config, std::string_view beginning,
                  std::size_t tokens, std::size_t new_tokens);

// A length that a sequence may have: 1 … max_len. ValueError. `name`: "seq".
void require_length(std::string_view what, std::string_view name, const TransformerConfig& config,
                    std::size_t length);

// The id of a token that the model knows. ValueError. `name`: "start_id".
void require_token(std::string_view what, std::string_view name, const TransformerConfig& config,
                   std::int64_t id);

// logits (1, seq, vocab) of one sequence of at least one token: ShapeError. None of the last position is NaN: ValueError.
void require_logits(std::string_view what, const Tensor& logits);

// hidden (batch, seq, d_model) of at least one position. ShapeError.
void require_hidden(std::string_view what, const TransformerConfig& config, const Tensor& hidden);

}  // namespace tfs
