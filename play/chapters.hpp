// play/chapters.hpp · the chapters and their programs, which are built in the background
#pragma once

#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "play/news.hpp"
#include "play/programs.hpp"

namespace tfs::play {

struct Chapter {
    enum class State { waiting, building, ready, failed };
    std::string name;   // "01_attention"
    std::string title;  // "Attention"
    State state = State::waiting;
    std::string said = {};  // by a build that failed, or goes on: "12 of 40, about 20 s left"
    std::chrono::steady_clock::time_point again =
        {};                    // not before that: an open page asks for it each second
    std::string passed = {};   // her steps that pass, of other chapters too, and when they were saved
    std::string mine = {};     // those of the program on her steps; empty: there is none
    bool mine_failed = false;  // it could not be linked
    bool checks = false;       // what the checks of its steps need is built, or was tried
};

class Chapters {
  public:
    // `runner`: the words that start the runner. `first`: the chapter that is built first; empty: the first one.
    // `alone`: no other chapter is built until it is asked for.
    Chapters(const std::filesystem::path& root, std::vector<std::string> runner, const std::string& first,
             bool alone, Programs& programs, Changes& changes);
    ~Chapters();

    // From now on they are built.
    void begin();
    // [{"name": "01_attention", "title": "Attention", "state": "ready", "mine": "1.1 1764…"}]; `mine` changes with her program.
    Json list();
    // Builds this chapter next, if it isn't built.
    void wants(const std::string& name);
    // The file of a chapter's program, on the solutions or on the learner's steps that pass; empty while it is not built.
    std::string program(const std::string& name, bool mine);
    // Her steps that pass are these now, of this chapter and of others: her program is linked anew.
    void learner_passed(const std::string& name, const std::string& steps);
    [[nodiscard]] bool has(const std::string& name);
    // A check of a step does not wait for the build of a chapter: that is ended, and begins again afterwards.
    void pause();
    void go_on();

  private:
    std::filesystem::path root_;
    std::vector<std::string> runner_;
    Programs& programs_;
    Changes& changes_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Chapter> chapters_;
    std::string wanted_;
    bool alone_;
    std::unique_ptr<Child> build_;
    bool paused_ = false, over_ = false;
    std::thread builder_;

    Chapter* find(const std::string& name);
    void build_all();
    void build(const std::string& name);
    void link_mine(const std::string& name);
    void prepare_checks(const std::string& name);
    // Lets the runner build the program of this chapter, and ask it for its list. Whether that went well.
    bool run(const std::string& name, const std::vector<std::string>& flags);
};

}  // namespace tfs::play
