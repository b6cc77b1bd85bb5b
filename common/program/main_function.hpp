// common/program/main_function.hpp · the frame of a chapter's program: options, help, and errors in one line
#pragma once

#include <functional>
#include <string>

#include "common/terminal/command_line.hpp"

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

}  // namespace tfs
