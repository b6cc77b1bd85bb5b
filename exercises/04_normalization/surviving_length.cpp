// Step 4.4 · surviving_length · ●●○ · 20 min
// exercises/04_normalization/surviving_length.cpp · check yours with ./tutorial check 4.4
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

LengthReader surviving_length() {
    LengthReader reader;
    reader.weight = Tensor::from({4}, {1.0f, -1.0f, 0.0f, 0.0f});  // the length, twice: the mean is 0
    // TODO 4.4: Puzzle: choose reader.bias and reader.readout, 4 numbers each. Other weights are allowed, too.
    throw NotImplemented("4.4 surviving_length");
    return reader;
}

}  // namespace tfs
