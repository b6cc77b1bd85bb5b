// common/program/main_function.hpp · the frame of a chapter's program: options, help, what it prints, and errors in one line
#pragma once

#include <functional>
#include <iosfwd>
#include <streambuf>
#include <string>

#include "common/terminal/command_line.hpp"
#include "common/terminal/terminal.hpp"

namespace tfs {

//     MainFunction main_function("01_attention", "Attention, from softmax to several heads.");
//     std::size_t heads = 4;
//     main_function.option("--heads", heads, "number of heads");
//     return main_function.run(argc, argv, [&] { … });
class MainFunction : public CommandLine {
  public:
    MainFunction(const std::string& name, const std::string& description);

    // Adds the flag --ascii. Where it is given, or where the terminal shows nothing else, all that is printed is ASCII.
    void ascii_option(bool& value);

    // Reads the arguments and runs the body. Returns 0 after the body or --help. A bad argument, or an
    // exception from the body, prints one line, "NAME: what is wrong", to standard error and returns 2, and so
    // does a full disk behind standard output. A closed pipe (`… | head`) ends quietly. What is printed to std::cout passes
    // through TerminalOutput.
    int run(int argc, char** argv, const std::function<void()>& body);

  private:
    std::string name_;
    bool has_ascii_option_ = false;
};

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

// "01 attention" for 01_attention.
[[nodiscard]] std::string chapter_title(std::string name);

// The command of a run as one types it, without what the runner adds: "./tutorial run 1 --mine -- --heads 2".
[[nodiscard]] std::string command_of(const std::string& chapter, int argc, char** argv);

}  // namespace tfs
