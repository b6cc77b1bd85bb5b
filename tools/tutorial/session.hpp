// tools/tutorial/session.hpp · what every command needs to know, and how a command ends early
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

#include "common/terminal/terminal.hpp"
#include "tools/steps/tutorial.hpp"

namespace tfs::tutorial {

namespace fs = std::filesystem;

// The working directory is the root of the tutorial, so that all paths are short and read the same in messages.
struct Session {
    steps::Tutorial tutorial;
    fs::path caller;  // the folder where the learner typed the command
    Terminal terminal;
    bool install = true;    // missing packages may be installed
    fs::path runner = {};   // this program
    bool for_play = false;  // what is built is also what play needs next: of a check what run --mine=passed
                            // links, of a run what checks need
    bool causes = true;     // of a failed check are sought among the step's mistakes
    bool leads = false;     // watch leads: a check says nothing of what comes next, and keys do the rest
};

// What the learner types: the key while watch leads, else the command: typed(session, "h", "hint softmax").
inline std::string typed(const Session& session, const char* key, const std::string& command) {
    return session.leads ? key : "./tutorial " + command;
}

// Prints a sentence to standard output. Where the terminal is narrower, it is wrapped at words, and the following lines
// are indented by `margin`. help.cpp
void say(const Terminal& terminal, const std::string& sentence, std::size_t margin = 6);

// The command can't be done as asked. what() is one sentence. Exit code 2.
struct Refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The command already said why it can't go on.
struct Exit {
    int code;
};

// Ctrl-C, or a signal to end.
struct Interrupted {
    int signal;
};

// What runs is out of date: a watched file was saved.
struct Stopped {};

// Asked while a child runs. If it says true, the child is ended, and Stopped is thrown.
using Stop = std::function<bool()>;

}  // namespace tfs::tutorial
