// chapters/10_training/models/character_ngrams.hpp · guesses of the next character from counts
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace tfs {

// Interpolated Kneser-Ney with one discount for each length (Kneser and Ney 1995; Chen and Goodman 1999, section 2.7, whose
// comparison it leads, together with variants of itself). The context h is the last n - 1 characters, h' the same without
// its first one:
//   p(c | h) = (max(count(h c) - D, 0) + D kinds(h) p(c | h')) / count(h)
// kinds(h) is how many different characters follow h, and D = n1 / (n1 + 2 n2), where n1 and n2 say how many sequences of
// this length have been counted once and twice. Where h never occurred, p(c | h) = p(c | h'). The longest sequences are
// counted as they occur; for shorter ones it counts how many different characters stand before them. Below the shortest is
// the uniform guess 1 / vocab.
class CharacterNgrams {
  public:
    // Counts sequences of 1 … `length` characters; the ids are 0 … vocab - 1. ValueError if there are fewer ids than
    // that, an id is outside, length is 0, or vocab^length does not fit in 64 bits.
    CharacterNgrams(std::span<const std::int64_t> ids, std::size_t vocab, std::size_t length);

    // p(id | the last length - 1 of `before`); where there are fewer, as many as there are.
    [[nodiscard]] double probability(std::span<const std::int64_t> before, std::int64_t id) const;
    // The whole distribution: of the ids 0 … vocab - 1, in this order.
    [[nodiscard]] std::vector<double> probabilities(std::span<const std::int64_t> before) const;

  private:
    struct Context {
        double count = 0.0, kinds = 0.0;
    };
    // All sequences of one length, each under a number of its own.
    struct Counts {
        std::unordered_map<std::uint64_t, double> sequences = {};
        std::unordered_map<std::uint64_t, Context> contexts = {};
        double discount = 0.0;

        // p(c | h) of the formula above: h of this context, h c under this number, and p(c | h').
        double interpolated(const Context& context, std::uint64_t number, double shorter) const;
    };
    std::size_t vocab_;
    std::vector<Counts> counts_;  // of length 1, 2, …

    void sum_up(Counts& counts) const;
    // The counts that know what comes after the end of `before`, from the shortest context to the longest that occurred, as
    // use(counts, context, number of the context).
    template <class Use>
    void for_each_context(std::span<const std::int64_t> before, const Use& use) const;
};

// The mean of -log2 p over ids[begin] … ids[end - 1], each after all that stands before it.
[[nodiscard]] double bits_per_character(const CharacterNgrams& model, std::span<const std::int64_t> ids,
                                        std::size_t begin, std::size_t end);

}  // namespace tfs
