// common/terminal/command_line.cpp · reading arguments with CLI11, which takes seconds to compile
#include "common/terminal/command_line.hpp"

#include <cmath>
#include <limits>
#include <sstream>

#include <CLI/CLI.hpp>

namespace tfs {

namespace {

// CLI11 reads "-1" into an unsigned type by wrapping it around in some versions, and " 4" or "4x" differ
// between them. So numbers arrive as text and are read here, by one rule.
template <class Number>
Number parse_count(const std::string& flag, const std::string& text) {
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    try {
        if (digits) {
            const unsigned long long value = std::stoull(text);
            if (value <= std::numeric_limits<Number>::max()) return static_cast<Number>(value);
        }
    } catch (const std::out_of_range&) {
        throw CLI::ValidationError(flag, '"' + text + "\" is too large");
    }
    throw CLI::ValidationError(flag, "needs a whole number, 0 or more, not \"" + text + '"');
}

double parse_real(const std::string& flag, const std::string& text) {
    try {
        std::size_t used = 0;
        const double value = std::stod(text, &used);
        if (used == text.size() && std::isfinite(value)) return value;
    } catch (const std::exception&) {  // the sentence below says it
    }
    throw CLI::ValidationError(flag, "needs a number, not \"" + text + '"');
}

// "%g" writes 0.1 as 0.1, where std::to_string would write 0.100000.
std::string shortest(double value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

}  // namespace

struct CommandLine::Parser {
    CLI::App app;
    explicit Parser(const std::string& description) : app(description) {}

    // An option with a value, which `read` takes as text.
    void add(const std::string& flag, const char* type, const std::string& default_value,
             const std::string& help, std::function<void(const std::string&)> read) {
        CLI::Option* option = app.add_option_function<std::string>(flag, std::move(read), help);
        option->type_name(type)->default_str(default_value)->take_last();
    }
};

CommandLine::CommandLine(const std::string& name, const std::string& description)
    : parser_(std::make_unique<Parser>(description)) {
    parser_->app.name(name);
    parser_->app.get_formatter()->column_width(34);
}

CommandLine::~CommandLine() = default;

void CommandLine::option(const std::string& flag, unsigned long& value, const std::string& help) {
    parser_->add(flag, "N", std::to_string(value), help,
                 [&value, flag](const std::string& text) { value = parse_count<unsigned long>(flag, text); });
}

void CommandLine::option(const std::string& flag, unsigned long long& value, const std::string& help) {
    parser_->add(flag, "N", std::to_string(value), help, [&value, flag](const std::string& text) {
        value = parse_count<unsigned long long>(flag, text);
    });
}

void CommandLine::option(const std::string& flag, double& value, const std::string& help) {
    parser_->add(flag, "X", shortest(value), help,
                 [&value, flag](const std::string& text) { value = parse_real(flag, text); });
}

void CommandLine::option(const std::string& flag, std::string& value, const std::string& help) {
    parser_->add(flag, "TEXT", value, help, [&value](const std::string& text) { value = text; });
}

void CommandLine::option(const std::string& flag, bool& value, const std::string& help) {
    parser_->app.add_flag(flag, value, help);
}

void CommandLine::hidden_option(const std::string& flag, std::string& value) {
    option(flag, value, "");
    parser_->app.get_option(flag)->group("");
}

void CommandLine::flag_or_value(const std::string& flag, std::string& value, const std::string& alone) {
    parser_->app.add_flag(flag + '{' + alone + '}', value);
}

void CommandLine::words(std::vector<std::string>& words) { parser_->app.add_option("words", words); }

bool CommandLine::given(const std::string& flag) const { return parser_->app.count(flag) > 0; }

std::string CommandLine::help() const { return parser_->app.help(); }

void CommandLine::parse(const std::vector<std::string>& arguments) {
    CLI::App& app = parser_->app;
    try {
        app.parse(
            std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 wants them in reverse
    } catch (const CLI::CallForHelp&) {
        throw HelpAsked();
    } catch (const CLI::ExtrasError&) {
        const std::string argument = app.remaining().front();
        throw UsageError(argument, "unknown argument " + argument);
    } catch (const CLI::ArgumentMismatch& error) {
        const std::string text = error.what(), flag = text.substr(0, text.find(':'));
        throw UsageError(flag, flag + " needs a value");
    } catch (const CLI::ParseError& error) {
        throw UsageError("", error.what());
    }
}

}  // namespace tfs
