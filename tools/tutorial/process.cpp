// tools/tutorial/process.cpp · running another program to its end
#include "tools/tutorial/process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <thread>

#include "tools/tutorial/child.hpp"
#include "tools/tutorial/signals.hpp"

namespace tfs::tutorial {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto moment = 20ms;

// Listens until nothing of the child is left, or the time is over.
void listen_for(Child& child, const Listener& listener, std::chrono::milliseconds time) {
    const auto end = Clock::now() + time;
    while (!child.gone() && Clock::now() < end) child.listen(listener, moment);
}

// Asks the child to end, and kills it where it does not. ninja needs a moment to remove half-written files.
void end(Child& child, const Listener& listener) {
    child.signal(SIGTERM);
    listen_for(child, listener, 3000ms);
    child.signal(SIGKILL);
    listen_for(child, listener, 1000ms);
}

// A program in the runner's group gets Ctrl-C from the terminal, too, and may take its time. A second one kills it.
void pass_on(Child& child, const Listener& listener, const HeldSignals& signals, int signal) {
    child.signal(signal);
    while (!child.ended()) {
        child.listen(listener, moment);
        if (signals.arrived() != 0) child.signal(SIGKILL);
    }
    listen_for(child, listener, 100ms);
}

verdict::Ending ending_of(int status) {
    verdict::Ending ending;
    ending.kind = WIFSIGNALED(status) ? verdict::Ending::Kind::signal : verdict::Ending::Kind::exit;
    ending.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    return ending;
}

}  // namespace

verdict::Ending run(const Command& command, const Listener& listener) {
    std::fflush(stdout);  // what was said so far comes before what the child says
    const HeldSignals signals;
    Child child(command);
    const auto begun = Clock::now();
    auto asked = begun;
    while (!child.ended()) {
        child.listen(listener, moment);
        if (const int signal = signals.arrived(); signal != 0) {
            if (command.own_group) {
                end(child, listener);
            } else {
                pass_on(child, listener, signals, signal);
            }
            throw Interrupted{signal};
        }
        const auto now = Clock::now();
        if (listener.stop && now >= asked + 300ms) {
            asked = now;
            if (listener.stop()) {
                end(child, listener);
                throw Stopped{};
            }
        }
        if (command.time_limit > 0s && now >= begun + command.time_limit && !child.ended()) {
            end(child, listener);
            verdict::Ending ending;
            ending.kind = verdict::Ending::Kind::time_limit;
            ending.code = static_cast<int>(command.time_limit.count());
            return ending;
        }
    }
    if (command.own_group) child.signal(SIGKILL);  // what it left running
    listen_for(child, listener, 500ms);
    if (const int signal = signals.arrived(); signal != 0) throw Interrupted{signal};
    return ending_of(child.status());
}

Answer ask(const Command& command, const Stop& stop) {
    Answer answer;
    Listener listener;
    listener.stop = stop;
    listener.output = [&](std::string_view block) { answer.output += block; };
    answer.code = exit_code(run(command, listener));
    return answer;
}

int exit_code(const verdict::Ending& ending) {
    return ending.kind == verdict::Ending::Kind::signal ? 128 + ending.code : ending.code;
}

std::optional<fs::path> found_program(const std::string& name) {
    std::istringstream folders(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::error_code absent;
        if (fs::exists(fs::path(folder) / name, absent)) return fs::path(folder) / name;
    }
    return std::nullopt;
}

std::vector<std::string> variables_beginning_with(const std::vector<std::string>& beginnings) {
    std::vector<std::string> names;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view variable = *entry, name = variable.substr(0, variable.find('='));
        const auto begins = [&](const std::string& begin) { return name.starts_with(begin); };
        if (std::any_of(beginnings.begin(), beginnings.end(), begins)) names.emplace_back(name);
    }
    return names;
}

std::vector<std::string> without_settings_of_threads() {
    std::vector<std::string> removed =
        variables_beginning_with({"OMP_", "GOMP_", "KMP_", "MALLOC_TOP_PAD_", "GLIBC_TUNABLES"});
    const char* threads = std::getenv("OMP_NUM_THREADS");
    const long count = threads == nullptr ? 0 : std::strtol(threads, nullptr, 10);
    std::erase_if(removed, [&](const std::string& name) {
        const bool fits = count > 0 && count <= static_cast<long>(processors());
        return name == "OMP_WAIT_POLICY" || (name == "OMP_NUM_THREADS" && fits);
    });
    return removed;
}

unsigned processors() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace tfs::tutorial
