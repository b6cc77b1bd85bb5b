// tests/05_feed_forward/reading.hpp · how well endings say to which contexts a recorded unit responds
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "chapters/05_feed_forward/given/recorded_units.hpp"

namespace tfs::test {

struct Reading {
    std::size_t responses = 0;  // contexts to which the unit responds
    std::size_t found = 0;      // contexts that have one of the endings
    std::size_t both = 0;
    std::vector<std::string> missed, wrong;  // contexts

    // Two readers seldom cut at the same letter: {"not", "you"}, {" not", " yo"} and {"ot", "et", "yo", "ou"} are one reading of
    // unit 1. So a third may be missed, and a quarter may be others.
    [[nodiscard]] bool finds() const { return 3 * both >= 2 * responses; }
    [[nodiscard]] bool is_right() const { return found > 0 && 4 * both >= 3 * found; }
};

Reading read(const RecordedUnits& recorded, std::size_t unit, const std::vector<std::string>& endings);

}  // namespace tfs::test
