// chapters/02_masks/masks.hpp · what chapter 02 builds: who may attend to whom
//
// Sources: Vaswani et al. 2017 (arXiv:1706.03762), section 3.2.3 (causal); Beltagy, Peters and Cohan 2020, "Longformer"
// (arXiv:2004.05150), section 3.1 (windows); Raffel et al. 2020, "T5" (arXiv:1910.10683), section 3.2.1 (prefix).
// In every mask true = may attend. All are built to broadcast to the scores (batch, heads, query, key), and so that
// they combine by `&`. Axes: batch · heads · query and key (positions).
// Read the lesson in README.md beside this file; write your steps in exercises/02_masks/.
#pragma once

#include <cstdint>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

// Step 2.1 · Real tokens may be seen, padding may not: allowed(b, 0, 0, j) = tokens(b, j) != pad_id
//   tokens (batch, seq) -> (batch, 1, 1, key). It hides keys, and any number of queries broadcasts against it: for
//   cross-attention hand it the source, whose positions are the keys.
// Throws ShapeError where tokens is not (batch, seq) or is empty, ValueError where a sequence holds nothing but padding
// (it names the sequence, counted from 1, and the number of sequences: "sentence 2 of 3").
[[nodiscard]] Mask padding_mask(const Ids& tokens, std::int64_t pad_id);

// Step 2.2 · No query sees what comes after it: allowed(0, 0, i, j) = j <= i + offset  (Vaswani et al. 2017, section
// 3.2.3). `offset` is the number of keys that come before the first query, as those of a cache do; `keys` counts them
// too.
//   -> (1, 1, query, key)
// Throws ShapeError where there is no query, or keys < offset + queries (a query lacks its own key), or
// there are too many for any memory.
[[nodiscard]] Mask causal_mask(std::size_t queries, std::size_t keys, std::size_t offset);
// All queries and keys of one sequence: causal_mask(seq, seq, 0). Given.
[[nodiscard]] Mask causal_mask(std::size_t seq);

// Step 2.3 · Allowed where both allow. The two are broadcast against each other: (batch, 1, 1, key) & (1, 1, query, key)
// -> (batch, 1, query, key). Throws ShapeError where they don't broadcast.
[[nodiscard]] Mask operator&(const Mask& a, const Mask& b);

enum class Window { causal, symmetric };

// Step 2.4 · Each query sees only its neighbourhood (Beltagy et al. 2020, section 3.1):
//   causal:    0 <= i - j < window: itself and the window - 1 before it (Jiang et al. 2023, "Mistral 7B")
//   symmetric:  |i - j|   < window: as many after it too, for encoders (Longformer's w counts both sides together)
//   -> (1, 1, query, key), with seq queries and seq keys
// Throws ShapeError where seq is 0 or too large, ValueError where window is 0 (not even itself: every query would see nothing).
[[nodiscard]] Mask sliding_window_mask(std::size_t seq, std::size_t window, Window kind = Window::causal);

// Step 2.5 · Prefix language model (Raffel et al. 2020, section 3.2.1): the first `prefix` positions, the question, see
// each other both ways; the rest, the answer, is causal and sees all of the prefix. prefix 0 is the causal mask, prefix =
// seq allows everything.
//   -> (1, 1, query, key), with seq queries and seq keys
// Throws ShapeError where seq is 0 or too large, ValueError where prefix > seq.
[[nodiscard]] Mask prefix_mask(std::size_t seq, std::size_t prefix);

// Step 2.6 · Several documents packed into one sequence: a query sees the keys of its own document only. Combine it with
// the causal mask by `&`.
//   allowed(b, 0, i, j) = query_documents(b, i) == key_documents(b, j)
//   query_documents (batch, query), key_documents (batch, key): a number for each position, any number for each
//   document -> (batch, 1, query, key)
// Throws ShapeError where one is not (batch, seq) or is empty, or their batches differ.
[[nodiscard]] Mask document_mask(const Ids& query_documents, const Ids& key_documents);
// Within one sequence: document_mask(documents, documents). Given.
[[nodiscard]] Mask document_mask(const Ids& documents);

// Step 2.7 · The same mask as floats that are added to the scores: 0 where allowed, -infinity where forbidden. It requires
// no gradient.
[[nodiscard]] Tensor additive_mask(const Mask& mask);
// And back: 0 (and -0, which equals it) is allowed, -infinity is forbidden. Any other entry is a ValueError that names the
// value and its place (the row-major index, as "entry 3") and what it looks like: 1 a mask of zeros and ones, which means
// the opposite; a large negative number, such as -1e9, an imitation of -infinity.
[[nodiscard]] Mask mask_from_additive(const Tensor& additive);

}  // namespace tfs
