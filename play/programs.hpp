// play/programs.hpp · the programs that play starts: the runner, and those of the chapters
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace tfs::play {

using Json = nlohmann::ordered_json;

// In one line, whatever is in it.
[[nodiscard]] std::string in_a_line(const Json& json);
// What the runner said last of a build at its standard error: "12 of 40, about 20 s left"; nothing where it builds nothing.
[[nodiscard]] std::string progress_in(const std::string& printed);

// A program that answers at its standard output what it reads at its standard input. In a process group of its own, which ends
// with the object.
class Child {
  public:
    enum class Errors { shown, kept };

    // `words`: the program and its arguments; no shell sees them. One that can't be started has said nothing, and ended with 127.
    // Its standard error is that of play, or is kept for printed().
    Child(const std::vector<std::string>& words, const std::filesystem::path& folder,
          Errors errors = Errors::shown);
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
    // What it said at its standard error; of more than 64 KiB the beginning.
    const std::string& printed();
    // Waits for its end, and ends what it left behind. Its exit code; 128 and the number of the signal that ended it.
    int wait();
    // Asks it and all that it started to end, and kills what does not.
    void end();

  private:
    pid_t process_ = -1;
    int input_ = -1, output_ = -1, errors_ = -1;
    std::string printed_;
    int code_ = 127;  // once it has ended

    bool take(int options);  // of waitpid
};

// What a chapter's program says to one request (docs/reports.md). It computes nothing else: a step that crashes or never ends takes
// nothing else down.
class Answer {
  public:
    // `program` waits for its request. `words`: as on its command line.
    Answer(std::unique_ptr<Child> program, const std::vector<std::string>& words);

    struct Line {
        std::string text;  // JSON
        bool last = false;
    };

    // The next line: any number of events, then a result or an error. None where none came in this time.
    std::optional<Line> next(std::chrono::milliseconds most);

  private:
    std::unique_ptr<Child> program_;
    std::string unread_;
};

// Programs of chapters that wait for their requests. As many as the last change on a page needed are started ahead: to start one
// takes longer than most of its answers.
class Programs {
  public:
    explicit Programs(std::filesystem::path root) : root_(std::move(root)) {}

    // One of this file of build/release/bin.
    std::unique_ptr<Child> take(const std::string& file);
    // Starts as many as were taken since this was called last. For a moment in which nothing is computed.
    void start_ahead();
    // It was linked anew.
    void forget(const std::string& file);
    // What it says of its sections, as JSON.
    [[nodiscard]] std::string list(const std::string& file);

  private:
    std::filesystem::path root_;
    std::mutex mutex_;
    std::list<std::pair<std::string, std::unique_ptr<Child>>> waiting_;  // by file, the oldest first
    std::vector<std::string> taken_;

    [[nodiscard]] std::string path_of(const std::string& file) const;
    [[nodiscard]] std::unique_ptr<Child> started(const std::string& file) const;
};

}  // namespace tfs::play
