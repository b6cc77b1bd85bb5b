// play/child.hpp · a program that answers at its standard output what it reads at its standard input
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace tfs::play {

// In a process group of its own, which ends with the object.
class Child {
  public:
    // `words`: the program and its arguments; no shell sees them. One that can't be started has said nothing, and ended with 127.
    Child(const std::vector<std::string>& words, const std::filesystem::path& folder);
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // False where it reads no more.
    bool write(std::string_view text);
    void close_input();
    // Whether something has arrived, or the end, within this time.
    bool has_said(std::chrono::milliseconds most);
    // What has arrived, waiting for it; empty at the end.
    std::string read();
    // All that it says to its end, without an input.
    std::string read_all();
    // Waits for its end, and ends what it left behind. Its exit code; 128 and the number of the signal that ended it.
    int wait();
    // Asks it and all that it started to end, and kills what does not.
    void end();

  private:
    pid_t process_ = -1;
    int input_ = -1, output_ = -1;
    int code_ = 127;  // once it has ended

    bool take(int options);  // of waitpid
};

}  // namespace tfs::play
