// Step 4.4 · surviving_length · ●●○ · 20 min
// solutions/04_normalization/surviving_length.cpp
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

LengthReader surviving_length() {
    LengthReader reader;
    reader.weight = Tensor::from({4}, {1.0f, -1.0f, 0.0f, 0.0f});  // the length, twice: the mean is 0
    // begin: Puzzle: choose reader.bias and reader.readout, 4 numbers each. Other weights are allowed, too.
    constexpr float large = 1000.0f;                               // against lengths up to 100
    reader.bias = Tensor::from({4}, {0.0f, 0.0f, large, -large});  // decides the deviation: large / sqrt(2)
    reader.readout = Tensor::from({4}, {large / 1.41421356f, 0, 0, 0});  // undoes the division
    // end
    return reader;
}

}  // namespace tfs
