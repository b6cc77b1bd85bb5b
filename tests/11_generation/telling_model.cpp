// tests/11_generation/telling_model.cpp · a model that tells what it reads, for stories
#include "tests/11_generation/telling_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/base/rng.hpp"

namespace tfs::test {

std::string read_line(const Seen& seen, std::size_t seq) {
    const auto behind = static_cast<std::ptrdiff_t>(seen.tokens.size() - seq);
    const TokenIds before(seen.tokens.begin(), seen.tokens.begin() + behind),
        own(seen.tokens.begin() + behind, seen.tokens.end());
    const std::size_t first = seen.positions[static_cast<std::size_t>(behind)];
    std::string line = fmt::format("the model reads {} at position {}, behind {}", fmt::join(own, " "), first,
                                   before.empty() ? "nothing" : fmt::format("{}", fmt::join(before, " ")));
    bool in_turn = true;
    for (std::size_t i = 1; i < seen.positions.size(); ++i)
        in_turn = in_turn && seen.positions[i] == seen.positions[i - 1] + 1;
    return in_turn ? line : line + fmt::format("; all their positions: {}", fmt::join(seen.positions, " "));
}

namespace {

constexpr std::size_t vocab = 11;

void write_logits(const Seen& seen, std::size_t count, float* out) {
    std::uint64_t key = count;
    for (std::size_t i = 0; i < count; ++i)
        key = splitmix64(key, static_cast<std::uint64_t>(seen.tokens[i]) * 1000 + seen.positions[i]);
    for (std::size_t id = 0; id < vocab; ++id)
        out[id] = static_cast<float>(splitmix64(key, id) >> 40) * 0x1p-22f - 2.0f;  // from -2 to 2
}

// What row `row` sees: the ids of this pass, or those that the cache keeps with them.
Seen seen_by(const Ids& ids, const Pass& pass, const Tensor* keys, const Tensor* values, std::size_t kept,
             std::size_t row) {
    Seen seen;
    const std::size_t seq = ids.shape()[1], all = keys == nullptr ? seq : keys->size(2);
    for (std::size_t i = keys == nullptr ? 0 : all - kept; i < all; ++i) {
        seen.tokens.push_back(keys == nullptr ? ids(row, i)
                                              : static_cast<std::int64_t>(keys->values()[row * all + i]));
        seen.positions.push_back(keys == nullptr ? pass.offset[row] + i
                                                 : static_cast<std::size_t>(values->values()[row * all + i]));
    }
    return seen;
}

// The newest `window` of the first `count`.
Seen newest(const Seen& seen, std::size_t count, std::size_t window) {
    const auto begin = static_cast<std::ptrdiff_t>(count - std::min(count, window)),
               end = static_cast<std::ptrdiff_t>(count);
    return {{seen.tokens.begin() + begin, seen.tokens.begin() + end},
            {seen.positions.begin() + begin, seen.positions.begin() + end}};
}

}  // namespace

LanguageModel telling_model(std::size_t max_len, std::optional<std::size_t> window, Story* story) {
    const auto logits = [window, story](const Ids& ids, const Pass& pass) {
        const std::size_t rows = ids.shape()[0], seq = ids.shape()[1];
        std::optional<Tensor> keys, values;
        Offset kept = seq;
        if (pass.earlier != nullptr) {
            Tensor tokens = Tensor::zeros({rows, 1, seq, 1}), positions = Tensor::zeros({rows, 1, seq, 1});
            for (std::size_t row = 0; row < rows; ++row)
                for (std::size_t i = 0; i < seq; ++i) {
                    tokens.mutable_array()(row, 0, i, 0) = static_cast<float>(ids(row, i));
                    positions.mutable_array()(row, 0, i, 0) = static_cast<float>(pass.offset[row] + i);
                }
            const KeysValues all = pass.earlier->append(0, {tokens, positions});
            keys = all.keys;
            values = all.values;
            kept = all.keys.lengths();
        }
        Tensor result = Tensor::zeros({rows, seq, vocab});
        for (std::size_t row = 0; row < rows; ++row) {
            const Seen seen =
                seen_by(ids, pass, keys ? &*keys : nullptr, values ? &*values : nullptr, kept[row], row);
            if (story != nullptr) story->push_back(read_line(seen, seq));
            for (std::size_t i = 0; i < seq; ++i) {
                const std::size_t count = seen.tokens.size() - seq + i + 1;
                const Seen near = newest(seen, count, window.value_or(count));
                write_logits(near, near.tokens.size(),
                             result.mutable_array().data() + (row * seq + i) * vocab);
            }
        }
        if (story != nullptr) story->push_back(fmt::format("that was a pass of {} x {} tokens", rows, seq));
        return result;
    };
    return {.vocab_size = vocab, .max_len = max_len, .logits = logits};
}

}  // namespace tfs::test
