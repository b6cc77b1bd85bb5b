// tools/tutorial/memory.hpp · what is remembered from one command to the next, in .tutorial/
//
//     checks/softmax      the result of the last check, when that was, the fingerprint of the file that was checked, and that of
//                         what it was checked against; in a second line the same of the last check that passed, if that is another one
//     hints/softmax       how many hints were shown
//     warnings/softmax    what the compiler warned of when it compiled the file
//     last                the step that was checked last
//     backup/01_attention/softmax.DATE_TIME.cpp, backup/update.DATE_TIME/, and logs
//     updating/           copies of what she wrote, while an update is not finished
//
// Steps are known by their names, which stay when steps are numbered anew. Reading never fails: where nothing is
// remembered, the result is empty.
#pragma once

#include <string>

#include "tools/steps/tutorial.hpp"

namespace tfs::tutorial::memory {

inline const std::filesystem::path folder = ".tutorial";

// Whether something can be remembered here.
bool writable();
// Refusal where nothing can.
void require_writable(const steps::Tutorial& tutorial);

// What the check of the learner's file came to: "passed", "failed", … Two fingerprints with a space between: of the file, and of
// what it is checked against.
std::string result_of(const steps::Step& step, const std::string& fingerprint);
void remember_result(const steps::Step& step, const std::string& result, const std::string& fingerprint);
// When that was, as 2026-01-31T23:59:59Z (UTC).
std::string time_of(const steps::Step& step, const std::string& fingerprint);

std::size_t hints_shown(const steps::Step& step);
void remember_hints(const steps::Step& step, std::size_t shown);

steps::Lines warnings_of(const steps::Step& step);
void remember_warnings(const steps::Step& step, const steps::Lines& warnings);

std::string last_step();
void remember_last(const steps::Step& step);

// A file or folder for a backup that does not exist yet: "01_attention/softmax" and ".cpp".
std::filesystem::path new_backup(const std::string& name, const std::string& ending = "");

// The hints and the warnings. A file that passed and comes back from a backup still passes.
void forget(const steps::Step& step);

}  // namespace tfs::tutorial::memory
