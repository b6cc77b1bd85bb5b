// tools/tutorial/child.cpp · a program that runs beside the runner, and Ctrl-C
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "tools/tutorial/process.hpp"

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
    if (command.output == Command::Output::piped) ::dup2(output, STDOUT_FILENO);
    if (command.output != Command::Output::inherited) ::dup2(output, STDERR_FILENO);
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

Child::Child(const Command& command) : own_group_(command.own_group) {
    Pipe started = make_pipe(), output, report;
    if (command.output != Command::Output::inherited) output = make_pipe();
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

Child::~Child() {
    if (own_group_) ::kill(-pid_, SIGKILL);
    if (ended_) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

void Child::listen(const Listener& listener, std::chrono::milliseconds most) {
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

bool Child::ended() {
    ended_ = ended_ || ::waitpid(pid_, &status_, WNOHANG) == pid_;
    return ended_;
}

void Child::signal(int number) const {
    if (own_group_) {
        ::kill(-pid_, number);
    } else if (!ended_) {
        ::kill(pid_, number);
    }
}

}  // namespace tfs::tutorial
