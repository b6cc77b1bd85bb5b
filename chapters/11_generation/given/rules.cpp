// chapters/11_generation/given/rules.cpp · rules for logits: what may follow a text, and what was written already
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "chapters/11_generation/given/generation.hpp"

namespace tfs {

LogitsRule only_where(const Tokenizer& tokenizer, const MayFollow& may_follow,
                      std::optional<std::int64_t> end_id, std::size_t prompt) {
    if (!may_follow) throw ValueError("only_where: the function `may_follow` is empty");
    return [&tokenizer, may_follow, end_id, prompt](std::span<const std::int64_t> text,
                                                    std::span<float> logits) {
        if (text.size() < prompt || logits.size() != tokenizer.size())
            throw ValueError(fmt::format(
                "only_where: {} ids of text behind a prompt of {}, and {} logits for {} tokens, do not fit",
                text.size(), prompt, logits.size(), tokenizer.size()));
        std::string written;
        for (const std::int64_t id : text.subspan(prompt)) written += tokenizer.token(id);
        for (std::size_t i = 0; i < logits.size(); ++i) {
            const auto id = static_cast<std::int64_t>(i);
            if (!may_follow(written, id == end_id ? std::string_view() : tokenizer.token(id)))
                logits[i] = -INFINITY;
        }
    };
}

LogitsRule repetition_penalty(double factor) {
    if (!(factor >= 1.0) || !std::isfinite(factor))
        throw ValueError(fmt::format("repetition_penalty: the factor is {}; it must be 1 or more", factor));
    return [factor](std::span<const std::int64_t> text, std::span<float> logits) {
        require_logits_of("repetition_penalty", text, logits.size());
        std::vector<bool> there(logits.size(), false);
        for (const std::int64_t token : text) there[static_cast<std::size_t>(token)] = true;
        for (std::size_t i = 0; i < logits.size(); ++i)
            if (there[i])
                logits[i] = static_cast<float>(logits[i] > 0.0f ? logits[i] / factor : logits[i] * factor);
    };
}

}  // namespace tfs
