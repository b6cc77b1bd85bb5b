// tools/tutorial/output.hpp · what a learner's program printed
#pragma once

#include <string>
#include <string_view>

#include "tools/steps/text.hpp"

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

// Nothing in it moves the cursor or changes colours any more; a very long line is cut.
std::string harmless(std::string_view line);

// "    your output:" and the lines below it; "… 7 more lines" where there are many. Empty where nothing was printed.
steps::Lines shown_output(const Kept& output);

}  // namespace tfs::tutorial
