// Step 4.4 · surviving_length · ●●○ · 20 min
// exercises/04_normalization/surviving_length.cpp · check yours with ./tutorial check 4.4
#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

LengthReader surviving_length() {
    LengthReader reader;
    // TODO 4.4: Puzzle: the row of a length, and what reads it after the norm. Any numbers that do it will do.
    throw NotImplemented("4.4 surviving_length");
    return reader;
}

}  // namespace tfs
