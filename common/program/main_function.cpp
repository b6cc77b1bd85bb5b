// common/program/main_function.cpp · errors in one line, lines made harmless, and ASCII where the terminal needs it
#include "common/program/main_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>

#include "common/terminal/display.hpp"

namespace tfs {
namespace {

constexpr int bad_usage = 2;

std::string one_line(std::string text) {
    for (char& character : text) {
        if (character == '\n' || character == '\r') character = ' ';
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return harmless(text);
}

// One line or a part of it, without its end.
std::string shown_line(std::string_view line, Terminal style) {
    std::string text;
    while (!line.empty()) {
        const std::size_t colour = style.colour ? colour_code_length(line) : 0;
        text += line.substr(0, colour);
        line.remove_prefix(colour);
        const std::size_t next = std::min(line.find('\x1b', colour > 0 ? 0 : 1), line.size());
        const std::string part = harmless(line.substr(0, next));
        text += style.ascii ? to_ascii(part) : part;
        line.remove_prefix(next);
    }
    return text;
}

// As a shell must read it to get this argument.
std::string in_shell(const std::string& argument) {
    const auto any = [&](const auto& is) { return std::any_of(argument.begin(), argument.end(), is); };
    if (harmless(argument) != argument) {  // $'…': nothing moves the cursor or turns the direction
        std::string text = "$'";
        for (std::string_view rest = argument; !rest.empty();) {
            const std::string_view character = rest.substr(0, first_character(rest).bytes);
            rest.remove_prefix(character.size());
            if (character == "'" || character == "\\")
                text += '\\' + std::string(character);
            else if (character == "\n")
                text += "\\n";
            else if (harmless(character) == character)
                text += character;
            else
                for (const char byte : character)
                    text += fmt::format("\\{:03o}", static_cast<unsigned char>(byte));
        }
        return text + "'";
    }
    if (any([](char c) { return std::string_view("\"$`\\!").find(c) != std::string_view::npos; })) {
        std::string text = "'";
        for (const char c : argument) text += c == '\'' ? "'\\''" : std::string(1, c);
        return text + "'";
    }
    const bool plain =
        !any([](char c) { return std::string_view(" '#&();<>|*?[]{}~").find(c) != std::string_view::npos; });
    return plain && !argument.empty() ? argument : '"' + argument + '"';
}

}  // namespace

TerminalOutput::TerminalOutput(std::ostream& out) : out_(out), behind_(out.rdbuf(this)) {}

TerminalOutput::~TerminalOutput() {
    (void)pass_on(waiting_.size());
    out_.rdbuf(behind_);
}

TerminalOutput::int_type TerminalOutput::overflow(int_type character) {
    if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
    const char one = traits_type::to_char_type(character);
    return xsputn(&one, 1) == 1 ? character : traits_type::eof();
}

std::streamsize TerminalOutput::xsputn(const char* text, std::streamsize size) {
    waiting_.append(text, static_cast<std::size_t>(size));
    const std::size_t end = waiting_.rfind('\n');
    return end == std::string::npos || pass_on(end + 1) ? size : 0;
}

int TerminalOutput::sync() {
    if (!pass_on(waiting_.size())) return -1;
    errno = 0;
    if (behind_->pubsync() == 0) return 0;
    if (error_ == 0) error_ = errno != 0 ? errno : EIO;
    return -1;
}

bool TerminalOutput::pass_on(std::size_t bytes) {
    std::string text;
    for (std::string_view lines = std::string_view(waiting_).substr(0, bytes); !lines.empty();) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        text += shown_line(lines.substr(0, end), style);
        if (end < lines.size()) text += '\n';
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    waiting_.erase(0, bytes);
    errno = 0;
    const auto size = static_cast<std::streamsize>(text.size());
    if (behind_->sputn(text.data(), size) == size) return true;
    if (error_ == 0) error_ = errno != 0 ? errno : EIO;
    return false;
}

MainFunction::MainFunction(const std::string& name, const std::string& description)
    : CommandLine(name, description), name_(name) {}

void MainFunction::ascii_option(bool& value) {
    option("--ascii", value, "print ASCII only");
    has_ascii_option_ = true;
}

int MainFunction::run(int argc, char** argv, const std::function<void()>& body) {
    TerminalOutput output(std::cout);
    const auto find_style = [&] {  // also where the arguments were read only in part
        output.style = this_terminal(has_ascii_option_ && given("--ascii"));
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
        parse({argv + 1, argv + argc});
        find_style();
        body();
    } catch (const HelpAsked&) {
        find_style();
        std::cout << help();
    } catch (const UsageError& error) {
        return fail(std::string(error.what()) + " (see --help)");
    } catch (const std::bad_alloc&) {
        return fail("not enough memory");
    } catch (const std::filesystem::filesystem_error& error) {
        return fail(error.path1().string() + ": " + error.code().message());
    } catch (const std::exception& error) {
        return fail(error.what());
    } catch (...) {
        return fail("an unknown error");
    }
    std::cout.flush();
    if (output.error() == 0 || output.error() == EPIPE) return 0;
    return fail(std::string("can't write to standard output (") + std::strerror(output.error()) + ')');
}

std::string chapter_title(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::string command_of(const std::string& chapter, int argc, char** argv) {
    std::string command = "./tutorial run " + std::to_string(std::stoi(chapter));
    const std::string program = std::filesystem::path(argv[0]).filename().string();
    if (program.ends_with("_mine")) command += " --mine";
    if (program.ends_with("_mine_all")) command += " --mine=all";
    std::string options;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        const std::string flag = option.substr(0, option.find('='));
        if (flag == "--plots" || flag == "--whose" || flag == "--beside") {
            if (flag == option) ++i;
        } else {
            options += ' ' + in_shell(option);
        }
    }
    return options.empty() ? command : command + " --" + options;
}

}  // namespace tfs
