// chapters/12_many_texts/many_texts.hpp · what chapter 12 builds: many texts in one batch, and drafts that a large model checks
//
// Sources: Shazeer 2019 (arXiv:1911.02150) for the cache; Leviathan et al. 2023 (arXiv:2211.17192) for drafts; Saxena 2023 (prompt
// lookup decoding) for drafts from the text itself; Wu et al. 2016 (arXiv:1609.08144) for beams (search.hpp). Axes: batch · seq · vocab
// · heads. Read the lesson in README.md beside this file; write your steps in exercises/12_many_texts/.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "chapters/11_generation/generation.hpp"

namespace tfs {

// --- keys and values of many texts

// The keys and values of one layer, each in memory for `capacity` positions: place r of head h in row b of the batch begins at
//   ((b * heads + h) * capacity + r) * width
struct CachedLayer {
    std::size_t heads = 0, d_k = 0, d_v = 0;
    std::vector<float> keys = {}, values = {};
    // For each row of the batch: how many positions it keeps, and how many came and were not dropped (more, with a
    // window).
    std::vector<std::size_t> kept = {}, seen = {};
};

// Given (models/key_value_cache.cpp) · A TextCache for many texts: each row of the batch has its own length, new rows are written in
// place, and a window may bound its memory.
//     KeyValueCache cache(100);
//     model(prompt, {.earlier = &cache});                                         // (1, seq)
//     model(next, {.offset = cache.next_position(), .earlier = &cache});          // (1, 1)
struct KeyValueCache : EarlierKeysValues {
    std::size_t capacity;               // positions that each row of the batch has room for
    std::optional<std::size_t> window;  // keeps the newest `window` positions of each row only
    std::vector<CachedLayer> layers = {};

    // ValueError if capacity or window is 0. With a window there is room for `window` positions.
    explicit KeyValueCache(std::size_t positions, std::optional<std::size_t> newest = std::nullopt);
    // How many kept positions of this layer the next one sees, in each row: `kept`, or one less where a window is full, because
    // the oldest goes when the next one comes. 0 before the first.
    [[nodiscard]] Offset lengths(std::size_t layer) const override;
    // Where the next token of each row is in its text: 0, 1, 2 …
    [[nodiscard]] Offset next_position() const;
    // The bytes of the keys and values that it has room for.
    [[nodiscard]] std::size_t bytes() const;

