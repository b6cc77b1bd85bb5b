// play/news.hpp · what happens: for the terminal a line, for the page a number that grows
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>

namespace tfs::play {

// In the terminal in which ./tutorial play was typed.
inline void say(const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
}

// A number that grows with every change, for which the page waits.
class Changes {
  public:
    void add() {
        const std::lock_guard lock(mutex_);
        ++version_;
        changed_.notify_all();
    }
    // Nobody waits from now on.
    void end() {
        const std::lock_guard lock(mutex_);
        over_ = true;
        changed_.notify_all();
    }
    // The number, as soon as it is not `seen`; at the latest after this time.
    std::size_t wait(std::size_t seen, std::chrono::milliseconds most) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, most, [&] { return over_ || version_ != seen; });
        return version_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t version_ = 1;
    bool over_ = false;
};

}  // namespace tfs::play
