// tools/tutorial/beside.cpp
#include "tools/tutorial/beside.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <csignal>
#include <cstdio>
#include <utility>

#include "tools/tutorial/process.hpp"
#include "tools/tutorial/states.hpp"

namespace tfs::tutorial {

Keys::Keys() : is_terminal_(::tcgetattr(STDIN_FILENO, &before_) == 0) { take(); }

Keys::~Keys() {
    if (is_terminal_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

std::optional<char> Keys::next(int milliseconds) const {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    char key = 0;
    if (::poll(&input, 1, milliseconds) <= 0) return {};
    if (::read(STDIN_FILENO, &key, 1) != 1) return 'q';
    while (key == escape && next(0)) {  // an arrow is one key
    }
    return static_cast<char>(std::tolower(static_cast<unsigned char>(key)));
}

void Keys::take() const {
    if (!is_terminal_) return;
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

namespace {

int code_of(const Session& session, const std::function<int(const Session&)>& does) {
    try {
        return does(session);
    } catch (const std::exception& error) {
        fmt::print("tutorial: {}\n", error.what());
    } catch (const Exit& exit) {  // it has said why
        return exit.code;
    } catch (const Interrupted&) {
    }
    return 1;
}

}  // namespace

Beside::Beside(const std::string& log) : log_(memory::folder / log) {}

void Beside::start(const Session& session, const std::function<int(const Session&)>& does) {
    end();
    steps::write_text(log_, "");
    std::fflush(nullptr);
    child_ = ::fork();
    ::setpgid(child_, child_);
    if (child_ != 0) return;
    HeldSignals::release_all();
    int code = 1;
    if (std::freopen(log_.c_str(), "w", stdout) != nullptr &&
        std::freopen("/dev/null", "r", stdin) != nullptr) {
        ::dup2(STDOUT_FILENO, STDERR_FILENO);
        Session own = session;
        own.terminal = this_terminal();
        code = code_of(own, does);
    }
    std::fflush(nullptr);
    ::_exit(code);
}

bool Beside::runs() {
    if (child_ > 0 && ::waitpid(child_, &status_, WNOHANG) != 0) child_ = 0;
    return child_ > 0;
}

void Beside::end() {
    if (runs()) {
        ::kill(-child_, SIGTERM);
        ::waitpid(child_, nullptr, 0);
    }
    child_ = status_ = 0;
}

bool Beside::failed() { return !runs() && std::exchange(status_, 0) != 0; }

std::string Beside::said(const std::string& words) const {
    for (const std::string& line : steps::split_lines(steps::read_text(log_)))
        if (const std::size_t at = (" " + line).find(" " + words); at != std::string::npos)
            return line.substr(at);
    return {};
}

}  // namespace tfs::tutorial
