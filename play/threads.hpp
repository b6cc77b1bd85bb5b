// play/threads.hpp · a thread for each connection, while it lasts
#pragma once

#include <httplib.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace tfs::play {

// The library's own pool has threads that never end: each would keep what it once took of its stack. Here a connection on which
// nothing comes costs little, so that many may be silent while others are answered. With `most` of them, new ones wait.
class Threads : public httplib::TaskQueue {
    using Enqueued = decltype(std::declval<httplib::TaskQueue&>().enqueue({}));  // bool in newer versions

  public:
    explicit Threads(std::size_t most) : most_(most) {}

    Enqueued enqueue(std::function<void()> work) override {
        {
            std::unique_lock lock(mutex_);
            ended_.wait(lock, [this] { return count_ < most_; });
            ++count_;
        }
        const auto all = [this, work = std::move(work)] {
            work();
            const std::lock_guard lock(mutex_);
            --count_;
            ended_.notify_all();
        };
        try {
            std::thread(all).detach();
        } catch (const std::system_error&) {  // no more can be started
            all();
        }
        return Enqueued(true);
    }
    void shutdown() override {
        std::unique_lock lock(mutex_);
        ended_.wait(lock, [this] { return count_ == 0; });
    }

  private:
    std::size_t most_, count_ = 0;
    std::mutex mutex_;
    std::condition_variable ended_;
};

}  // namespace tfs::play
