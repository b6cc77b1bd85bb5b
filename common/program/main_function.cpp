// common/program/main_function.cpp · errors in one line
#include "common/program/main_function.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>

#include "common/program/terminal_output.hpp"
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

}  // namespace

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

}  // namespace tfs
