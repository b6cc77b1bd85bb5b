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

namespace {

void require_each(std::string_view what, std::span<const double> probabilities) {
    for (std::size_t i = 0; i < probabilities.size(); ++i)
        if (!(probabilities[i] >= 0.0 && std::isfinite(probabilities[i])))
            throw ValueError(
                fmt::format("{}: the probability of token {} is {}", what, i,
                            std::isnan(probabilities[i]) ? "NaN" : fmt::format("{}", probabilities[i])));
}

}  // namespace

void require_probabilities(std::string_view what, std::span<const double> probabilities) {
    if (probabilities.empty()) throw ValueError(fmt::format("{}: there are no probabilities", what));
    require_each(what, probabilities);
    if (std::all_of(probabilities.begin(), probabilities.end(), [](double p) { return p == 0.0; }))
        throw ValueError(fmt::format("{}: all {} probabilities are 0", what, probabilities.size()));
}

void require_cached(std::string_view what, const Tensor& keys, const Tensor& values) {
    require_shapes(what, {{"keys", keys, "batch+ heads+ seq+ d_k+"},
                          {"values", values, "batch heads seq d_v+", "only the width may differ"}});
}

void require_cache_room(const KeyValueCache& cache, const CachedLayer& layer, std::size_t seq) {
    for (const std::size_t kept : layer.kept) {
        if (kept + seq <= cache.capacity) continue;
        if (!cache.window)
            throw ValueError(
                fmt::format("KeyValueCache: {} positions are kept and {} come; there is room for {}", kept,
                            seq, cache.capacity));
        if (seq > 1)
            throw ValueError(fmt::format(
                "KeyValueCache: {} positions come at once, {} are kept, and the window has {}: a full "
                "window takes one position at a time",
                seq, kept, cache.capacity));
    }
}

void require_drop(const KeyValueCache& cache, const std::vector<std::size_t>& newest) {
    for (const CachedLayer& layer : cache.layers) {
        if (newest.size() != layer.kept.size())
            throw ValueError(fmt::format("KeyValueCache: drop has {} numbers for {} rows of the batch",
                                         newest.size(), layer.kept.size()));
        for (std::size_t b = 0; b < newest.size(); ++b)
            if (newest[b] > layer.kept[b])
                throw ValueError(fmt::format("KeyValueCache: row {} can't drop {} positions; it keeps {}", b,
                                             newest[b], layer.kept[b]));
    }
}

void require_pick(const KeyValueCache& cache, const std::vector<std::size_t>& rows) {
    if (rows.empty()) throw ValueError("KeyValueCache: no row is picked");
    for (const CachedLayer& layer : cache.layers)
        for (const std::size_t row : rows)
            if (row >= layer.kept.size())
                throw ValueError(
                    fmt::format("KeyValueCache: row {} is picked, and there are {}", row, layer.kept.size()));
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
        if (options.window && prompt.size() != prompts[0].size())
            throw ValueError(
                fmt::format("{}: with a window all prompts must have one length, and here are {} and {}",
                            what, prompts[0].size(), prompt.size()));
    }
    require_sampling(what, options.sampling);
}

void require_rngs(std::string_view what, std::size_t prompts, std::size_t rngs) {
    if (prompts != rngs)
        throw ValueError(fmt::format("{}: {} prompts and {} random generators; each prompt needs its own",
                                     what, prompts, rngs));
}

void require_drafts(std::string_view what, const Draft& draft, std::size_t length,
                    const GenerationOptions& options) {
    if (!draft) throw ValueError(fmt::format("{}: the draft is empty", what));
    if (length == 0) throw ValueError(fmt::format("{}: a draft has at least 1 token", what));
    if (options.window)
        throw ValueError(
            fmt::format("{}: a window takes one position at a time, so drafts can't be checked", what));
}

void require_drafted(std::string_view what, const TokenIds& drafted,
                     const std::vector<std::vector<double>>& q, const std::vector<std::vector<double>>& p) {
    if (q.size() != drafted.size() || p.size() != drafted.size() + 1)
        throw ValueError(
            fmt::format("{}: {} drafted tokens need as many rows of q and one more of p, not {} and {}", what,
                        drafted.size(), q.size(), p.size()));
    for (std::size_t i = 0; i < drafted.size(); ++i) {
        const auto token = static_cast<std::size_t>(drafted[i]);
        require_each(what, q[i]);
        require_each(what, p[i]);
        if (q[i].size() != p[i].size())
            throw ValueError(fmt::format("{}: at drafted token {} q has {} probabilities, and p has {}", what,
                                         i, q[i].size(), p[i].size()));
        if (drafted[i] < 0 || token >= q[i].size() || q[i][token] == 0.0)
            throw ValueError(
                fmt::format("{}: drafted token {} is {}, which q can't have drawn", what, i, drafted[i]));
    }
    require_each(what, p.back());
}

void divide_by_sum(std::vector<double>& p) {
    const double sum = std::accumulate(p.begin(), p.end(), 0.0);
    for (double& one : p) one /= sum;
}

}  // namespace tfs
