// tools/report/causes.hpp · which of the known mistakes make a learner's step fail as it does
//
// A step's mistakes are wrong answers that are kept with a sentence each, the cause. Run on the same tests, they leave records like the
// learner's (channel.hpp). Where one of them fails the same tests with the same values, hers is this mistake, however she wrote it.
#pragma once

#include <string>
#include <vector>

#include "tools/report/channel.hpp"

namespace tfs::report {

struct Known {
    std::vector<std::string> sentences;  // one; of several faults at once, that of each
    Record record;
};

// Told to the learner: a sentence, and the tests that it explains.
struct Cause {
    std::string sentence;
    std::vector<std::string> tests;
};

// A mistake *explains* a test where it makes the same comparisons come out wrong with the same values, or ends it by the same exception
// or signal. It may be the learner's if it fails no test that she passes, and explains all of hers that it fails. Told is the smallest
// set of these, of at most three, that explains all of her failed tests; where there is none, … . Tests that wait for a
// gap, and those that never ran, don't count.
std::vector<Cause> causes_of(const Record& hers, const Ending& ending, const std::vector<Known>& mistakes);

}  // namespace tfs::report
