// common/program/option.hpp · options as values: flag, type, range, default, and one sentence
//
// A section lists those it reads; --help, --list --json and the pages take all that they say from here.
//
//     namespace tfs::options {
//     inline const CountOption window{"--window", 3, 1, 32, "how many keys a window shows to a query"};
//     }
//     const std::size_t window = request[options::window];
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "common/text/tokenizer.hpp"

namespace tfs {

// A whole number from low to high.
struct CountOption {
    std::string flag;
    std::size_t value = 0;  // where it is not given
    std::size_t low = 0, high = 0;
    std::string help;
};

// A number from low to high.
struct RealOption {
    std::string flag;
    double value = 0.0;
    double low = 0.0, high = 0.0;
    std::string help;
    bool above = false;  // `low` itself is refused
};

// A text. With `most` words it is a sentence of 1 to so many; with choices it is one of them, or empty where the default is. A
// file is named on the command line alone: a request (--request) may not.
struct TextOption {
    std::string flag;
    std::string value;
    std::string help;
    std::size_t most = 0;
    std::vector<std::string> choices = {};
    bool file = false;
    std::vector<std::pair<std::string, std::vector<std::string>>> words =
        {};  // that a trained model knows, by kinds: a page has those of a named kind as buttons
};

// Yes where it is given.
struct FlagOption {
    std::string flag;
    std::string help;
};

using Option = std::variant<CountOption, RealOption, TextOption, FlagOption>;

[[nodiscard]] const std::string& flag_of(const Option& option);
[[nodiscard]] const std::string& help_of(const Option& option);

using Value = std::variant<std::size_t, double, std::string, bool>;
using Values = std::map<std::string, Value>;  // by flag

[[nodiscard]] Value default_of(const Option& option);

// ValueError if a value is not in the option's range: it names the flag, the value and what fits.
void require_fit(const Option& option, const Value& value);

// As it stands on the command line.
[[nodiscard]] std::string text_of(const Value& value);

// The options that many chapters share.
namespace options {

inline const CountOption seed{"--seed", 1, 0, 9007199254740991, "seed of the random numbers"};

// The name of a file; empty where it is not given.
[[nodiscard]] TextOption file(const std::string& flag, const std::string& help);

// The lesson's sentence, or one of at most so many words.
[[nodiscard]] TextOption sentence(std::size_t most = 64);
[[nodiscard]] CountOption number_of_heads(std::size_t value = 4);
[[nodiscard]] CountOption model_width(std::size_t low = 1, std::size_t high = 4096, std::size_t value = 32);

}  // namespace options

// The words of a sentence, harmless for a terminal. Throws ValueError, which names the flag, where there are none or more than
// `most`.
[[nodiscard]] Tokens tokens_of_text(const std::string& text, std::size_t most,
                                    const std::string& flag = "--text");

// ValueError if the value of a flag is not in low … high.
void require_between(const std::string& flag, std::size_t value, std::size_t low, std::size_t high);

// ValueError if --heads is 0 or does not divide --d-model.
void require_heads(std::size_t heads, std::size_t d_model);

}  // namespace tfs
