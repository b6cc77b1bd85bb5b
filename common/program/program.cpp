// common/program/program.cpp · reading options with CLI11, and errors in one line
#include "common/program/program.hpp"

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <exception>
#include <iostream>
#include <limits>
#include <new>
#include <sstream>
#include <stdexcept>

#include <CLI/CLI.hpp>

#include "common/program/terminal_output.hpp"
#include "common/text/display.hpp"

namespace tfs {
namespace {

constexpr int bad_usage = 2;

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

std::string one_line(std::string text) {
    for (char& character : text) {
        if (character == '\n' || character == '\r') character = ' ';
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return harmless(text);
}

// "%g" writes 0.1 as 0.1, where std::to_string would write 0.100000.
std::string shortest(double value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

}  // namespace

struct Program::Parser {
    CLI::App app;
    explicit Parser(const std::string& description) : app(description) {}

    // An option with a value, which `read` takes as text.
    void add(const std::string& flag, const char* type, const std::string& default_value,
             const std::string& help, std::function<void(const std::string&)> read) {
        CLI::Option* option = app.add_option_function<std::string>(flag, std::move(read), help);
        option->type_name(type)->default_str(default_value)->take_last();
    }
};

Program::Program(std::string name, std::string description)
    : name_(std::move(name)), parser_(std::make_unique<Parser>(description)) {
    parser_->app.name(name_);
    parser_->app.get_formatter()->column_width(34);
}

Program::~Program() = default;

void Program::option(const std::string& flag, unsigned long& value, const std::string& help) {
    parser_->add(flag, "N", std::to_string(value), help,
                 [&value, flag](const std::string& text) { value = parse_count<unsigned long>(flag, text); });
}

void Program::option(const std::string& flag, unsigned long long& value, const std::string& help) {
    parser_->add(flag, "N", std::to_string(value), help, [&value, flag](const std::string& text) {
        value = parse_count<unsigned long long>(flag, text);
    });
}

void Program::option(const std::string& flag, double& value, const std::string& help) {
    parser_->add(flag, "X", shortest(value), help,
                 [&value, flag](const std::string& text) { value = parse_real(flag, text); });
}

void Program::option(const std::string& flag, std::string& value, const std::string& help) {
    parser_->add(flag, "TEXT", value, help, [&value](const std::string& text) { value = text; });
}

void Program::option(const std::string& flag, bool& value, const std::string& help) {
    parser_->app.add_flag(flag, value, help);
}

void Program::hidden_option(const std::string& flag, std::string& value) {
    option(flag, value, "");
    parser_->app.get_option(flag)->group("");
}

std::string Program::settings() const {
    std::string text;
    for (const CLI::Option* option : parser_->app.get_options()) {
        const std::string name = option->get_name();
        if (option->get_group().empty() || name == "--help" || name == "--plots" || name == "--ascii")
            continue;
        if (option->get_expected_max() == 0) {
            text += option->count() > 0 ? name + ' ' : "";
        } else {
            text += name + ' ' +
                    (option->count() > 0 ? option->results().back() : option->get_default_str()) + ' ';
        }
    }
    return text;
}

void Program::ascii_option(bool& value) {
    option("--ascii", value, "print ASCII only");
    has_ascii_option_ = true;
}

int Program::run(int argc, char** argv, const std::function<void()>& body) {
    TerminalOutput output(std::cout);
    const auto find_style = [&] {  // also where the arguments were read only in part
        output.style = terminal_style(has_ascii_option_ && parser_->app.count("--ascii") > 0);
    };
    const auto fail = [&](const std::string& what) {
        find_style();
        std::cout.flush();
        const std::string line = one_line(what);
        std::cerr << name_ << ": " << (output.style.ascii ? to_ascii(line) : line) << std::endl;
        return bad_usage;
    };
#ifdef SIGPIPE
    std::signal(SIGPIPE, SIG_IGN);  // a reader that closes the pipe early is no error; the stream notices it
#endif
    try {
        parser_->app.parse(argc, argv);
        find_style();
        body();
    } catch (const CLI::CallForHelp&) {
        find_style();
        std::cout << parser_->app.help();
    } catch (const CLI::ExtrasError&) {
        return fail("unknown argument " + parser_->app.remaining().front() + " (see --help)");
    } catch (const CLI::ArgumentMismatch& error) {
        const std::string text = error.what();
        return fail(text.substr(0, text.find(':')) + " needs a value (see --help)");
    } catch (const CLI::ParseError& error) {
        return fail(std::string(error.what()) + " (see --help)");
    } catch (const std::bad_alloc&) {
        return fail("not enough memory");
    } catch (const std::exception& error) {
        return fail(error.what());
    } catch (...) {
        return fail("an unknown error");
    }
    std::cout.flush();
    if (output.error() == 0 || output.error() == EPIPE) return 0;
    return fail(std::string("can't write to standard output (") + std::strerror(output.error()) + ')');
}

}  // namespace tfs
