// chapters/10_training/models/character_sampling.cpp · a character model writes by chance
#include "chapters/10_training/models/character_sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/errors.hpp"

namespace tfs {

namespace {

// The last `most` ids, all where there are fewer, as one sequence (1, seq).
Ids last_ids(std::span<const std::int64_t> ids, std::size_t most) {
    const std::span<const std::int64_t> end = ids.last(std::min(ids.size(), most));
    Ids last = Ids::from_shape({1, end.size()});
    std::copy(end.begin(), end.end(), last.begin());
    return last;
}

}  // namespace

std::size_t sampled_id(std::span<const float> logits, double temperature, Rng& rng) {
    if (logits.empty()) throw ValueError("sampled_id: there are no logits");
    if (!(temperature > 0.0))
        throw ValueError(fmt::format("sampled_id: the temperature {} is not above 0", temperature));
    if (!std::all_of(logits.begin(), logits.end(), [](float logit) { return std::isfinite(logit); }))
        throw ValueError("sampled_id: a logit is not finite");
    const double largest = *std::max_element(logits.begin(), logits.end());
    std::vector<double> sums;  // sums[i] of the first i + 1 chances, not yet divided by their sum
    double sum = 0.0;
    for (const float logit : logits) sums.push_back(sum += std::exp((logit - largest) / temperature));
    const auto found = std::upper_bound(sums.begin(), sums.end(), rng.uniform() * sum);
    return std::min(static_cast<std::size_t>(found - sums.begin()), logits.size() - 1);
}

std::string sample_text(const TextTransformer& model, const std::string& prompt, std::size_t count,
                        double temperature, Rng& rng) {
    const NoGrad no_grad;
    const Ids given = model.tokenizer.encode(prompt);
    std::vector<std::int64_t> ids(given.begin(), given.end());
    std::string written;
    for (std::size_t i = 0; i < count; ++i) {
        const Tensor logits =
            model.model(last_ids(ids, model.config.max_len)).logits;  // (1, seq, characters)
        const std::size_t id = sampled_id(logits.values().last(logits.size(2)), temperature, rng);
        ids.push_back(static_cast<std::int64_t>(id));
        written += model.tokenizer.tokens()[id];
    }
    return written;
}

}  // namespace tfs
