// chapters/11_generation/given/prompts.cpp · prompts as a batch, and logits of its rows
#include "chapters/11_generation/given/prompts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tfs {

std::size_t longest(const std::vector<TokenIds>& prompts) {
    std::size_t most = 0;
    for (const TokenIds& prompt : prompts) most = std::max(most, prompt.size());
    return most;
}

Ids columns(const std::vector<TokenIds>& prompts, std::size_t begin, std::size_t end) {
    Ids ids = Ids::from_shape({prompts.size(), end - begin});
    for (std::size_t row = 0; row < prompts.size(); ++row)
        for (std::size_t t = begin; t < end; ++t)
            ids(row, t - begin) = t < prompts[row].size() ? prompts[row][t] : 0;
    return ids;
}

Ids one_each(const TokenIds& tokens) {
    Ids ids = Ids::from_shape({tokens.size(), 1});
    std::copy(tokens.begin(), tokens.end(), ids.begin());
    return ids;
}

std::vector<float> logits_at(const Tensor& logits, std::size_t row, std::size_t position) {
    if (row >= logits.size(0) || position >= logits.size(1))
        throw ValueError(fmt::format("logits_at: position {} of row {}; the logits are {}", position, row,
                                     to_string(logits.shape())));
    const auto scores =
        logits.values().subspan((row * logits.size(1) + position) * logits.size(2), logits.size(2));
    return {scores.begin(), scores.end()};
}

}  // namespace tfs
