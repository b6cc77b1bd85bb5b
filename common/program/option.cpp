// common/program/option.cpp · defaults and ranges of options
#include "common/program/option.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "common/base/errors.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

void require(const CountOption& option, std::size_t value) {
    require_between(option.flag, value, option.low, option.high);
}

void require(const RealOption& option, double value) {
    if (option.above && !(value > option.low && value <= option.high))
        throw ValueError(fmt::format("{} {}: must be above {}, and at most {}", option.flag, value,
                                     option.low, option.high));
    if (!(value >= option.low && value <= option.high))
        throw ValueError(
            fmt::format("{} {}: must be between {} and {}", option.flag, value, option.low, option.high));
}

void require(const TextOption& option, const std::string& value) {
    if (option.most > 0) (void)tokens_of_text(value, option.most, option.flag);
    const bool known = std::find(option.choices.begin(), option.choices.end(), value) != option.choices.end();
    if (option.choices.empty() || known || value == option.value) return;
    throw ValueError(fmt::format("{} {}: there is none of that name; there are: {}", option.flag,
                                 harmless(value), fmt::join(option.choices, ", ")));
}

void require(const FlagOption&, bool) {}

}  // namespace

const std::string& flag_of(const Option& option) {
    return std::visit([](const auto& one) -> const std::string& { return one.flag; }, option);
}

const std::string& help_of(const Option& option) {
    return std::visit([](const auto& one) -> const std::string& { return one.help; }, option);
}

Value default_of(const Option& option) {
    if (std::holds_alternative<FlagOption>(option)) return false;
    if (const auto* count = std::get_if<CountOption>(&option)) return count->value;
    if (const auto* real = std::get_if<RealOption>(&option)) return real->value;
    return std::get<TextOption>(option).value;
}

void require_fit(const Option& option, const Value& value) {
    if (value.index() != default_of(option).index())
        throw ValueError(fmt::format("{}: {} is a value of another type", flag_of(option), text_of(value)));
    std::visit(
        [&](const auto& one) {
            using Wanted = decltype(one);
            if constexpr (std::is_same_v<Wanted, const CountOption&>)
                require(one, std::get<std::size_t>(value));
            if constexpr (std::is_same_v<Wanted, const RealOption&>) require(one, std::get<double>(value));
            if constexpr (std::is_same_v<Wanted, const TextOption&>)
                require(one, std::get<std::string>(value));
            if constexpr (std::is_same_v<Wanted, const FlagOption&>) require(one, std::get<bool>(value));
        },
        option);
}

std::string text_of(const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "yes" : "no";
    std::ostringstream text;  // 0.1 as 0.1
    if (const auto* count = std::get_if<std::size_t>(&value)) text << *count;
    if (const auto* real = std::get_if<double>(&value)) text << *real;
    return text.str();
}

namespace options {

TextOption file(const std::string& flag, const std::string& help) {
    return {.flag = flag, .value = "", .help = help, .file = true};
}

TextOption sentence(std::size_t most) {
    return {"--text", "The cat sat on the mat because it was tired",
            fmt::format("the sentence, at most {} tokens", most), most};
}

CountOption number_of_heads(std::size_t value) {
    return {"--heads", value, 1, 4096, "number of heads; must divide --d-model"};
}

CountOption model_width(std::size_t low, std::size_t high, std::size_t value) {
    return {"--d-model", value, low, high, fmt::format("width of the model, {} to {}", low, high)};
}

}  // namespace options

Tokens tokens_of_text(const std::string& text, std::size_t most, const std::string& flag) {
    Tokens tokens = split_words(text, flag);
    if (tokens.size() > most) {
        throw ValueError(fmt::format("{} has {} tokens; at most {} can be shown", flag, tokens.size(), most));
    }
    for (std::string& token : tokens) token = harmless(token);
    return tokens;
}

void require_between(const std::string& flag, std::size_t value, std::size_t low, std::size_t high) {
    if (value < low || value > high) {
        throw ValueError(fmt::format("{} {}: must be between {} and {}", flag, value, low, high));
    }
}

void require_heads(std::size_t heads, std::size_t d_model) {
    if (heads == 0) throw ValueError("--heads 0: must be at least 1");
    if (d_model % heads != 0) {
        throw ValueError(fmt::format("--heads {} don't divide --d-model {}", heads, d_model));
    }
}

}  // namespace tfs
