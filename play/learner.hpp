// play/learner.hpp · what the learner writes: a step is checked when its file is saved
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "play/chapters.hpp"

namespace tfs::play {

class Learner {
  public:
    // `solutions`: her steps are checked, and compute nothing.
    Learner(const std::filesystem::path& root, std::vector<std::string> runner, Chapters& chapters,
            bool solutions, Changes& changes);
    ~Learner();

    // [{"id": "1.2", "name": "softmax", "chapter": "01_attention", "file": "exercises/…", "state": "passed", "said": "…"}]; a state
    // of `./tutorial`, or "checking", and "seeking" while the cause of its failures is sought; "progress" of the build that a check
    // needs; `said`: the report of the last check.
    Json steps();
    [[nodiscard]] bool solutions() const { return solutions_; }
    [[nodiscard]] bool has(const std::string& id);
    // Checks this step now, saved or not.
    void check(const std::string& id);
    // What `./tutorial hint` says of it: one more hint at each call.
    std::string hint(const std::string& id);

  private:
    using Times = std::map<std::string, std::filesystem::file_time_type>;  // by file

    std::filesystem::path root_;
    std::vector<std::string> runner_;
    Chapters& chapters_;
    bool solutions_;
    Changes& changes_;
    std::mutex mutex_;
    Json steps_ = Json::array();
    std::map<std::string, std::string> said_;  // by id
    std::string checking_, asked_, progress_;  // of the build that a check needs
    bool told_ = false;  // what said_ has of checking_ is of this check; its cause is still sought
    std::atomic<bool> over_ = false;
    std::thread watcher_;

    void watch();
    void read_states();
    void say_state(const std::string& id);
    void tell_chapters();
    [[nodiscard]] Times times() const;
    [[nodiscard]] std::vector<std::string> words_of_runner(const std::vector<std::string>& words) const;
    // What the runner says; empty where a step was saved meanwhile.
    std::string run(const std::vector<std::string>& words, const Times& now);
};

}  // namespace tfs::play
