// tools/verdict/causes.hpp · which of the known mistakes make a learner's step fail as it does
//
// A step's mistakes are wrong answers that are kept with a sentence each, the cause. Run on the same tests, they leave records like the
// learner's (channel.hpp). Where one of them makes the same comparisons come out wrong with the same values, hers is this mistake,
// however she wrote it. What merely fails alike is no evidence: a NaN is a NaN for many reasons.
#pragma once

#include <string>
#include <vector>

#include "tools/verdict/channel.hpp"

namespace tfs::verdict {

struct Known {
    std::string name;                    // "wrong_axis", "wrong_axis+epsilon"
    std::vector<std::string> sentences;  // one; of several faults at once, that of each
    Record record;
};

// Told to the learner: a sentence, and the tests that it explains.
struct Cause {
    std::string sentence;
    std::vector<std::string> tests;
};

// Of her wrong comparisons a mistake *explains* those that it makes wrong with the same values (but for rounding), and *contradicts*
// those that it makes wrong with others. One that makes wrong what comes right for her is not hers. Told is the first of these that
// there is:
//   1. one mistake that explains all, and contradicts none;
//   2. two or three that do so together;
//   3. two that explain all but a few, which both contradict: there they meet;
//   4. one that explains all, and would fail one test more;
//   5. one that contradicts none and explains at least two fifths: the others have a cause that is not known.
// Where several answers are as good, the sentences that all of them have. A test that waits for a gap, is left out, or was not run with
// the mistakes, says nothing, nor does a comparison that a test did not come to.
std::vector<Cause> causes_of(const Record& hers, const Ending& ending, const std::vector<Known>& mistakes);

// Where there is no cause: pairs of mistakes, "wrong_axis+epsilon", that fail together what she fails. The likeliest first; their records
// tell whether it is one of them.
std::vector<std::string> likely_pairs(const Record& hers, const Ending& ending,
                                      const std::vector<Known>& mistakes);

// Two of these mistakes at once, of which this is the record.
Known pair_of(const std::vector<Known>& mistakes, const std::string& pair, const Record& record);

}  // namespace tfs::verdict
