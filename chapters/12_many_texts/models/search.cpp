// chapters/12_many_texts/models/search.cpp · beam search
#include "chapters/12_many_texts/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/12_many_texts/given/many_texts.hpp"

namespace tfs {

namespace {

void require_beams(const LanguageModel& model, const TokenIds& prompt, const BeamOptions& options) {
    require_prompts("beam_search", model, {prompt}, {});
    if (options.beams == 0) throw ValueError("beam_search: there must be at least 1 beam");
    if (!(options.length_penalty >= 0.0) || !std::isfinite(options.length_penalty))
        throw ValueError(fmt::format("beam_search: the length penalty is {}; it must be 0 or more",
                                     options.length_penalty));
}

// ln softmax(logits).
std::vector<double> log_probabilities(const std::vector<float>& logits) {
    require_sampling("beam_search", logits, {});
    const double largest = *std::max_element(logits.begin(), logits.end());
    double sum = 0.0;
    for (const float logit : logits) sum += std::exp(logit - largest);
    std::vector<double> result;
    for (const float logit : logits) result.push_back(logit - largest - std::log(sum));
    return result;
}

// A text with one token more.
struct Next {
    std::size_t row = 0;  // of the beam that it continues
    std::int64_t token = 0;
    double log_probability = 0.0;
};

// The `most` likeliest continuations of all rows; of equal ones those of the earlier row, and the smaller token.
std::vector<Next> likeliest(const std::vector<Beam>& beams, const Tensor& logits, std::size_t position,
                            std::size_t most) {
    std::vector<Next> all;
    for (std::size_t row = 0; row < beams.size(); ++row) {
        const std::vector<double> log_p = log_probabilities(logits_at(logits, row, position));
        for (std::size_t token = 0; token < log_p.size(); ++token)
            all.push_back({row, static_cast<std::int64_t>(token), beams[row].log_probability + log_p[token]});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Next& a, const Next& b) { return a.log_probability > b.log_probability; });
    all.resize(std::min(all.size(), most));
    return all;
}

Beam longer(const Beam& beam, const Next& next, const BeamOptions& options) {
    Beam result = beam;
    result.ended = next.token == options.end_id;
    if (!result.ended) result.tokens.push_back(next.token);
    result.log_probability = next.log_probability;
    result.score = next.log_probability /
                   length_penalty(result.tokens.size() + (result.ended ? 1 : 0), options.length_penalty);
    return result;
}

}  // namespace

double length_penalty(std::size_t length, double alpha) {
    return std::pow((5.0 + static_cast<double>(length)) / 6.0, alpha);
}

std::vector<Beam> beam_search(const LanguageModel& model, const TokenIds& prompt,
                              const BeamOptions& options) {
    require_beams(model, prompt, options);
    const NoGrad no_grad;
    const std::size_t room = std::min(options.new_tokens, model.max_len - prompt.size());
    KeyValueCache cache(prompt.size() + room);
    std::vector<Beam> going{Beam()}, ended;
    if (room == 0) return going;
    Tensor logits = model.logits(columns({prompt}, 0, prompt.size()), {.earlier = &cache});
    while (true) {
        std::vector<Beam> next;
        std::vector<std::size_t> rows;
        TokenIds tokens;
        const std::size_t most = options.beams - ended.size();
        for (const Next& one : likeliest(going, logits, logits.size(1) - 1, most)) {
            Beam beam = longer(going[one.row], one, options);
            if (beam.ended) {
                ended.push_back(std::move(beam));
                continue;
            }
            next.push_back(std::move(beam));
            rows.push_back(one.row);
            tokens.push_back(one.token);
        }
        going = std::move(next);
        if (going.empty() || going[0].tokens.size() == room) break;
        cache.pick(rows);
        logits = model.logits(one_each(tokens), {.offset = cache.next_position(), .earlier = &cache});
    }
    ended.insert(ended.end(), going.begin(), going.end());
    std::stable_sort(ended.begin(), ended.end(),
                     [](const Beam& a, const Beam& b) { return a.score > b.score; });
    return ended;
}

}  // namespace tfs
