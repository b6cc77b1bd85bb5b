// chapters/02_masks/masks.hpp · what chapter 02 builds: who may attend to whom
//
// Sources: Vaswani et al. 2017 (arXiv:1706.03762; causal); Beltagy, Peters and Cohan 2020, "Longformer"
// (arXiv:2004.05150; windows, global tokens); Raffel et al. 2020, "T5" (arXiv:1910.10683; prefix).
// In every mask true = may attend. Each mask broadcasts to the scores (batch, heads, query, key), and masks combine by
// `&`. Axes: batch · heads · query and key (positions).
// Read the lesson in README.md beside this file; write your steps in exercises/02_masks/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

// Step mask_rules · A query sees itself and what comes before it (Vaswani et al. 2017). `offset` keys come before the
// first query, as in a cache; `keys` counts them, too. So query i is at position i + offset of the keys.
//   -> (1, 1, query, key)
// Throws ShapeError if there is no query, where keys < offset + queries (then a query has no key of its own), and
// where there are too many for any memory.
[[nodiscard]] Mask causal_mask(std::size_t queries, std::size_t keys, std::size_t offset);
// All queries and keys of one sequence: causal_mask(seq, seq, 0). Given.
[[nodiscard]] Mask causal_mask(std::size_t seq);
// Given (models/causal_rows.cpp) · With an offset for each row of the batch, each row has the mask of its own:
//   -> (batch, 1, query, key); with one offset (1, 1, query, key)
[[nodiscard]] Mask causal_mask(std::size_t queries, std::size_t keys, const Offset& offset);

// Step mask_rules · Allowed where both allow. The two masks are broadcast to one shape:
//   (batch, 1, 1, key) & (1, 1, query, key) -> (batch, 1, query, key)
// Throws ShapeError if they don't broadcast.
[[nodiscard]] Mask operator&(const Mask& a, const Mask& b);

// Step mask_rules · No query may attend to padding, the tokens whose id is pad_id.
//   tokens (batch, seq) -> (batch, 1, 1, key). The mask hides keys, and is the same for every query. In cross-attention
//   the tokens are the source tokens, and their positions are the keys.
// Throws ShapeError if tokens is not (batch, seq) or is empty, ValueError if a sequence holds nothing but padding:
// the message says which sequence, counted from 1, as in "sentence 2 of 3 is only padding".
[[nodiscard]] Mask padding_mask(const Ids& tokens, std::int64_t pad_id);

enum class Window { causal, symmetric };

// Step sliding_window_mask · Each query sees only its neighbourhood (Beltagy et al. 2020):
//   causal:    0 <= i - j < window: itself and the window - 1 keys before it (Jiang et al. 2023, "Mistral 7B")
//   symmetric:  |i - j|   < window: as many after it, too, for encoders
//   -> (1, 1, query, key), with seq queries and seq keys
// Throws ShapeError if seq is 0 or too large, ValueError if window is 0 (a query would see nothing).
[[nodiscard]] Mask sliding_window_mask(std::size_t seq, std::size_t window, Window kind = Window::causal);

// Given · Prefix language model (Raffel et al. 2020): the first `prefix` positions, the question, see
// each other both ways; the rest, the answer, is causal and sees all of the prefix. prefix 0 is the causal mask, prefix =
// seq allows everything.
//   -> (1, 1, query, key), with seq queries and seq keys
// Throws ShapeError if seq is 0 or too large, ValueError if prefix > seq.
[[nodiscard]] Mask prefix_mask(std::size_t seq, std::size_t prefix);

// Given · Several documents packed into one sequence: a query sees the keys of its own document, wherever they are.
//   query_documents (batch, query), key_documents (batch, key): the number of its document for each position; any number
//   may name a document, 0 too -> (batch, 1, query, key)
// Throws ShapeError if one is not (batch, seq) or is empty, or their batches differ.
[[nodiscard]] Mask document_mask(const Ids& query_documents, const Ids& key_documents);
// Within one sequence: document_mask(documents, documents).
[[nodiscard]] Mask document_mask(const Ids& documents);

// Step growing_text · Predict, then measure. A text of 10 tokens with random vectors goes through self-attention with
// random weights in one long pass. Then its first token, its first 2, … its first 10 go through the same layer, in ten short
// passes; the pass over t tokens uses the first t rows and columns of the mask. Row t - 1 of the long pass is *equal* if it is
// the last row of the pass over t tokens (to 1e-5). How many of the 10 rows are equal? Where two layers lie one on the other,
// both have the same mask.
struct EqualRows {
    std::size_t no_mask = 0;
    std::size_t causal = 0;
    std::size_t window = 0;                // causal, 3 keys
    std::size_t symmetric_window = 0;      // window 3: two keys before the query, itself, two after it
    std::size_t question = 0;              // of 4 tokens, and its answer: prefix_mask
    std::size_t documents = 0;             // two, of 6 and 4 tokens: document_mask alone
    std::size_t documents_and_causal = 0;  // the same, & causal_mask
    std::size_t global_token = 0;          // causal, but query 0 sees everything
    std::size_t global_token_twice = 0;    // the same, two layers
    std::size_t question_twice = 0;        // a question of 4 tokens, two layers
};
// And how many scores (a query times a key, in one head and one layer) does the code of chapter 01 compute?
struct ScoreCounts {
    std::size_t one_pass = 0;    // one causal pass over the 10 tokens
    std::size_t ten_passes = 0;  // the ten short passes
    std::size_t with_cache = 0;  // 10 passes of one new query each, over the keys of a cache and its own
};
struct GrowingText {
    EqualRows equal;
    ScoreCounts scores;
};
[[nodiscard]] GrowingText growing_text();

// Given · The positions of `global`, in any order; one may come twice.
//   -> as queries (1, 1, query, 1): true where the query is global
[[nodiscard]] Mask global_queries(std::size_t seq, const std::vector<std::size_t>& global);
//   -> as keys (1, 1, 1, key): true where the key is global
// Both throw ShapeError if seq is 0 or too large, ValueError if a position is not below seq.
[[nodiscard]] Mask global_keys(std::size_t seq, const std::vector<std::size_t>& global);

// Step longformer_mask · Puzzle: a window and global tokens in one mask, as in Longformer (Beltagy et al. 2020). Query i
// may attend to key j if at least one of these holds:
//   near allows it, such as a window: broadcastable to (batch, heads, query, key)
//   i is global, and sees everything: query_is_global (…, query, 1)
//   j is global, and everybody sees it: key_is_global (…, 1, key)
//   -> the shape to which the three broadcast; the sets of global tokens may differ between the sequences of a batch
// Any code that gives this mask passes. Can you do it without a loop?
// Throws ShapeError if the three don't broadcast to one shape.
[[nodiscard]] Mask longformer_mask(const Mask& near, const Mask& query_is_global, const Mask& key_is_global);

}  // namespace tfs
