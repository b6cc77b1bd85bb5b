// tools/tutorial/beside.hpp · what lead.cpp waits for: keys, and what is done meanwhile
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <functional>
#include <optional>
#include <string>

#include "tools/tutorial/session.hpp"

namespace tfs::tutorial {

constexpr char escape = '\x1b';

// While one lives, each key comes at once and is not shown. Ctrl-C stays a signal.
class Keys {
  public:
    Keys();
    ~Keys();
    Keys(const Keys&) = delete;
    Keys& operator=(const Keys&) = delete;

    // The next key; none where none comes in time, and q where the terminal is gone.
    std::optional<char> next(int milliseconds) const;
    // Again, after another program had the terminal.
    void take() const;

  private:
    termios before_{};
    bool is_terminal_;
};

// Something that is done in another process beside this one. What it says goes to a log; it ends with this.
class Beside {
  public:
    explicit Beside(const std::string& log);
    ~Beside() { end(); }
    Beside(const Beside&) = delete;
    Beside& operator=(const Beside&) = delete;

    // Ends what runs. `does` returns an exit code.
    void start(const Session& session, const std::function<int(const Session&)>& does);
    bool runs();
    void end();
    // Whether it has come to its end, and was not successful. Says so once.
    bool failed();

    const fs::path& log() const { return log_; }
    // The first line of its log that has these words, from them on; empty where none has.
    std::string said(const std::string& words) const;

  private:
    fs::path log_;
    pid_t child_ = 0;
    int status_ = 0;
};

}  // namespace tfs::tutorial
