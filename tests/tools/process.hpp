// tests/tools/process.hpp · a program that a test starts, listens to and ends
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tfs::tools_test {

namespace fs = std::filesystem;

struct Start {
    std::vector<std::string> words = {};        // the program and its arguments
    fs::path folder = {};                       // where it starts
    std::vector<std::string> environment = {};  // "NAME=value" is set, "NAME" is removed
    std::string input = {};               // all that it reads from standard input, if that is no terminal
    unsigned short terminal_columns = 0;  // if not 0: its streams are a terminal of its own, that wide
    bool as_nobody = false;               // as a user without any rights, where this one is root
};

struct Result {
    int code = -1;         // as a shell tells it: 128 and the number of a signal
    std::string out, err;  // on a terminal all is in `out`, with the ends of its lines made "\n"
};

// Nothing waits longer than a minute: then the program is killed and the test fails.
class Process {
  public:
    explicit Process(const Start& start);
    ~Process();
    Process(Process&& other) noexcept;
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    // Waits until it has written this text. False where it ends without.
    bool says(const std::string& text);
    // On a terminal: the keys. "\x03" is Ctrl-C.
    void type(const std::string& keys) const;
    void signal(int number) const;
    // Waits until it has ended and all that it started has closed its streams.
    Result finish();

  private:
    pid_t pid_ = -1;
    int out_ = -1, err_ = -1;
    bool terminal_;
    std::string said_, errors_;

    // Waits a moment for output. False where both streams are at their end.
    bool listen();
};

// Asks again and again until it says true. False after a minute.
bool becomes_true(const std::function<bool()>& condition);

// The processes that have this entry, as "NAME=value", in their environment.
std::vector<pid_t> processes_with(const std::string& entry);

}  // namespace tfs::tools_test
