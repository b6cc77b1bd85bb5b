// play/chapter_program.cpp · requests by their ids, one thread that reads the answers
#include "play/chapter_program.hpp"

#include <cstdio>

namespace tfs::play {

namespace {

Answers::Line error_line(const std::string& sentence) { return {in_a_line({{"error", sentence}}), true}; }

}  // namespace

std::string in_a_line(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

std::optional<Answers::Line> Answers::next(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, most, [this] { return !lines_.empty(); })) return std::nullopt;
    Line line = std::move(lines_.front());
    lines_.pop_front();
    return line;
}

void Answers::add(Line line) {
    {
        const std::lock_guard lock(mutex_);
        lines_.push_back(std::move(line));
    }
    arrived_.notify_one();
}

ChapterProgram::ChapterProgram(const std::filesystem::path& program, const std::filesystem::path& root)
    : child_({program.string(), "--serve"}, root), reader_([this] { read(); }) {}

ChapterProgram::~ChapterProgram() {
    child_.end();
    reader_.join();
}

std::shared_ptr<Answers> ChapterProgram::ask(Json request) {
    const auto answers = std::make_shared<Answers>();
    {
        const std::lock_guard lock(mutex_);
        request["id"] = ++last_id_;
        if (ended_)
            answers->add(error_line("the program of this chapter ended; ask again"));
        else
            asked_[last_id_] = answers;
    }
    send(request);
    return answers;
}

void ChapterProgram::cancel(const std::shared_ptr<Answers>& answers) {
    Json requests = Json::array();
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, one] : asked_)
            if (one == answers) requests.push_back({{"cancel", id}});
    }
    for (const Json& request : requests) send(request);
}

bool ChapterProgram::ended() {
    const std::lock_guard lock(mutex_);
    return ended_;
}

void ChapterProgram::send(const Json& request) {
    const std::lock_guard lock(writing_);
    (void)child_.write(in_a_line(request) + '\n');  // read() notices its end
}

void ChapterProgram::read() {
    std::string unread;
    for (std::string block = child_.read(); !block.empty(); block = child_.read()) {
        unread += block;
        std::size_t begin = 0;
        for (std::size_t end = unread.find('\n'); end != std::string::npos; end = unread.find('\n', begin)) {
            take(unread.substr(begin, end - begin));
            begin = end + 1;
        }
        unread.erase(0, begin);
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
    for (const auto& [id, answers] : asked_)
        answers->add(error_line("the program of this chapter ended before it had an answer; ask again"));
    asked_.clear();
}

// {"id":7,"event":… : a line may have megabytes, so only its beginning is looked at.
void ChapterProgram::take(const std::string& line) {
    std::size_t id = 0;
    char kind[8] = {};
    if (std::sscanf(line.c_str(), "{\"id\":%zu,\"%7[a-z]", &id, kind) != 2) return;
    const bool last = std::string_view(kind) != "event";
    const std::lock_guard lock(mutex_);
    const auto found = asked_.find(id);
    if (found == asked_.end()) return;
    found->second->add({line, last});
    if (last) asked_.erase(found);
}

}  // namespace tfs::play
