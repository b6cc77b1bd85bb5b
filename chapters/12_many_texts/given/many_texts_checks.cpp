// chapters/12_many_texts/given/many_texts_checks.cpp · checks of arguments
#include <fmt/format.h>

#include <algorithm>

#include "chapters/12_many_texts/given/many_texts.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

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

void require_prefill(const std::vector<TokenIds>& prompts, const KeyValueCache& cache) {
    if (prompts.empty()) throw ValueError("prefill: there is no prompt");
    for (const TokenIds& prompt : prompts)
        if (prompt.empty()) throw ValueError("prefill: a prompt is empty");
    for (const CachedLayer& layer : cache.layers)
        for (const std::size_t seen : layer.seen)
            if (seen > 0) throw ValueError("prefill: the cache is not empty");
}

void require_decode(const std::vector<std::size_t>& rows, const TokenIds& tokens) {
    if (rows.empty() || rows.size() != tokens.size())
        throw ValueError(
            fmt::format("decode_step: {} rows and {} tokens; each text that goes on has one of both",
                        rows.size(), tokens.size()));
}

void require_lookup(std::span<const std::int64_t> text, std::size_t vocab_size) {
    if (text.empty()) throw ValueError("lookup_draft: the text is empty");
    require_logits_of("lookup_draft", text, vocab_size);
}

void require_window(const std::vector<TokenIds>& prompts) {
    for (const TokenIds& prompt : prompts)
        if (prompt.size() != prompts[0].size())
            throw ValueError(fmt::format(
                "generate: with a window all prompts must have one length, and here are {} and {}",
                prompts[0].size(), prompt.size()));
}

void require_rngs(std::string_view what, std::size_t prompts, std::size_t rngs) {
    if (prompts != rngs)
        throw ValueError(fmt::format("{}: {} prompts and {} random generators; each prompt needs its own",
                                     what, prompts, rngs));
}

void require_drafts(std::string_view what, const Draft& draft, std::size_t length) {
    if (!draft) throw ValueError(fmt::format("{}: the draft is empty", what));
    if (length == 0) throw ValueError(fmt::format("{}: a draft has at least 1 token", what));
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

}  // namespace tfs
