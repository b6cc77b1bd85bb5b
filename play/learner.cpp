// play/learner.cpp · one thread looks at the files, and asks the runner
#include "play/learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tfs::play {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

Learner::Learner(const fs::path& root, std::vector<std::string> runner, Chapters& chapters, bool solutions,
                 Changes& changes)
    : root_(root), runner_(std::move(runner)), chapters_(chapters), solutions_(solutions), changes_(changes) {
    read_states();
    watcher_ = std::thread([this] { watch(); });
}

Learner::~Learner() {
    over_ = true;
    watcher_.join();
}

Json Learner::steps() {
    const std::lock_guard lock(mutex_);
    Json all = steps_;
    for (Json& step : all) {
        const std::string id = step["id"];
        if (id == checking_) {
            step["state"] = told_ ? "seeking" : "checking";
            if (!progress_.empty()) step["progress"] = progress_;
        }
        if (const auto said = said_.find(id); said != said_.end()) step["said"] = said->second;
    }
    return all;
}

bool Learner::has(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return std::any_of(steps_.begin(), steps_.end(), [&](const Json& step) { return step["id"] == id; });
}

void Learner::check(const std::string& id) {
    const std::lock_guard lock(mutex_);
    asked_ = id;
}

std::string Learner::hint(const std::string& id) {
    return Child(words_of_runner({"hint", id}), root_).read_all();
}

Learner::Times Learner::times() const {
    Times times;
    for (const Json& step : steps_) {
        std::error_code absent;
        const auto time = fs::last_write_time(root_ / step["file"].get<std::string>(), absent);
        if (!absent) times[step["id"]] = time;  // an editor may write it anew under its name
    }
    return times;
}

void Learner::watch() {
    Times before = times();
    tell_chapters();
    while (!over_) {
        std::this_thread::sleep_for(150ms);
        const Times now = times();
        std::string id;
        {
            const std::lock_guard lock(mutex_);
            id = std::exchange(asked_, "");
        }
        for (const auto& [step, time] : now)
            if (const auto old = before.find(step);
                id.empty() && (old == before.end() || old->second != time)) {
                id = step;
                before[step] = time;
            }
        if (id.empty()) continue;
        {
            const std::lock_guard lock(mutex_);
            checking_ = id;
            told_ = false;
        }
        changes_.add();
        chapters_.pause();
        const std::string said = run({"check", id, "--for-play"}, now);
        {
            const std::lock_guard lock(mutex_);
            checking_.clear();
            progress_.clear();
            if (!said.empty()) said_[id] = said;
        }
        read_states();
        if (!said.empty()) say_state(id);
        tell_chapters();
        chapters_.go_on();
        changes_.add();
    }
}

void Learner::read_states() {
    Json steps = Json::parse(Child(words_of_runner({"list", "--json"}), root_).read_all(), nullptr, false);
    if (!steps.is_array()) return;  // the runner said why
    const std::lock_guard lock(mutex_);
    steps_ = std::move(steps);
}

void Learner::say_state(const std::string& id) {
    for (const Json& step : steps_)
        if (step["id"] == id)
            say(fmt::format("{} {}: {}", id, step["name"].get<std::string>(),
                            step["state"].get<std::string>()));
}

void Learner::tell_chapters() {
    if (solutions_) return;
    std::map<std::string, std::string> passed;  // by chapter: what decides which program is hers
    for (const Json& step : steps_) {
        std::error_code absent;
        const auto time = fs::last_write_time(root_ / step["file"].get<std::string>(), absent);
        passed.try_emplace(step["chapter"]);
        for (const Json& program : step["programs"])
            passed[program] +=
                fmt::format("{} {}\n", step["id"].get<std::string>(), time.time_since_epoch().count());
    }
    for (const auto& [chapter, steps] : passed) chapters_.learner_passed(chapter, steps);
}

std::vector<std::string> Learner::words_of_runner(const std::vector<std::string>& words) const {
    std::vector<std::string> all = runner_;
    all.insert(all.end(), words.begin(), words.end());
    return all;
}

std::string Learner::run(const std::vector<std::string>& words, const Times& now) {
    Child child(words_of_runner(words), root_, Child::Errors::kept);
    child.close_input();
    std::string text;
    while (!over_) {
        if (!child.has_said(150ms)) {
            if (times() != now) return {};                         // it begins again
            const bool failures = text.ends_with('\n') && !told_;  // their cause comes later
            const std::string progress = text.empty() ? progress_in(child.printed()) : "";
            if (!failures && progress == progress_) continue;
            {
                const std::lock_guard lock(mutex_);
                progress_ = progress;
                if (failures) said_[checking_] = text;
                told_ = told_ || failures;
            }
            changes_.add();
            continue;
        }
        const std::string block = child.read();
        text += block;
        if (!block.empty()) continue;
        if (child.wait() > 128) text += "The check was ended before it was complete: save the file again.\n";
        if (text.empty()) std::fputs(child.printed().c_str(), stderr);
        if (text.empty()) text = "It could not be checked: the terminal of ./tutorial play says why.\n";
        return text;
    }
    return {};
}

}  // namespace tfs::play
