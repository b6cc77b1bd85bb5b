// tools/tutorial/process.hpp · running another program to its end
#pragma once

#include <chrono>
#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/tutorial/session.hpp"
#include "tools/verdict/report.hpp"

namespace tfs::tutorial {

struct Command {
    enum class Output {
        inherited,  // both streams are the runner's
        piped,      // both go to Listener::output, in their order
    };

    std::vector<std::string> words;             // the program and its arguments; no shell sees them
    fs::path folder = ".";                      // where it starts
    std::vector<std::string> environment = {};  // "NAME=value" is set, "NAME" is removed
    Output output = Output::piped;
    // A process group of its own is ended as a whole. A program that talks to the learner stays in the runner's group,
    // or it could not read from the terminal.
    bool own_group = true;
    bool reports = false;  // it is told --report-to=FD, and what it writes there goes to Listener::report
    std::size_t memory_limit = 0;        // bytes; 0 is none
    std::chrono::seconds time_limit{0};  // 0 is none
};

struct Listener {
    std::function<void(std::string_view)> output = {}, report = {};
    Stop stop = {};
};

// Refusal where the program can't be started. Where a signal to end arrives, or stop() says so, the program is ended,
// and then Interrupted or Stopped is thrown. After a time limit the code of the ending is the limit in seconds.
verdict::Ending run(const Command& command, const Listener& listener = {});

// Runs a program whose streams are piped, and keeps all that it says.
struct Answer {
    int code = 0;  // as exit_code
    std::string output;
};
Answer ask(const Command& command, const Stop& stop = {});

// As a shell tells it: 128 and the number of the signal for a program that a signal ended.
int exit_code(const verdict::Ending& ending);

// The file of a program of this name in the folders of PATH.
std::optional<fs::path> found_program(const std::string& name);

// How many processors may be used.
unsigned processors();

// The names of all variables of the environment that begin like one of these.
std::vector<std::string> variables_beginning_with(const std::vector<std::string>& beginnings);

// For Command::environment, under a limit of memory: removes what the learner sets of threads and of malloc, such as OMP_STACKSIZE=6G.
// Where that can't be had, the C library ends the program, as if its own code were wrong. Fewer threads than processors stay.
std::vector<std::string> without_settings_of_threads();

// While one lives, SIGINT, SIGTERM and SIGHUP wait instead of ending the runner, and can be asked for. So a child can be
// ended first.
class HeldSignals {
  public:
    HeldSignals();
    ~HeldSignals();
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

    // Takes a signal that waits; 0 where there is none.
    int arrived() const;

    // In a child, before it becomes another program.
    static void release_all();

  private:
    sigset_t before_;
};

// Closes its file descriptor at the end.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
    Descriptor& operator=(Descriptor&& other) noexcept;

    int number() const { return number_; }
    bool open() const { return number_ >= 0; }
    void close();

  private:
    int number_;
};

}  // namespace tfs::tutorial
