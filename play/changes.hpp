// play/changes.hpp · a number that grows with every change, for which the page waits
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace tfs::play {

class Changes {
  public:
    void add() {
        {
            const std::lock_guard lock(mutex_);
            ++version_;
        }
        changed_.notify_all();
    }
    // Nobody waits from now on.
    void end() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
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
