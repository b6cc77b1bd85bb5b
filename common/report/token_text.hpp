// common/report/token_text.hpp · a text that a model wrote, token by token
#pragma once

#include <string>
#include <vector>

namespace tfs {

// A token with a number: how likely it was, or how much weight it got.
struct RatedToken {
    std::string text;
    double share = 0.0;    // 0 … 1
    std::size_t back = 0;  // of one that was looked at: so many tokens before the new one; 1 is the last
};

struct WrittenToken {
    std::string text;
    double probability = 1.0;  // with which it was drawn
    std::vector<RatedToken> alternatives =
        {};  // the likeliest tokens at its place, as the model has them, before any filter
    std::vector<RatedToken> looked_at = {};  // earlier tokens with the largest weights of attention
    // The time of the pass that wrote it, and of a pass over the whole text; 0 where it was not measured.
    double seconds = 0.0, seconds_without_cache = 0.0;
};

struct TokenText {
    std::string prompt;
    std::vector<WrittenToken> tokens = {};

    // The prompt and all tokens.
    [[nodiscard]] std::string text() const {
        std::string all = prompt;
        for (const WrittenToken& token : tokens) all += token.text;
        return all;
    }
};

}  // namespace tfs
