// tests/tools/process.cpp · a program that a test starts, listens to and ends
#include "tests/tools/process.hpp"

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __APPLE__
#include <util.h>
#else
#include <pty.h>
#endif

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

namespace tfs::tools_test {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto patience = std::chrono::seconds(60);

struct Pipe {
    int read = -1, write = -1;
};

Pipe make_pipe() {
    int ends[2];
#ifdef __APPLE__
    const bool made = ::pipe(ends) == 0;
    for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
#else
    const bool made = ::pipe2(ends, O_CLOEXEC) == 0;
#endif
    if (!made) throw std::runtime_error("no pipe could be made");
    return {ends[0], ends[1]};
}

// In the child. Comes back only where it fails.
void become(const Start& start) {
    for (const std::string& variable : start.environment) {
        const std::size_t name = variable.find('=');
        if (name == std::string::npos) {
            ::unsetenv(variable.c_str());
        } else {
            ::setenv(variable.substr(0, name).c_str(), variable.c_str() + name + 1, 1);
        }
    }
    constexpr unsigned nobody = 65534;
    if (start.as_nobody && ::geteuid() == 0 &&
        (::setgroups(0, nullptr) != 0 || ::setgid(nobody) != 0 || ::setuid(nobody) != 0))
        return;
    if (::chdir(start.folder.c_str()) != 0) return;
    std::vector<char*> words;
    for (const std::string& word : start.words) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::execv(words[0], words.data());
}

// Adds what there is to read. False at the end.
bool read_some(int descriptor, std::string& text) {
    char block[16384];
    const ssize_t count = ::read(descriptor, block, sizeof block);
    if (count > 0) text.append(block, static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && errno == EINTR);
}

std::string with_plain_line_ends(std::string text) {
    for (std::size_t at; (at = text.find("\r\n")) != std::string::npos;) text.erase(at, 1);
    return text;
}

}  // namespace

Process::Process(const Start& start) : terminal_(start.terminal_columns > 0) {
    if (terminal_) {
        winsize size{};
        size.ws_row = 24;
        size.ws_col = start.terminal_columns;
        pid_ = ::forkpty(&out_, nullptr, nullptr, &size);
        if (pid_ == 0) {
            become(start);
            ::_exit(127);
        }
        ::fcntl(out_, F_SETFD, FD_CLOEXEC);
    } else {
        const Pipe in = make_pipe(), out = make_pipe(), err = make_pipe();
        // Before the program starts: it may end without reading. A pipe holds 64 KiB.
        (void)!::write(in.write, start.input.data(), start.input.size());
        pid_ = ::fork();
        if (pid_ == 0) {
            ::dup2(in.read, STDIN_FILENO);
            ::dup2(out.write, STDOUT_FILENO);
            ::dup2(err.write, STDERR_FILENO);
            become(start);
            ::_exit(127);
        }
        for (const int end : {in.read, out.write, err.write}) ::close(end);
        ::close(in.write);
        out_ = out.read;
        err_ = err.read;
    }
    if (pid_ < 0) throw std::runtime_error("no process could be started");
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      out_(std::exchange(other.out_, -1)),
      err_(std::exchange(other.err_, -1)),
      terminal_(other.terminal_),
      said_(std::move(other.said_)),
      errors_(std::move(other.errors_)) {}

Process::~Process() {
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    for (const int descriptor : {out_, err_})
        if (descriptor >= 0) ::close(descriptor);
}

bool Process::listen() {
    pollfd waiting[2] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};  // one of -1 is left out
    if (::poll(waiting, 2, 100) <= 0) return out_ >= 0 || err_ >= 0;
    const auto hear = [](const pollfd& found, int& descriptor, std::string& text) {
        if (found.revents == 0 || read_some(descriptor, text)) return;
        ::close(descriptor);
        descriptor = -1;
    };
    hear(waiting[0], out_, said_);
    hear(waiting[1], err_, errors_);
    return out_ >= 0 || err_ >= 0;
}

bool Process::says(const std::string& text) {
    const auto end = Clock::now() + patience;
    const auto said = [&] { return (said_ + "\n" + errors_).find(text) != std::string::npos; };
    while (!said() && Clock::now() < end && listen()) {
    }
    return said();
}

void Process::type(const std::string& keys) const { (void)!::write(out_, keys.data(), keys.size()); }

void Process::signal(int number) const { ::kill(pid_, number); }

Result Process::finish() {
    const auto end = Clock::now() + patience;
    while (Clock::now() < end && listen()) {
    }
    int status = 0;
    pid_t ended = 0;
    while ((ended = ::waitpid(pid_, &status, WNOHANG)) == 0 && Clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (ended == 0) {
        ADD_FAILURE() << "it does not end; so far it said: " << said_ << errors_;
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, &status, 0);
    }
    pid_ = -1;
    const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return {code, terminal_ ? with_plain_line_ends(said_) : said_, errors_};
}

bool becomes_true(const std::function<bool()>& condition) {
    const auto end = Clock::now() + patience;
    while (!condition()) {
        if (Clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
}

std::vector<pid_t> processes_with(const std::string& entry) {
    std::vector<pid_t> found;
    for (const auto& folder : fs::directory_iterator("/proc")) {
        const std::string name = folder.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        std::ifstream in(folder.path() / "environ", std::ios::binary);
        std::string all((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
        all.insert(all.begin(), '\0');
        if (all.find('\0' + entry + '\0') != std::string::npos) found.push_back(std::stoi(name));
    }
    return found;
}

}  // namespace tfs::tools_test
