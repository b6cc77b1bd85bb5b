// common/terminal/command_line.hpp · flags and words, bound to variables
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tfs {

// --help was among the arguments.
struct HelpAsked {};

// An argument that does not fit: what() is half a sentence.
struct UsageError : std::runtime_error {
    std::string argument;  // the first one that is unknown or has no value; empty where a value is wrong
    UsageError(std::string which, const std::string& what)
        : std::runtime_error(what), argument(std::move(which)) {}
};

//     CommandLine line("01_attention", "Attention, from softmax to several heads.");
//     std::size_t heads = 4;
//     line.option("--heads", heads, "number of heads");
//     line.parse({"--heads", "8"});
class CommandLine {
  public:
    CommandLine(const std::string& name, const std::string& description);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    // Binds a variable to a flag such as "--heads"; its value at this moment is the default that --help
    // shows. A bool is a flag without a value. Two unsigned types, so that std::size_t and std::uint64_t are
    // covered everywhere.
    void option(const std::string& flag, unsigned long& value, const std::string& help);
    void option(const std::string& flag, unsigned long long& value, const std::string& help);
    void option(const std::string& flag, double& value, const std::string& help);
    void option(const std::string& flag, std::string& value, const std::string& help);
    void option(const std::string& flag, bool& value, const std::string& help);

    // An option for other programs: --help does not show it.
    void hidden_option(const std::string& flag, std::string& value);

    // "--mine" gives the variable the value `alone`, "--mine=all" the value "all".
    void flag_or_value(const std::string& flag, std::string& value, const std::string& alone);

    // Takes all that is no flag; without it a word is an unknown argument.
    void words(std::vector<std::string>& words);

    // Reads the arguments (without the name of the program) into the variables. Throws UsageError, or HelpAsked.
    void parse(const std::vector<std::string>& arguments);

    [[nodiscard]] bool given(const std::string& flag) const;
    [[nodiscard]] std::string help() const;

  private:
    struct Parser;  // hides CLI11
    std::unique_ptr<Parser> parser_;
};

}  // namespace tfs
