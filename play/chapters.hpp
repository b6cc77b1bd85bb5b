// play/chapters.hpp · the chapters and their programs, which are built in the background
#pragma once

#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "play/chapter_program.hpp"

namespace tfs::play {

struct Chapter {
    enum class State { waiting, building, ready, failed };
    std::string name;  // "01_attention"
    State state = State::waiting;
    std::string said = {};  // by a build that failed
};

class Chapters {
  public:
    // `runner`: the words that start the runner. `first`: the chapter that is built first; empty: the first one.
    Chapters(const std::filesystem::path& root, std::vector<std::string> runner, const std::string& first);
    ~Chapters();

    // [{"name": "01_attention", "title": "Attention", "state": "ready"}]
    Json list();
    // Builds this chapter next, if it isn't built.
    void wants(const std::string& name);
    // Its program, started where it doesn't run; null while it is not built.
    std::shared_ptr<ChapterProgram> program(const std::string& name);
    [[nodiscard]] bool has(const std::string& name);

  private:
    std::filesystem::path root_;
    std::vector<std::string> runner_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Chapter> chapters_;
    std::map<std::string, std::shared_ptr<ChapterProgram>> programs_;
    std::string wanted_;
    std::unique_ptr<Child> build_;
    bool over_ = false;
    std::thread builder_;

    Chapter* find(const std::string& name);
    void build_all();
    void build(const std::string& name);
};

}  // namespace tfs::play
