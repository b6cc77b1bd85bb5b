// chapters/03_positional_encoding/models/marker_finder.hpp · one head that learns to find the last marker, with positions of any kind
//
// Words are drawn at random, one word in four is the marker (id 0), and the first word always is. Every query should attend to
// the last marker at or before it. That takes content (is it a marker?) and position (is it the last?).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

struct Finder {
    enum class Kind { none, sinusoids, learned, rotary, alibi };
    static constexpr std::array kinds{Kind::none, Kind::sinusoids, Kind::learned, Kind::rotary, Kind::alibi};
    static constexpr std::array names{"none", "sinusoids", "learned", "rotary", "ALiBi"};  // in this order
    static constexpr std::size_t words = 8, width = 32, trained_length = 32, longest = 256, steps = 300;

    Kind kind;
    Embedding embedding;
    Linear w_q, w_k;
    std::optional<SinusoidalPositionalEncoding> sinusoids = {};  // the one that `kind` asks for
    std::optional<LearnedPositionalEmbedding> learned = {};
    std::optional<RotaryEmbedding> rotary = {};
    float slope = 0.5f;  // of ALiBi: the steepest of 8 heads; alone, a head would get 1/256

    [[nodiscard]] std::string name() const { return names.at(static_cast<std::size_t>(kind)); }
};

// Texts (text, word) as the finders are trained on.
[[nodiscard]] Ids marker_texts(std::size_t length, Rng& rng);

// A finder, fitted by gradient steps on the mean of -log(weight on the last marker), on new texts of the trained length each time.
[[nodiscard]] Finder fitted_finder(Finder::Kind kind, std::uint64_t seed, float slope = 0.5f);

// The frequencies of a rotary finder as it is trained, and the same finder with other ones: pair i turns by factors[i] *
// frequencies[i]. ValueError where there is not a factor for each pair.
[[nodiscard]] std::vector<double> finder_frequencies();
[[nodiscard]] Finder with_factors(const Finder& finder, const std::vector<double>& factors);

// Over the queries of new texts of this length: the share whose largest weight is that of the last marker, and the mean weight
// on it.
struct Found {
    double largest = 0.0, weight = 0.0;
};
[[nodiscard]] Found found_by(const Finder& finder, std::size_t length);

// A rotary finder's score of a marker at the distances 0 … distances - 1 behind the query: the mean over the queries of all words.
[[nodiscard]] std::vector<double> marker_scores(const Finder& finder, std::size_t distances);

// What it attends to in one text, (query, key).
[[nodiscard]] Array map_of(const Finder& finder, const std::vector<std::int64_t>& text);

// The last marker at or before each word of a text.
[[nodiscard]] std::vector<std::size_t> last_markers(std::span<const std::int64_t> text);

// Whether no other weight is as large, but for rounding: of two equal ones none is the largest.
[[nodiscard]] bool is_largest(std::span<const float> weights, std::size_t key);

}  // namespace tfs
