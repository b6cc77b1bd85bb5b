// chapters/11_generation/generation.hpp · what chapter 11 builds: a model writes
//
// Sources: Holtzman et al. 2020 (arXiv:1904.09751) for top-p; Fan et al. 2018 (arXiv:1805.04833) for top-k; Nguyen et al. 2024
// (arXiv:2407.01082) for min-p; Shazeer 2019 (arXiv:1911.02150), section 2.4, for decoding one token at a time with kept keys and
// values; Leviathan et al. 2023 (arXiv:2211.17192) for drafts; Wu et al. 2016 (arXiv:1609.08144) for beams; Keskar et al. 2019
// (arXiv:1909.05858) for the repetition penalty. Axes: batch · seq · vocab · heads.
// Read the lesson in README.md beside this file; write your steps in exercises/11_generation/.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "chapters/09_transformer/transformer.hpp"
#include "common/text/tokenizer.hpp"

namespace tfs {

// --- one token

// How the next token is drawn. The defaults draw from softmax(logits).
struct Sampling {
    static constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

    double temperature = 1.0;  // below 1 the likely tokens become likelier; 0 takes the largest logit
    std::size_t top_k = all;   // keeps so many tokens
    double top_p = 1.0;        // keeps the fewest tokens whose probabilities sum to top_p or more
    double min_p = 0.0;        // keeps tokens of at least min_p times the largest probability
};

// Step sample · The probabilities of all tokens, 0 for those that are not kept. In this order:
//   p = softmax(logits / temperature)
//   top-k: the k largest stay;  the others become 0, and p is divided by its sum
//   top-p: the largest stay until their sum is top_p or more, the one that reaches it included; likewise. 1 keeps all, even where
//     rounding makes the sum 1 before the last one
//   min-p: those of at least min_p times the largest stay; likewise
// Of equal ones the smaller ids come first. Temperature 0: 1 for the largest logit, of equal ones the first.
//   logits (vocab); one of -inf is a token that must not come: its probability is 0
// ValueError if there are no logits, one is NaN or +inf or all are -inf, the temperature is negative, NaN or infinite, top_k is 0,
// top_p is not in (0, 1], or min_p is not in [0, 1].
[[nodiscard]] std::vector<double> token_probabilities(std::span<const float> logits,
                                                      const Sampling& sampling = {});
// Step sample · One token, each as often as its probability says. One draw: u = rng.uniform() in [0, 1); the first token at which
// the sum of the probabilities so far is above u. Rounding may leave the sum of all below u: then the last one that is not 0.
// ValueError if there are no probabilities, all are 0, or one is negative, NaN or infinite.
[[nodiscard]] std::int64_t sample(std::span<const double> probabilities, Rng& rng);

// --- keys and values of earlier tokens

// The keys and values of one layer, each in memory for `capacity` positions: place r of head h in row b of the batch begins at
//   ((b * heads + h) * capacity + r) * width
struct CachedLayer {
    std::size_t heads = 0, d_k = 0, d_v = 0;
    std::vector<float> keys = {}, values = {};
    // For each row of the batch: how many positions it keeps, and how many came and were not dropped (more, with a
    // window).
    std::vector<std::size_t> kept = {}, seen = {};
};

// Step key_value_cache · What attention needs of earlier positions, so that a model is run on each token once (Shazeer 2019).
// Keys are kept as attention compares them: with rotary positions they are turned already. A row of the batch has its own length.
//     KeyValueCache cache(100);
//     model(prompt, {.earlier = &cache});                                         // (1, seq)
//     model(next, {.offset = cache.next_position(), .earlier = &cache});          // (1, 1)
struct KeyValueCache : EarlierKeysValues {
    std::size_t capacity;               // positions that each row of the batch has room for
    std::optional<std::size_t> window;  // keeps the newest `window` positions of each row only
    std::vector<CachedLayer> layers = {};

    // Given · ValueError if capacity or window is 0. With a window there is room for `window` positions.
    explicit KeyValueCache(std::size_t positions, std::optional<std::size_t> newest = std::nullopt);
    // Given · How many kept positions of this layer the next one sees, in each row: `kept`, or one less where a window is full, because
    // the oldest goes when the next one comes. 0 before the first.
    [[nodiscard]] Offset lengths(std::size_t layer) const override;
    // Given · Where the next token of each row is in its text: 0, 1, 2 …
    [[nodiscard]] Offset next_position() const;
    // Given · The bytes of the keys and values that it has room for.
    [[nodiscard]] std::size_t bytes() const;

