// common/program/run_json.hpp · what a program says to other programs (docs/reports.md): a run, the list of its sections, answers
#pragma once

#include <string>
#include <vector>

#include "common/program/chapter.hpp"

namespace tfs {

struct SectionRun {
    Section section;
    std::string title;
    Report report;
};

[[nodiscard]] std::string run_json(const Chapter& chapter, const Values& values,
                                   const std::vector<SectionRun>& runs);
[[nodiscard]] std::string list_json(const Chapter& chapter);

// The words of a request: a JSON array of texts. Throws ValueError for anything else.
[[nodiscard]] std::vector<std::string> words_of_request(const std::string& line);

// Lines for who asked, at what is standard output when this begins. What steps print from then on goes to standard error.
class AnswerLines {
  public:
    AnswerLines();

    void tell(const Event& event) const;
    void error(const std::string& sentence) const;
    // The title and the report as a piece of a page, and where it is wanted as JSON.
    void result(const SectionRun& run, bool as_json) const;

  private:
    int descriptor_;

    void say(const char* kind, const std::string& json) const;
};

}  // namespace tfs
