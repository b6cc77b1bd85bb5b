// tools/tutorial/main.cpp · the runner behind ./tutorial
//
//     tutorial_runner --root=DIR --caller=DIR [COMMAND …]
//
// The script `tutorial` in the root builds and starts it. ./tutorial --help tells the commands, commands.hpp where each
// of them is written.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "common/terminal/display.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/process.hpp"
#include "tools/tutorial/watching.hpp"

namespace tfs::tutorial {

namespace {

// A check, and a test of the suite, runs whole, whatever the learner's shell has set for tests of her own: what GoogleTest reads is
// removed for all that is started (filters, shards, repetitions; from Bazel's TESTBRIDGE a filter; files for results).
void forget_variables_of_tests() {
    for (const std::string& name :
         variables_beginning_with({"GTEST_", "TESTBRIDGE_", "XML_OUTPUT_FILE", "TEST_PREMATURE_EXIT_FILE"}))
        ::unsetenv(name.c_str());
}

// Takes "--root=DIR" from the front of the arguments.
fs::path take_folder(std::vector<std::string>& arguments, const std::string& flag) {
    if (arguments.empty() || !arguments[0].starts_with(flag + "=")) return fs::current_path();
    const fs::path folder = arguments[0].substr(flag.size() + 1);
    arguments.erase(arguments.begin());
    return folder;
}

int do_command(const Session& session, const Request& request) {
    const std::string& command = request.command;
    const std::vector<std::string>& words = request.words;
    if (command == "run") return run_programs(session, request);
    if (command == "play") return play(session, request);
    if (command == "pages") return write_pages(session, request);
    if (command == "check" && !request.debug.empty())
        return debug(session, the_one_step(session, command, words), request.debug == "build");
    if (command == "check")
        return check(session, chosen_steps(session, words),
                     request.sanitize ? Checklist::sanitized : Checklist::plain);
    if (command == "hint") return show_hint(session, the_one_step(session, command, words));
    if (command == "diff") return show_diff(session, the_one_step(session, command, words), request.yes);
    if (command == "watch" && session.terminal.output_is_terminal && ::isatty(STDIN_FILENO) != 0)
        return lead(session, words.empty() ? Steps() : chosen_steps(session, words));
    if (command == "watch") return watch(session, chosen_steps(session, words));
    if (command == "update") return update(session);
    if (command == "reset") return reset(session, the_one_step(session, command, words));
    if (command == "test") return run_suite(session, request);
    if (command == "bench") return run_benchmarks(session, request);
    return request.json ? show_steps_as_json(session) : show_table(session);
}

int run_tutorial(const fs::path& runner, std::vector<std::string> arguments) {
    const fs::path root = fs::canonical(take_folder(arguments, "--root"));
    const fs::path caller = take_folder(arguments, "--caller");
    const Request request = parse_command_line(arguments);
    if (request.command == "help") {
        print_help(this_terminal(), request.words.empty() ? "" : request.words[0]);
        return 0;
    }
    fs::current_path(root);
    if (request.command == "version") {
        print_version(this_terminal());
        return 0;
    }
    return do_command({steps::read_tutorial(root), caller, this_terminal(), request.install, runner,
                       request.for_play, !request.no_causes},
                      request);
}

// The sentence may name what the learner typed.
int refuse(const std::string& sentence) {
    std::fflush(stdout);
    fmt::print(stderr, "tutorial: {}\n", harmless(sentence));
    return 2;
}

// What was printed may have gone to a full disk.
int end(int code) {
    errno = 0;
    if ((std::fflush(stdout) == 0 && std::ferror(stdout) == 0) || errno == EPIPE) return code;
    return refuse(fmt::format("can't write to standard output{}.",
                              errno == 0 ? "" : fmt::format(" ({})", std::strerror(errno))));
}

}  // namespace

}  // namespace tfs::tutorial

int main(int count, char** arguments) {
    using namespace tfs::tutorial;
    try {
        forget_variables_of_tests();
        return end(run_tutorial(fs::absolute(arguments[0]), {arguments + 1, arguments + count}));
    } catch (const Exit& exit) {
        return exit.code;
    } catch (const Interrupted& interrupted) {
        std::fflush(stdout);
        fmt::print(stderr, "Interrupted.\n");
        return 128 + interrupted.signal;
    } catch (const Refusal& refusal) {
        return refuse(refusal.what());
    } catch (const fs::filesystem_error& error) {
        return refuse(fmt::format("{}: {}.", error.path1().string(), error.code().message()));
    } catch (const std::exception& error) {  // half a sentence
        return refuse(error.what() + std::string("."));
    }
}
