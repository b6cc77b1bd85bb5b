// chapters/03_positional_encoding/program/marker_finder.hpp · one head that learns to find the last marker, with positions of any kind
//
// Words are drawn at random, one word in four is the marker, and the first word always is. Every query should attend to
// the last marker at or before it. That takes content (is it a marker?) and position (is it the last?).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/program.hpp"

namespace tfs {

class Finder {
  public:
    enum class Kind { none, sinusoids, learned, rotary, alibi };
    static constexpr std::array kinds{Kind::none, Kind::sinusoids, Kind::learned, Kind::rotary, Kind::alibi};
    static constexpr std::size_t trained_length = 32;
    static constexpr std::array<std::size_t, 5> lengths{16, 32, 64, 128, 256};
    static std::string name_of(Kind kind);

    Finder(Kind kind, Rng& rng);

    // Gradient steps on the mean of -log(weight on the last marker), on new texts of the trained length each time.
    void fit(Rng& rng);

    Kind kind() const { return kind_; }

    // The share of queries, over new texts of this length, whose largest weight is that of the last marker.
    double share_found(std::size_t length) const;

    // Whether no other weight is as large, but for rounding: of two equal ones none is the largest.
    static bool is_largest(std::span<const float> weights, std::size_t key);

    // What it attends to in one text of ids, (query, key); 0 is the marker.
    Array map_of(const std::vector<std::int64_t>& text) const;

  private:
    static constexpr std::size_t words = 8, width = 32;

    Kind kind_;
    Embedding embedding_;
    Linear w_q_, w_k_;
    std::optional<SinusoidalPositionalEncoding> sinusoids_;  // the one that `kind_` asks for
    std::optional<LearnedPositionalEmbedding> learned_;
    std::optional<RotaryEmbedding> rotary_;

    Parameters parameters() const;
    Tensor weights(const Ids& texts) const;  // (batch, query, key), causal
};

}  // namespace tfs
