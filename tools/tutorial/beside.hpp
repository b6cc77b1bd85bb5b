// tools/tutorial/beside.hpp · what lead.cpp waits for: keys, and what is done meanwhile
#pragma once

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cctype>
#include <csignal>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "tools/tutorial/process.hpp"
#include "tools/tutorial/states.hpp"

namespace tfs::tutorial {

constexpr char escape = '\x1b';

// While one lives, each key comes at once and is not shown. Ctrl-C stays a signal.
class Keys {
  public:
    Keys() : is_terminal_(::tcgetattr(STDIN_FILENO, &before_) == 0) { take(); }
    ~Keys() {
        if (is_terminal_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
    }
    Keys(const Keys&) = delete;
    Keys& operator=(const Keys&) = delete;

    // The next key; none where none comes in time, and q where the terminal is gone.
    std::optional<char> next(int milliseconds) const {
        pollfd input{STDIN_FILENO, POLLIN, 0};
        char key = 0;
        if (::poll(&input, 1, milliseconds) <= 0) return {};
        if (::read(STDIN_FILENO, &key, 1) != 1) return 'q';
        for (char rest = 0;  // an arrow is one key
             key == escape && ::poll(&input, 1, 0) > 0 && ::read(STDIN_FILENO, &rest, 1) == 1;) {
        }
        return static_cast<char>(std::tolower(static_cast<unsigned char>(key)));
    }
    // Again, after another program had the terminal.
    void take() const {
        if (!is_terminal_) return;
        termios raw = before_;
        raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
        ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    }

  private:
    termios before_{};
    bool is_terminal_;
};

// Something that is done in another process beside this one. What it says goes to a log; it ends with this.
class Beside {
  public:
    using Does = std::function<int(const Session&)>;  // returns an exit code

    explicit Beside(const std::string& log) : log_(memory::folder / log) {}
    ~Beside() { end(); }
    Beside(const Beside&) = delete;
    Beside& operator=(const Beside&) = delete;

    // Ends what runs.
    void start(const Session& session, const Does& does) {
        end();
        steps::write_text(log_, "");
        std::fflush(nullptr);
        child_ = ::fork();
        if (child_ < 0) throw Refusal("no other process can be started.");
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
    bool runs() {
        if (child_ > 0 && ::waitpid(child_, &status_, WNOHANG) != 0) child_ = 0;
        return child_ > 0;
    }
    void end() {
        if (runs()) {
            ::kill(-child_, SIGTERM);
            ::waitpid(child_, nullptr, 0);
        }
        child_ = status_ = 0;
    }
    // True once after it ended with an error.
    bool failed() { return !runs() && std::exchange(status_, 0) != 0; }

    const fs::path& log() const { return log_; }
    // The first line of its log that has these words, from them on; empty where none has.
    std::string said(const std::string& words) const {
        for (const std::string& line : steps::split_lines(steps::read_text(log_)))
            if (const std::size_t at = (" " + line).find(" " + words); at != std::string::npos)
                return line.substr(at);
        return {};
    }

  private:
    fs::path log_;
    pid_t child_ = 0;
    int status_ = 0;

    static int code_of(const Session& session, const Does& does) {
        try {
            return does(session);
        } catch (const std::exception& error) {
            fmt::print("tutorial: {}\n", error.what());
        } catch (const Exit&) {  // it has said why
        } catch (const Interrupted&) {
        }
        return 1;
    }
};

}  // namespace tfs::tutorial
