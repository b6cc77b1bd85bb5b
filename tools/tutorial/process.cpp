// tools/tutorial/process.cpp
#include "tools/tutorial/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>
#include <thread>

namespace tfs::tutorial {

namespace {

constexpr int held[] = {SIGINT, SIGTERM, SIGHUP};

sigset_t held_set() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : held) sigaddset(&set, signal);
    return set;
}

struct Pipe {
    Descriptor read, write;
};

Pipe make_pipe() {
    int ends[2];
    if (::pipe(ends) != 0) throw Refusal(fmt::format("no pipe could be made: {}.", std::strerror(errno)));
    for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void limit(int resource, std::size_t most) {
    rlimit value{};
    ::getrlimit(resource, &value);
    value.rlim_cur = most;
    if (value.rlim_max != RLIM_INFINITY && value.rlim_max < most) value.rlim_cur = value.rlim_max;
    ::setrlimit(resource, &value);
}

// The streams of the child. Standard input is empty for a program in a group of its own: the terminal would stop it.
void connect(const Command& command, int output, int report) {
    if (command.own_group) {
        const int nothing = ::open("/dev/null", O_RDONLY);
        ::dup2(nothing, STDIN_FILENO);
        if (nothing > STDERR_FILENO) ::close(nothing);
    }
    if (command.output == Command::Output::piped)
        for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(output, stream);
    if (report >= 0) ::fcntl(report, F_SETFD, 0);
}

// Makes this process the program. Comes back only where that fails.
void become(const Command& command, std::vector<char*> words, int output, int report) {
    if (command.own_group) {
        ::setpgid(0, 0);
        ::signal(SIGTTOU, SIG_IGN);  // it may write to the terminal all the same
#ifdef __linux__
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // no endless loop outlives the runner
#endif
    }
    connect(command, output, report);
    for (const std::string& variable : command.environment) {
        const std::size_t name = variable.find('=');
        if (name == std::string::npos) {
            ::unsetenv(variable.c_str());
        } else {
            ::setenv(variable.substr(0, name).c_str(), variable.c_str() + name + 1, 1);
        }
    }
    if (command.reports) {
        limit(RLIMIT_CORE, 0);
        limit(RLIMIT_STACK,
              8 << 20);  // Linux's own: each thread has as much, and the limit of memory counts it
    }
    if (command.memory_limit > 0) limit(RLIMIT_DATA, command.memory_limit);
    if (::chdir(command.folder.c_str()) != 0) return;
    HeldSignals::release_all();
    ::execvp(words[0], words.data());
}

// A program that runs beside the runner.
class Child {
  public:
    // Starts it. Refusal where that fails.
    explicit Child(const Command& command) : own_group_(command.own_group) {
        Pipe started = make_pipe(), output, report;
        if (command.output == Command::Output::piped) output = make_pipe();
        if (command.reports) report = make_pipe();
        std::vector<std::string> words = command.words;
        if (command.reports) words.push_back(fmt::format("--report-to={}", report.write.number()));
        std::vector<char*> pointers;
        for (std::string& word : words) pointers.push_back(word.data());
        pointers.push_back(nullptr);

        pid_ = ::fork();
        if (pid_ == 0) {
            become(command, pointers, output.write.number(), report.write.number());
            const int failure = errno;
            (void)!::write(started.write.number(), &failure, sizeof failure);
            ::_exit(127);
        }
        if (pid_ < 0) throw Refusal(fmt::format("no process could be started: {}.", std::strerror(errno)));
        if (own_group_) ::setpgid(pid_, pid_);
        started.write.close();
        int failure = 0;
        if (::read(started.read.number(), &failure, sizeof failure) == sizeof failure) {
            ::waitpid(pid_, nullptr, 0);
            throw Refusal(fmt::format("{} can't be started: {}.", words[0], std::strerror(failure)));
        }
        output_ = std::move(output.read);
        report_ = std::move(report.read);
    }
    // Whatever still runs of it is killed.
    ~Child() {
        if (own_group_) ::kill(-pid_, SIGKILL);
        if (ended_) return;
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // Waits at most so long for output, and hands on what is there.
    void listen(const Listener& listener, std::chrono::milliseconds most) {
        pollfd waiting[2] = {{output_.number(), POLLIN, 0},
                             {report_.number(), POLLIN, 0}};  // one of -1 is left out
        if (::poll(waiting, 2, static_cast<int>(most.count())) <= 0) return;
        Descriptor* ends[2] = {&output_, &report_};
        for (std::size_t i = 0; i < 2; ++i) {
            if (waiting[i].revents == 0) continue;
            char block[16384];
            const ssize_t count = ::read(ends[i]->number(), block, sizeof block);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) {
                ends[i]->close();
            } else if (const auto& hand_on = i == 0 ? listener.output : listener.report; hand_on) {
                hand_on(std::string_view(block, static_cast<std::size_t>(count)));
            }
        }
    }

    // Whether it ended. From then on status() is what waitpid told.
    bool ended() {
        ended_ = ended_ || ::waitpid(pid_, &status_, WNOHANG) == pid_;
        return ended_;
    }
    int status() const { return status_; }
    // Whether it ended and nobody holds its pipes any more.
    bool gone() { return ended() && !output_.open() && !report_.open(); }
    // To its whole group, if it has one of its own.
    void signal(int number) const {
        if (own_group_) {
            ::kill(-pid_, number);
        } else if (!ended_) {
            ::kill(pid_, number);
        }
    }

  private:
    pid_t pid_ = -1;
    bool own_group_;
    bool ended_ = false;
    int status_ = 0;
    Descriptor output_, report_;
};

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

HeldSignals::HeldSignals() {
    const sigset_t set = held_set();
    ::sigprocmask(SIG_BLOCK, &set, &before_);
}

HeldSignals::~HeldSignals() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

int HeldSignals::arrived() const {
    sigset_t waiting;
    ::sigpending(&waiting);
    for (const int signal : held) {
        if (sigismember(&waiting, signal) != 1) continue;
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, signal);
        int taken = 0;
        ::sigwait(&one, &taken);
        return taken;
    }
    return 0;
}

void HeldSignals::release_all() {
    const sigset_t set = held_set();
    ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    if (this != &other) {
        close();
        number_ = other.number_;
        other.number_ = -1;
    }
    return *this;
}

void Descriptor::close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
}

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
