// tests/support/runs.hpp · a step's kept answers, run in processes of their own
#pragma once

#include <string>
#include <vector>

#include "tools/verdict/channel.hpp"

namespace tfs::test {

// The tests that mistakes are run on: not those that draw thousands of samples, *_in_the_long_run, which take most of the time and tell
// no two mistakes apart.
inline std::string tests_for_mistakes(const std::string& step) { return step + ".*-*_in_the_long_run"; }

// What a step's tests need, which this step does not compute, and which takes long: made once, before the processes begin. It may
// call other steps, which then give their solution to the end of the process. Without a name: of every step.
struct Prepared {
    Prepared(const std::string& step, void (*make)());
};

struct Run {
    std::string step, answer, filter;  // what is run, on which tests
    unsigned seconds;         // of computing, after which it is ended: a wrong answer may be an endless loop
    std::string events = {};  // as the checklist wrote them, and how it ended
    verdict::Record record = {};
};

// Each run's answer takes the place of its step's solution in a process of its own, `at_once` of them at a time. Throws where no
// process can be made.
void run_answers(std::vector<Run>& runs, unsigned at_once);

}  // namespace tfs::test
