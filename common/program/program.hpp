// common/program/program.hpp · the frame of a chapter's program: options, help, and errors in one line
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace tfs {

//     Program program("01_attention", "Attention, from softmax to several heads.");
//     std::size_t heads = 4;
//     program.option("--heads", heads, "number of heads");
//     return program.run(argc, argv, [&] { … });
class Program {
  public:
    Program(std::string name, std::string description);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    // Binds a variable to a flag such as "--heads"; its value at this moment is the default that --help
    // shows. A bool is a flag without a value. Two unsigned types, so that std::size_t and std::uint64_t are
    // covered everywhere.
    void option(const std::string& flag, unsigned long& value, const std::string& help);
    void option(const std::string& flag, unsigned long long& value, const std::string& help);
    void option(const std::string& flag, double& value, const std::string& help);
    void option(const std::string& flag, std::string& value, const std::string& help);
    void option(const std::string& flag, bool& value, const std::string& help);

    // An option for other programs: --help does not show it, and settings() has it not.
    void hidden_option(const std::string& flag, std::string& value);

    // All options that decide what is computed, as they are after run() has read them: "--heads 4 --seed 1".
    std::string settings() const;

    // Adds the flag --ascii. Where it is given, or where the terminal shows nothing else, all that is printed is ASCII.
    void ascii_option(bool& value);

    // Reads the arguments and runs the body. Returns 0 after the body or --help. A bad argument, or an
    // exception from the body, prints one line, "NAME: what is wrong", to standard error and returns 2, and so
    // does a full disk behind standard output. A closed pipe (`… | head`) ends quietly. What is printed to std::cout passes
    // through TerminalOutput.
    int run(int argc, char** argv, const std::function<void()>& body);

  private:
    struct Parser;  // hides CLI11, which is slow to compile
    std::string name_;
    bool has_ascii_option_ = false;
    std::unique_ptr<Parser> parser_;
};

}  // namespace tfs
