// tools/tutorial/output.hpp · what a learner's program printed
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/steps/text.hpp"
#include "tools/verdict/channel.hpp"

namespace tfs::tutorial {

// The beginning of an output of any length.
class Kept {
  public:
    explicit Kept(std::size_t most) : most_(most) {}

    void add(std::string_view block);
    const std::string& text() const { return text_; }
    std::size_t lines_lost() const { return lines_lost_; }

  private:
    std::size_t most_, lines_lost_ = 0;
    std::string text_;
};

// What a checklist's program printed, each check's by itself: one that prints much takes no room from the others.
class Printed {
  public:
    struct Part {
        Kept check;  // the name of its test; empty before the first one
        Kept output;
    };

    // `most` bytes of each check are kept.
    explicit Printed(std::size_t most = 0) : most_(most) { begin_part(); }

    void add(std::string_view block);
    const std::vector<Part>& parts() const { return parts_; }
    std::string text() const;  // of all parts

  private:
    std::size_t most_;
    std::vector<Part> parts_;
    bool in_name_ = false;

    void begin_part();
};

// "    your output in the check: of zero" and the lines below it, the checks that did not pass first. Says what is left out
// where there are many lines. Empty where nothing was printed.
steps::Lines shown_output(const Printed& printed, const verdict::Record& record);

}  // namespace tfs::tutorial
