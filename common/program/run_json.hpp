// common/program/run_json.hpp · a run, and the list of a program's sections, as JSON: docs/reports.md describes both
#pragma once

#include <string>
#include <vector>

#include "common/program/chapter.hpp"

namespace tfs {

// Of the documents' format: grows with each change that a reader would notice.
constexpr int report_version = 1;

struct SectionRun {
    Section section;
    std::string title;
    Report report;
};

[[nodiscard]] std::string run_json(const Chapter& chapter, const Values& values,
                                   const std::vector<SectionRun>& runs);
[[nodiscard]] std::string list_json(const Chapter& chapter);

}  // namespace tfs
