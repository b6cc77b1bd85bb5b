// chapters/12_many_texts/search.hpp · beams: the likeliest of many texts
#pragma once

#include "chapters/12_many_texts/many_texts.hpp"

namespace tfs {

struct BeamOptions {
    std::size_t beams = 4;
    double length_penalty = 0.6;  // alpha; 0: the sum of log probabilities alone
    std::size_t new_tokens = 100;
    std::optional<std::int64_t> end_id = std::nullopt;
};

struct Beam {
    TokenIds tokens = {};          // without the prompt, without end_id
    double log_probability = 0.0;  // natural logarithm, of all tokens and end_id
    double score = 0.0;            // log_probability / length_penalty(length, alpha)
    bool ended = false;            // by end_id
};

// Wu et al. 2016, eq. 14: ((5 + length) / 6)^alpha. `length` counts end_id.
[[nodiscard]] double length_penalty(std::size_t length, double alpha);

// Beam search (Sutskever et al. 2014, arXiv:1409.3215, section 3.2): at each position the `beams` likeliest texts go on. A text that
// has ended is set aside, not continued, and the search goes on with one beam less. It is over when none goes on, or the room is
// used up. The best score first. ValueError if there are no beams, the prompt is empty or too long, the penalty is negative or
// not finite, or a logit is NaN or +inf.
[[nodiscard]] std::vector<Beam> beam_search(const LanguageModel& model, const TokenIds& prompt,
                                            const BeamOptions& options);

}  // namespace tfs
