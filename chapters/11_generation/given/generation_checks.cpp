// chapters/11_generation/given/generation_checks.cpp · checks of arguments, and two small helpers
#include "chapters/11_generation/given/generation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/tensor/named_axes.hpp"

namespace tfs {

void require_sampling(std::string_view what, const Sampling& sampling) {
    const auto& [temperature, top_k, top_p, min_p] = sampling;
    if (!(temperature >= 0.0) || !std::isfinite(temperature))
        throw ValueError(fmt::format("{}: the temperature is {}; it must be 0 or more", what, temperature));
    if (top_k == 0) throw ValueError(fmt::format("{}: top_k is 0; at least 1 token must be kept", what));
    if (!(top_p > 0.0 && top_p <= 1.0))
        throw ValueError(
            fmt::format("{}: top_p is {}; it must be above 0, and 1 at most (1 keeps all)", what, top_p));
    if (!(min_p >= 0.0 && min_p <= 1.0))
        throw ValueError(
            fmt::format("{}: min_p is {}; it must be between 0 (which keeps all) and 1", what, min_p));
}

void require_sampling(std::string_view what, std::span<const float> logits, const Sampling& sampling) {
    require_sampling(what, sampling);
    if (logits.empty()) throw ValueError(fmt::format("{}: there are no logits", what));
    bool any = false;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        if (std::isnan(logits[i]) || logits[i] == INFINITY)
            throw ValueError(fmt::format("{}: the logit of token {} is {}", what, i,
                                         std::isnan(logits[i]) ? "NaN" : "+inf"));
        any = any || std::isfinite(logits[i]);
    }
    if (!any) throw ValueError(fmt::format("{}: all logits are -inf, so no token may come", what));
}

void require_each(std::string_view what, std::span<const double> probabilities) {
    for (std::size_t i = 0; i < probabilities.size(); ++i)
        if (!(probabilities[i] >= 0.0 && std::isfinite(probabilities[i])))
            throw ValueError(
                fmt::format("{}: the probability of token {} is {}", what, i,
                            std::isnan(probabilities[i]) ? "NaN" : fmt::format("{}", probabilities[i])));
}

void require_probabilities(std::string_view what, std::span<const double> probabilities) {
    if (probabilities.empty()) throw ValueError(fmt::format("{}: there are no probabilities", what));
    require_each(what, probabilities);
    if (std::all_of(probabilities.begin(), probabilities.end(), [](double p) { return p == 0.0; }))
        throw ValueError(fmt::format("{}: all {} probabilities are 0", what, probabilities.size()));
}

void require_append(const TextCache& cache, std::size_t layer, const KeysValues& own) {
    const Tensor keys = own.keys, values = own.values;
    require_shapes("TextCache", {{"keys", keys, "batch+ heads+ seq+ d_k+"},
                                 {"values", values, "batch heads seq d_v+", "only the width may differ"}});
    const auto found = cache.layers.find(layer);
    if (found == cache.layers.end()) return;
    const Tensor kept = found->second.keys, kept_values = found->second.values;
    for (const int axis : {0, 1, 3})
        if (kept.size(axis) != keys.size(axis) || kept_values.size(axis) != values.size(axis))
            throw ShapeError(
                fmt::format("TextCache: layer {} keeps keys {} and values {}; {} and {} do not fit", layer,
                            to_string(kept.shape()), to_string(kept_values.shape()), to_string(keys.shape()),
                            to_string(values.shape())));
}

void require_drop(const TextCache& cache, std::size_t newest) {
    for (const auto& [layer, both] : cache.layers)
        if (const std::size_t kept = both.keys.size(2); newest >= kept)
            throw ValueError(
                fmt::format("TextCache: drop({}), and layer {} keeps {}: the first token must stay", newest,
                            layer, kept));
}

void require_cached_attention(const Tensor& q, const Tensor& k, const Tensor& v) {
    require_shapes("cached_attention", {{"q", q, "batch heads+ seq+ d_k+"},
                                        {"k", k, "batch heads seq d_k"},
                                        {"v", v, "batch heads seq d_v+"}});
    if (q.size(0) != 1)
        throw ShapeError(
            fmt::format("cached_attention: q is {}; a TextCache is of one text, (1, heads, seq, d_k)",
                        to_string(q.shape())));
}

void require_logits_of(std::string_view what, std::span<const std::int64_t> text, std::size_t logits) {
    for (const std::int64_t id : text)
        if (id < 0 || static_cast<std::size_t>(id) >= logits)
            throw ValueError(
                fmt::format("{}: the text has the id {}, which is none of the {} tokens that have logits",
                            what, id, logits));
}

void require_prompts(std::string_view what, const LanguageModel& model, const std::vector<TokenIds>& prompts,
                     const GenerationOptions& options) {
    if (!model.logits) throw ValueError(fmt::format("{}: the model has no function `logits`", what));
    for (const LogitsRule& rule : options.rules)
        if (!rule) throw ValueError(fmt::format("{}: a rule is empty", what));
    if (prompts.empty()) throw ValueError(fmt::format("{}: there is no prompt", what));
    for (const TokenIds& prompt : prompts) {
        if (prompt.empty()) throw ValueError(fmt::format("{}: a prompt is empty", what));
        if (prompt.size() > model.max_len)
            throw ValueError(fmt::format("{}: the prompt has {} tokens, and the model reads {} at most", what,
                                         prompt.size(), model.max_len));
    }
    require_sampling(what, options.sampling);
}

void divide_by_sum(std::vector<double>& p) {
    const double sum = std::accumulate(p.begin(), p.end(), 0.0);
    for (double& one : p) one /= sum;
}

}  // namespace tfs
