// chapters/11_generation/given/rules.cpp · what a text may be, as a rule for the logits of a model
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "chapters/11_generation/generation.hpp"

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

}  // namespace tfs
