// chapters/05_feed_forward/given/memories.hpp · what a network looks up: the checks of a memory, and three trained hidden units, recorded
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/tensor.hpp"

namespace tfs {

// keys and values both (slots, d_model) with at least one slot, no key of zeros; threshold in [0, 1).
void require_memory(const Tensor& keys, const Tensor& values, float threshold);

// Three hidden units of the decoder of characters (common/io/weights.hpp says how it is recorded), and some of the
// contexts in which they were recorded.
struct RecordedUnits {
    std::vector<std::string> units;     // "block 1, unit 339"
    std::vector<std::string> contexts;  // the 8 characters that the decoder read last
    Tensor strengths;                   // (units, contexts): what the unit gives behind its activation
    Tensor values;                      // (units, d_model): one each, a column of down there, a row here
    std::string characters;             // of the vocabulary: the i-th one has the id i
    Tensor table;                       // (vocab, d_model): its rows times the stream are the logits

    // A unit responds where its strength is more than half of the largest one in these contexts.
    [[nodiscard]] bool responds(std::size_t unit, std::size_t context) const;
};

// Every third context is held back: nobody has seen it who reads the others.
enum class Contexts { seen, held_back };
[[nodiscard]] RecordedUnits recorded_units(Contexts which);

// ValueError, which begins with `name`, if `rows` (units, width) has no such unit, or there are fewer than `count`.
void require_unit(std::string_view name, const Tensor& rows, std::size_t unit, std::size_t available,
                  std::size_t count);

}  // namespace tfs