    // Writes the rows of `own` (batch, heads, seq, width) after those that are kept, and returns all that are kept now. With a
    // window it first forgets the oldest rows for which there is no room.
    // ValueError if there is no room without a window, or with one, if more than one new position would meet a
    // window that is full: each of them must see the `window` positions up to itself. ShapeError if `own` is of another batch or
    // other heads than before, or its keys and values differ in more than their width.
    [[nodiscard]] KeysValues append(std::size_t layer, const KeysValues& own) override;
    // Forgets the newest positions, so many in each row of the batch, in every layer. ValueError if a row keeps fewer.
    void drop(const std::vector<std::size_t>& newest);
    // Row i of the batch becomes a copy of what row rows[i] was, in every layer: a row may stay, go, or come twice.
    // ValueError if there is no such row, or none is picked.
    void pick(const std::vector<std::size_t>& rows);
};

// --- many texts

// The logits (vocab) of the next token of each text.
using NextScores = std::vector<std::vector<float>>;

// Step batch_of_texts · All prompts in one pass, into an empty cache. Shorter ones are filled up at their end (`columns`); afterwards the
// cache keeps of each prompt its own positions and no others.
//   prompts: of any lengths -> the logits of the token after each prompt
// Given check: ValueError if there is no prompt, one is empty, or the cache keeps something.
[[nodiscard]] NextScores prefill(const LanguageModel& model, const std::vector<TokenIds>& prompts,
                                 KeyValueCache& cache);
// Step batch_of_texts · One more token of each text that goes on, in one pass. Row i of the batch becomes the text that was row rows[i]
// and gets tokens[i], at its own position.
//   rows, tokens (texts that go on) -> the logits of the token after each tokens[i]
// Given check: ValueError if there are none, or not as many rows as tokens.
[[nodiscard]] NextScores decode_step(const LanguageModel& model, const std::vector<std::size_t>& rows,
                                     const TokenIds& tokens, KeyValueCache& cache);

// Given (models/generate.cpp) · Each prompt is continued: prefill, and then decode_step for the tokens that were drawn. No token is read twice.
//   rngs: one for each prompt, one draw for each of its tokens. So a prompt gives the same text alone and in a batch, and the text that
//     write_text gives
//   window: each position sees the newest `window` positions only, in each layer. Then all prompts must have one length; of longer ones the
//     first `window` tokens are read in one pass, the others one at a time
// A text that has ended takes no part in later passes. Where a rule leaves no token, token_probabilities refuses.
// ValueError if a function is empty, there is no prompt or an empty one, one is longer than max_len, there are not as many rngs, or prompts of
// different lengths meet a window.
[[nodiscard]] std::vector<Generated> generate(const LanguageModel& model,
                                              const std::vector<TokenIds>& prompts,
                                              const GenerationOptions& options, std::vector<Rng>& rngs,
                                              std::optional<std::size_t> window = std::nullopt);

// --- drafts

// Step accepted · Which of the drafted tokens stay, and the token after them (Leviathan et al. 2023, algorithm 1). Token i was
// drawn from q[i]; the large model gives p[i] at its place, and p[n] after all n of them.
//   token i stays with probability min(1, p[i][token] / q[i][token]): if u = rng.uniform() is below it; at the first that goes,
//   all after it go, too
//   then one more token: from max(0, p[i] - q[i]), divided by its sum, in place of the one that went (from p[i] if rounding has
//   left nothing of that); from p[n] if all stay
// Returns the tokens that stay, and one more: 1 to n + 1. They have the distribution of the large model.
//   drafted (n), q (n, vocab), p (n + 1, vocab). Draws in this order: one for each token until the first goes; one more.
// ValueError if the numbers of rows disagree, a drafted token has q = 0, or a number is no probability.
[[nodiscard]] TokenIds accepted(const TokenIds& drafted, const std::vector<std::vector<double>>& q,
                                const std::vector<std::vector<double>>& p, Rng& rng);

// A cheap guess: the probabilities of all tokens after this text; none: it has no guess.
using Draft = std::function<std::vector<double>(std::span<const std::int64_t> text)>;

struct Speculation {
    Generated text;
    std::size_t drafted = 0, kept = 0;  // tokens of the draft: written, and kept by the large model
    std::size_t passes = 0;             // of the large model, the prefill included
};
// Given (models/speculation.cpp) · write_text() with drafts: again and again the draft writes up to `length` tokens, each drawn from its
// probabilities; the large model reads them in one pass, accepted() chooses, and the cache drops the rest.
//   a pass reads what no pass has read, and the draft: the first one the prompt, later ones the token that accepted() added
//   the draft's probabilities are used as they are; those of the large model are token_probabilities(logits, options.sampling),
//   and the rules see the text up to each place. After a drafted token with p = 0 and after a drafted end no rule is asked: it may
//   allow nothing there
//   end_id ends a draft, too
// No draft is longer than the room allows: with the one token behind it, at most new_tokens are written, and never beyond max_len.
// ValueError as write_text(); if there is no draft or length is 0.
[[nodiscard]] Speculation generate_speculatively(const LanguageModel& model, const Draft& draft,
                                                 const TokenIds& prompt, std::size_t length,
                                                 const GenerationOptions& options, Rng& rng);

// Step lookup_draft · Puzzle: a draft that costs nothing (Saxena 2023). Where the newest tokens of the text stood in it before, what
// followed there comes again, perhaps.
//   text (n), vocab_size -> probabilities of the next token (vocab_size), of sum 1; none if the text says nothing
// Where the eight newest tokens stood in the text before, what followed them there gets more than half. It passes if on the check's texts,
// with at most 8 drafted tokens a pass, each pass gives at least 1.8 tokens, at least 30 % of the drafted tokens stay, and no text changes.
[[nodiscard]] std::vector<double> lookup_draft(std::span<const std::int64_t> text, std::size_t vocab_size);

}  // namespace tfs