    // Writes the rows of `own` (batch, heads, seq, width) after those that are kept, and returns all that are kept now. With a
    // window it first forgets the oldest rows for which there is no room.
    // Given checks: ValueError if there is no room without a window, or with one, if more than one new position would meet a
    // window that is full: each of them must see the `window` positions up to itself. ShapeError if `own` is of another batch or
    // other heads than before, or its keys and values differ in more than their width.
    [[nodiscard]] KeysValues append(std::size_t layer, const KeysValues& own) override;
    // Forgets the newest positions, so many in each row of the batch, in every layer. ValueError if a row keeps fewer.
    void drop(const std::vector<std::size_t>& newest);
    // Row i of the batch becomes a copy of what row rows[i] was, in every layer: a row may stay, go, or come twice.
    // ValueError if there is no such row, or none is picked.
    void pick(const std::vector<std::size_t>& rows);
};

// --- a text

using TokenIds = std::vector<std::int64_t>;

// A model that writes: the logits (batch, seq, vocab) of tokens (batch, seq), with the earlier ones in the pass.
struct LanguageModel {
    std::size_t vocab_size = 0;
    std::size_t max_len = 0;  // of a text with its prompt
    std::function<Tensor(const Ids& tokens, const Pass& pass)> logits;
};
// Given (models/language_model.cpp) · A decoder, which must live as long; or an encoder-decoder that has read this source
// (1, source). ValueError if the model is no such one.
[[nodiscard]] LanguageModel language_model(const Transformer& decoder);
[[nodiscard]] LanguageModel language_model(const Transformer& model, const Ids& source);

// Changes the logits of the next token after `text`, the prompt included: -inf for what must not come.
using LogitsRule = std::function<void(std::span<const std::int64_t> text, std::span<float> logits)>;

struct GenerationOptions {
    std::size_t new_tokens = 100;  // at most, for each prompt
    Sampling sampling = {};
    std::optional<std::int64_t> end_id = std::nullopt;  // ends a text, and is no part of it
    std::optional<std::size_t> window = std::nullopt;   // of the cache
    std::vector<LogitsRule> rules = {};                 // one after the other, before the sampling
    // Each token as soon as it is drawn, with the number of its prompt. If it returns false, this text ends with it.
    std::function<bool(std::size_t prompt, std::int64_t token)> on_token = nullptr;
};

// `full`: the text is max_len long; `stopped`: by on_token.
enum class Ended { end_id, count, full, stopped };

struct Generated {
    TokenIds tokens = {};  // without the prompt
    Ended ended = Ended::count;
};

// Step generate · Each prompt is continued. The model reads all prompts in one pass (prefill), and then one token of each that it
// has just written (decode), with a KeyValueCache: no token is read twice.
//   prompts: of any lengths; shorter ones are filled up at their end for the prefill, and the cache drops what filled them
//   rngs: one for each prompt, one draw for each of its tokens. So a prompt gives the same text alone and in a batch.
// A text that has ended takes no part in later passes. Where a rule leaves no token, token_probabilities refuses.
// With a window and a longer prompt, the first `window` tokens are read in one pass, the others one at a time.
// What the model takes for padding is hidden wherever it comes, as without a cache.
// ValueError if a function is empty, there is no prompt or an empty one, one is longer than max_len, there are not as many rngs, or prompts of
// different lengths meet a window.
[[nodiscard]] std::vector<Generated> generate(const LanguageModel& model,
                                              const std::vector<TokenIds>& prompts,
                                              const GenerationOptions& options, std::vector<Rng>& rngs);

// --- drafts

// A cheap model: the probabilities of all tokens after this text.
using Draft = std::function<std::vector<double>(std::span<const std::int64_t> text)>;

// Step speculative · Which of the drafted tokens stay, and the token after them (Leviathan et al. 2023, algorithm 1). Token i was
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

struct Speculation {
    Generated text;
    std::size_t drafted = 0, kept = 0;  // tokens of the draft: written, and kept by the large model
    std::size_t passes = 0;             // of the large model, the prefill included
};
// Step speculative · generate() for one prompt, with drafts: again and again the draft writes up to `length` tokens, each drawn
// from its probabilities; the large model reads them in one pass, accepted() chooses, and the cache drops the rest.
//   a pass reads what no pass has read, and the draft: the first one the prompt, later ones the token that accepted() added
//   the draft's probabilities are used as they are; those of the large model are token_probabilities(logits, options.sampling),
//   and the rules see the text up to each place. After a drafted token with p = 0 and after a drafted end no rule is asked: it may
//   allow nothing there. Those rows of p may be any valid distribution: what is drawn from one of them is thrown away
//   end_id ends a draft, too
// No draft is longer than the room allows: with the one token behind it, at most new_tokens are written, and never beyond max_len.
// ValueError as generate(); if there is no draft or length is 0; or with a window, which can't be read several tokens at a time.
[[nodiscard]] Speculation generate_speculatively(const LanguageModel& model, const Draft& draft,
                                                 const TokenIds& prompt, std::size_t length,
                                                 const GenerationOptions& options, Rng& rng);

// --- what a text must be

// Whether `next`, one character, may follow what is written so far; empty: whether the text may end there.
using MayFollow = std::function<bool(std::string_view written, std::string_view next)>;

// Step allowed_text · Puzzle: two rules that never lead into a dead end. After anything that they allow, they allow something.
// A date that exists, of the years 1950 to 2049, written as 1998-03-03, and its end. No 31st of February, and the 29th in leap
// years only.
[[nodiscard]] bool date_may_go_on(std::string_view written, std::string_view next);
// Lines of at most 40 characters (of one byte or several), the new line "\n" not counted, each of which ends with a space: none is
// empty. The text may end anywhere, but need not: there is always a character that may follow.
constexpr std::size_t longest_line = 40;
[[nodiscard]] bool line_may_go_on(std::string_view written, std::string_view next);

// Given (given/generation.cpp) · As a rule for a model: tokens that may not follow what is written behind the first `prompt` ids become
// -inf. The tokens are characters; `end_id` is the end. The tokenizer must live as long. ValueError if `may_follow` is empty. The rule throws one if the text is
// shorter than the prompt, or there are not as many logits as tokens.
[[nodiscard]] LogitsRule only_where(const Tokenizer& tokenizer, const MayFollow& may_follow,
                                    std::optional<std::int64_t> end_id, std::size_t prompt);

}  // namespace tfs
