// chapters/11_generation/generation.hpp · what chapter 11 builds: a model writes
//
// Sources: Holtzman et al. 2020 (arXiv:1904.09751) for top-p; Fan et al. 2018 (arXiv:1805.04833) for top-k; Nguyen et al. 2024
// (arXiv:2407.01082) for min-p; Shazeer 2019 (arXiv:1911.02150), section 2.4, for decoding one token at a time with kept keys and
// values; Keskar et al. 2019 (arXiv:1909.05858) for the repetition penalty. Axes: batch · seq · vocab · heads.
// Read the lesson in README.md beside this file; write your steps in exercises/11_generation/.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "chapters/09_transformer/transformer.hpp"
#include "chapters/09_transformer/whole_model.hpp"
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

// Step text_cache · What attention needs of the tokens that were read, so that a model reads each token once (Shazeer 2019). Keys are
// kept as attention compares them: with rotary positions they are turned already.
//     TextCache cache;
//     model(prompt, {.earlier = &cache});                                // (1, seq)
//     model(next, {.offset = cache.length(), .earlier = &cache});        // (1, 1)
struct TextCache : EarlierKeysValues {
    // Of each layer that was read, by its number: (batch, heads, kept, d_k), the oldest token first.
    std::map<std::size_t, KeysValues> layers = {};

    // Given · How many tokens this layer keeps; 0 before the first.
    [[nodiscard]] Offset lengths(std::size_t layer) const override;
    // Given · How many tokens it keeps of the text: the position of the next one.
    [[nodiscard]] std::size_t length() const { return lengths(0).largest(); }

    // Adds the keys and values of the next tokens behind those that the layer keeps, and returns all that it keeps now.
    //   own.keys (batch, heads, seq, d_k), own.values (batch, heads, seq, d_v)
    // Given checks: ShapeError if `own` does not fit to what the layer keeps.
    [[nodiscard]] KeysValues append(std::size_t layer, const KeysValues& own) override;
    // Forgets the newest tokens, in every layer. Given check: ValueError if no token would stay.
    void drop(std::size_t newest);
};

// Step text_cache · Attention of one layer for the newest tokens of a text, which see the earlier ones, too. Their queries and keys are
// turned by their positions, keys and values go into the cache, and each query attends to its own token and all before it:
//   q, k (1, heads, seq, d_k), v (1, heads, seq, d_v) of the newest tokens, not turned yet -> softmax(q kᵀ / sqrt(d_k)) v (1, heads, seq, d_v)
//   angles, layout: of the model's rotary positions, for the whole text (chapter 03)
// So a text in parts gives what the whole text gives. Given check: ShapeError if q, k and v are not of one text, heads and length.
[[nodiscard]] Tensor cached_attention(TextCache& cache, std::size_t layer, const Tensor& q, const Tensor& k,
                                      const Tensor& v, const RotaryEmbedding& angles, RotaryLayout layout);

// Given (models/writing.cpp) · The blank page of chapter 09 with this attention: the logits of the newest tokens, (1, seq) -> (1, seq, vocab).
// ValueError if its positions are learned: `rows` begins at position 0.
[[nodiscard]] Tensor cached_logits(const Gpt& gpt, const Ids& newest, TextCache& cache);

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

// Given (given/rules.cpp) · Keskar et al. 2019, eq. 2, section 4.1: tokens that the text has already get logits divided by `factor` where they are positive, else
// multiplied (the paper divides both; a negative logit would grow). ValueError if the factor is not 1 or more; the rule
// throws one for a text with an id that has no logit.
[[nodiscard]] LogitsRule repetition_penalty(double factor);

struct GenerationOptions {
    std::size_t new_tokens = 100;  // at most, for each prompt
    Sampling sampling = {};
    std::optional<std::int64_t> end_id = std::nullopt;  // ends a text, and is no part of it
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

// Given (models/writing.cpp) · The prompt is continued: the model reads it in one pass (prefill), and then each token that was drawn
// (decode), with a TextCache. One draw of `rng` for each token. Where a rule leaves no token, token_probabilities refuses.
// ValueError if a function is empty, the prompt is empty or longer than max_len.
[[nodiscard]] Generated write_text(const LanguageModel& model, const TokenIds& prompt,
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
