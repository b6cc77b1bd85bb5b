// chapters/09_transformer/given/transformer.hpp · what the steps of chapter 09 are given: small helpers, and checks whose errors are one sentence
#pragma once

#include <string_view>

#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

// What a model of this config hands to the stacks of chapter 08.
[[nodiscard]] StackConfig stack_config(const TransformerConfig& config);

// A segment for each id, all of them 0: one sentence alone.
[[nodiscard]] Ids all_in_segment_0(const Ids& ids);

// The padding_mask (chapter 02) of the ids where the config has a pad_id, else none: (batch, 1, 1, seq). Where the pass
// brings keys of earlier positions, their ids are not among these: then it is pass.padding, or, where that is not given, what is
// kept beside these keys. It also hides the columns in which a row of the batch with fewer keys has none.
[[nodiscard]] std::optional<Mask> padding_of(const TransformerConfig& config, const Ids& ids,
                                             const Pass& pass = {});

// One sequence of one token: (1, 1).
[[nodiscard]] Ids one_token(std::int64_t token);

// The sequence, and a token more: (1, seq) -> (1, seq + 1).
[[nodiscard]] Ids appended(const Ids& ids, std::int64_t token);

// ids (batch, seq) of tokens that the model knows, the first of them at position `offset`, the last before max_len; segments
// of the same shape where they are given. ShapeError, ValueError. `what`: "embed", "decode: target".
void require_ids(std::string_view what, const TransformerConfig& config, const Ids& ids,
                 const Offset& offset = 0, const std::optional<Ids>& segment_ids = std::nullopt);

// The model is of one of these kinds. ValueError, which names what it is.
void require_one_sequence(std::string_view what, const TransformerConfig& config);   // no encoder-decoder
void require_two_sequences(std::string_view what, const TransformerConfig& config);  // an encoder-decoder
void require_decoder(std::string_view what, const TransformerConfig& config);

// What Gpt (whole_model.hpp) computes. ValueError, which names what else the config asks for.
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
