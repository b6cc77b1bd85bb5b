// play/chapter_program.hpp · the program of one chapter, which answers requests for as long as it lives (docs/reports.md)
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <nlohmann/json.hpp>

#include "play/child.hpp"

namespace tfs::play {

using Json = nlohmann::ordered_json;

// In one line, whatever is in it.
[[nodiscard]] std::string in_a_line(const Json& json);

// The lines that answer one request: any number of events, then a result or an error.
class Answers {
  public:
    struct Line {
        std::string text;  // JSON, as the program wrote it
        bool last = false;
    };

    // The next one; none where none came in this time.
    std::optional<Line> next(std::chrono::milliseconds most);
    void add(Line line);

  private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<Line> lines_;
};

class ChapterProgram {
  public:
    ChapterProgram(const std::filesystem::path& program, const std::filesystem::path& root);
    ~ChapterProgram();

    // Asks it; `request` gets an id. A program that ended answers with an error.
    std::shared_ptr<Answers> ask(Json request);
    // Ends what is still computed for these answers.
    void cancel(const std::shared_ptr<Answers>& answers);
    [[nodiscard]] bool ended();

  private:
    Child child_;
    std::mutex writing_;  // not mutex_: a program that has much to say reads when that has been taken
    std::mutex mutex_;
    std::map<std::size_t, std::shared_ptr<Answers>> asked_;
    std::size_t last_id_ = 0;
    bool ended_ = false;
    std::thread reader_;

    void read();
    void take(const std::string& line);
    void send(const Json& request);
};

}  // namespace tfs::play
