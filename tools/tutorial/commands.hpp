// tools/tutorial/commands.hpp · what the learner typed; the commands of ./tutorial, each of which returns its exit code
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/tutorial/states.hpp"

namespace tfs::tutorial {

struct Request {
    std::string command;             // empty: none was typed
    std::vector<std::string> words;  // chapters or steps
    std::vector<std::string> extra;  // what follows "--": arguments of the program
    std::string mine;                // "this" for --mine; "all", "passed"
    std::string port;                // of play
    std::string format;              // "pdf" or "png": the pictures also in this format
    std::string debug;               // of check: "run" for --debug; "build" only builds
    bool yes = false, sanitize = false, all = false, open = false, install = true, json = false,
         no_open = false, alone = false, solutions = false, for_play = false, no_causes = false;
};

// The arguments without the name of the program. Refusal where there is no such command or flag, or a word too many.
Request parse_command_line(const std::vector<std::string>& arguments);

// " Did you mean check?" with the nearest candidate, or nothing where none is near. Put it after a sentence.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

// Of chapters and steps that words name, all in selection.cpp: a chapter is 1, 01, 01_attention, or a path to its folder; a step is
// 1.1, 01.1, its name, or a path to its file. Paths are relative to the caller's folder or to the root.

// The chapters that the words name, in the order of the words; all where there are no words. Refusal where there is no such one.
std::vector<steps::Chapter> chosen_chapters(const Session& session, const std::vector<std::string>& words);

// The steps of all chapters and steps that the words name, in their order and each once; all where there are no words.
std::vector<steps::Step> chosen_steps(const Session& session, const std::vector<std::string>& words);

// For the commands that take exactly one step.
steps::Step the_one_step(const Session& session, const std::string& command,
                         const std::vector<std::string>& words);

// The table of chapters, and what to do next. table.cpp
int show_table(const Session& session);

// The steps and their states, for another program. table.cpp
int show_steps_as_json(const Session& session);

// Builds and runs the steps' checklists, and reports on each. With the sanitizers nothing is remembered. check.cpp
enum class Checklist { plain, sanitized, debugged };
int check(const Session& session, const Steps& steps, Checklist kind, const Stop& stop = {});

// Of one step, all in one_step.cpp. Builds its checklist for a debugger, and starts gdb or lldb at its first failing check; only
// builds it where it is asked to.
int debug(const Session& session, const steps::Step& step, bool only_build);

// One more hint.
int show_hint(const Session& session, const steps::Step& step);
// The step beside the solution.
int show_diff(const Session& session, const steps::Step& step, bool yes);
// The untouched stub again.
int reset(const Session& session, const steps::Step& step);

// Checks what is saved, until Ctrl-C. watch.cpp
int watch(const Session& session, const Steps& steps);

// A new version; what the learner wrote stays. update.cpp
int update(const Session& session);

// The programs of the chapters. run_programs.cpp
int run_programs(const Session& session, const Request& request);

// Pages on this machine, on which the programs answer. play.cpp
int play(const Session& session, const Request& request);

// The tutorial in a folder, as pages that need no server, with recorded answers of these chapters. play.cpp
int write_pages(const Session& session, const Request& request);

// The tests, and the benchmarks. play.cpp
int run_suite(const Session& session, const Request& request);
int run_benchmarks(const Session& session, const Request& request);

// All commands, or what is said of this one, where there is one of this name. help.cpp
void print_help(const Terminal& terminal, const std::string& command);

// The name of the tutorial; in a git checkout also the commit and its date; which kernels of BLAS the programs get, and why.
// Works without git, and where nothing can be written. help.cpp
void print_version(const Terminal& terminal);

// What the lesson of a chapter says from behind `begin` to `end`, as one line; empty where it says nothing of the kind. lesson.cpp
std::string lesson_between(const std::string& folder, const std::string& begin, const std::string& end);

// "███░░░ 4 of 60 steps". table.cpp
std::string bar(const Session& session, const States& states);

// This step if it is open; else of its chapter what was begun, or what is open; else what is open in later chapters, then in earlier
// ones. table.cpp
std::optional<steps::Step> next_of(const Steps& steps, const States& states, const steps::Step& step);

// What commands say at their end, all in table.cpp. "Next: …", of next_of.
void say_next(const Session& session, const States& states, const steps::Step& step);
// Names the chapters of these steps that are done, and what the learner can do now.
void say_done(const Session& session, const States& states, const Steps& steps);
// The first three of these steps that do not pass.
void say_open(const Session& session, const States& states, const Steps& steps);

}  // namespace tfs::tutorial
