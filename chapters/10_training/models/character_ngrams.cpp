// chapters/10_training/models/character_ngrams.cpp · guesses of the next character from counts
#include "chapters/10_training/models/character_ngrams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/base/errors.hpp"

namespace tfs {

namespace {

// vocab^length; 0 where 64 bits are too few.
std::uint64_t power(std::size_t vocab, std::size_t length) {
    std::uint64_t product = 1;
    for (std::size_t i = 0; i < length; ++i) {
        if (product > std::numeric_limits<std::uint64_t>::max() / vocab) return 0;
        product *= vocab;
    }
    return product;
}

// Sequences of one length are numbered like numbers with `vocab` digits.
std::uint64_t number_of(std::span<const std::int64_t> sequence, std::size_t vocab) {
    std::uint64_t number = 0;
    for (const std::int64_t id : sequence) number = number * vocab + static_cast<std::uint64_t>(id);
    return number;
}

void require_countable(std::span<const std::int64_t> ids, std::size_t vocab, std::size_t length) {
    if (vocab == 0 || length == 0 || power(vocab, length) == 0)
        throw ValueError(fmt::format("CharacterNgrams: sequences of {} from {} characters can't be numbered",
                                     length, vocab));
    if (ids.size() < length)
        throw ValueError(
            fmt::format("CharacterNgrams: {} characters have no sequence of {}", ids.size(), length));
    if (std::any_of(ids.begin(), ids.end(),
                    [vocab](std::int64_t id) { return id < 0 || static_cast<std::uint64_t>(id) >= vocab; }))
        throw ValueError(fmt::format("CharacterNgrams: an id is not in 0 … {}", vocab - 1));
}

}  // namespace

CharacterNgrams::CharacterNgrams(std::span<const std::int64_t> ids, std::size_t vocab, std::size_t length)
    : vocab_(vocab), counts_(length) {
    require_countable(ids, vocab, length);
    for (std::size_t begin = 0; begin + length <= ids.size(); ++begin)
        ++counts_.back().sequences[number_of(ids.subspan(begin, length), vocab)];
    // Each different sequence counts once for the sequence that is left without its first character.
    for (std::size_t shorter = length - 1; shorter > 0; --shorter)
        for (const auto& [number, count] : counts_[shorter].sequences)
            ++counts_[shorter - 1].sequences[number % power(vocab, shorter)];
    for (Counts& counts : counts_) sum_up(counts);
}

void CharacterNgrams::sum_up(Counts& counts) const {
    double once = 0.0, twice = 0.0;
    for (const auto& [number, count] : counts.sequences) {
        Context& context = counts.contexts[number / vocab_];
        context.count += count;
        ++context.kinds;
        once += count == 1.0 ? 1.0 : 0.0;
        twice += count == 2.0 ? 1.0 : 0.0;
    }
    // Without any that were counted once, nothing says how much the unseen ones should get: a small share.
    counts.discount = once > 0.0 ? std::min(once / (once + 2.0 * twice), 0.999) : 0.001;
}

double CharacterNgrams::Counts::interpolated(const Context& context, std::uint64_t number,
                                             double shorter) const {
    const auto found = sequences.find(number);
    const double count = found == sequences.end() ? 0.0 : found->second;
    return (std::max(count - discount, 0.0) + discount * context.kinds * shorter) / context.count;
}

template <class Use>
void CharacterNgrams::for_each_context(std::span<const std::int64_t> before, const Use& use) const {
    for (std::size_t known = 0; known < counts_.size() && known <= before.size(); ++known) {
        const std::uint64_t number = number_of(before.last(known), vocab_);
        const auto context = counts_[known].contexts.find(number);
        if (context == counts_[known].contexts.end()) return;  // what is longer never occurred either
        use(counts_[known], context->second, number);
    }
}

double CharacterNgrams::probability(std::span<const std::int64_t> before, std::int64_t id) const {
    double p = 1.0 / static_cast<double>(vocab_);
    for_each_context(before, [&](const Counts& counts, const Context& context, std::uint64_t number) {
        p = counts.interpolated(context, number * vocab_ + static_cast<std::uint64_t>(id), p);
    });
    return p;
}

std::vector<double> CharacterNgrams::probabilities(std::span<const std::int64_t> before) const {
    std::vector<double> all(vocab_, 1.0 / static_cast<double>(vocab_));
    for_each_context(before, [&](const Counts& counts, const Context& context, std::uint64_t number) {
        for (std::size_t id = 0; id < vocab_; ++id)
            all[id] = counts.interpolated(context, number * vocab_ + id, all[id]);
    });
    return all;
}

double bits_per_character(const CharacterNgrams& model, std::span<const std::int64_t> ids, std::size_t begin,
                          std::size_t end) {
    if (begin >= end || end > ids.size())
        throw ValueError(
            fmt::format("bits_per_character: {} … {} are no part of {}", begin, end, ids.size()));
    double bits = 0.0;
    for (std::size_t i = begin; i < end; ++i) bits -= std::log2(model.probability(ids.subspan(0, i), ids[i]));
    return bits / static_cast<double>(end - begin);
}

}  // namespace tfs
