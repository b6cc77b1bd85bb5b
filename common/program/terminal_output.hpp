// common/program/terminal_output.hpp · what a program prints, on its way to standard output
#pragma once

#include <iosfwd>
#include <streambuf>
#include <string>

#include "common/terminal/terminal.hpp"

namespace tfs {

// Takes the place of a stream's buffer until its own end. All text passes through it, line after line: it becomes harmless
// (common/terminal/display.hpp), and ASCII where `style` says so. The colours of heat maps pass where `style` allows colour.
class TerminalOutput : public std::streambuf {
  public:
    Terminal style;

    explicit TerminalOutput(std::ostream& out);
    ~TerminalOutput() override;
    TerminalOutput(const TerminalOutput&) = delete;
    TerminalOutput& operator=(const TerminalOutput&) = delete;

    // The errno of the first write that failed, 0 where all went well. A full disk may show only after a flush.
    int error() const { return error_; }

  protected:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

  private:
    bool pass_on(std::size_t bytes);  // that many of those that are waiting

    std::ostream& out_;
    std::streambuf* behind_;
    std::string waiting_;  // an unfinished line
    int error_ = 0;
};

}  // namespace tfs
