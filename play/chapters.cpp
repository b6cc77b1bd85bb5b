// play/chapters.cpp · one chapter after the other is built by ./tutorial run N -- --list --json
#include "play/chapters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <sstream>

namespace tfs::play {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

namespace {

const std::string asked_by_way = "09_transformer", asked_by_write = "11_generation";  // pages of their own
constexpr const char* mine_suffix = "_mine_passed";  // of what `./tutorial run --mine=passed` links

// "# Attention" is the first line of the lesson.
std::string title_of(const fs::path& lesson) {
    std::string line;
    std::getline(std::ifstream(lesson), line);
    return line.starts_with("# ") ? line.substr(2) : line;
}

// Of "1.1 1764…" and lines like it: whether each step of `some` is in `all`, whenever it was saved.
bool are_all_in(const std::string& some, const std::string& all) {
    std::istringstream lines(some);
    for (std::string id, saved; lines >> id >> saved;)
        if (("\n" + all).find("\n" + id + " ") == std::string::npos) return false;
    return true;
}

std::string number_of(const std::string& name) { return name.substr(0, 2); }

}  // namespace

Chapters::Chapters(const fs::path& root, std::vector<std::string> runner, const std::string& first,
                   bool alone, Programs& programs, Changes& changes)
    : root_(root),
      runner_(std::move(runner)),
      programs_(programs),
      changes_(changes),
      wanted_(first),
      alone_(alone) {
    for (const auto& entry : fs::directory_iterator(root_ / "chapters"))
        if (const fs::path lesson = entry.path() / "README.md"; fs::exists(lesson))
            chapters_.push_back({entry.path().filename().string(), title_of(lesson)});
    std::sort(chapters_.begin(), chapters_.end(),
              [](const Chapter& a, const Chapter& b) { return a.name < b.name; });
}

void Chapters::begin() {
    builder_ = std::thread([this] { build_all(); });
}

Chapters::~Chapters() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
        if (build_) build_->end();
    }
    changed_.notify_all();
    if (builder_.joinable()) builder_.join();
}

Json Chapters::list() {
    constexpr std::array states{"waiting", "building", "ready", "failed"};
    const std::lock_guard lock(mutex_);
    Json all = Json::array();
    for (const Chapter& one : chapters_) {
        all.push_back({{"name", one.name},
                       {"title", one.title},
                       {"state", states.at(static_cast<std::size_t>(one.state))}});
        if (!one.said.empty()) all.back()["said"] = one.said;
        if (!one.mine.empty()) all.back()["mine"] = one.mine;
    }
    return all;
}

bool Chapters::has(const std::string& name) {
    const std::lock_guard lock(mutex_);
    return find(name) != nullptr;
}

void Chapters::wants(const std::string& name) {
    const std::lock_guard lock(mutex_);
    wanted_ = name;
    Chapter* one = find(name);
    if (one && one->state == Chapter::State::failed && Clock::now() > one->again)
        one->state = Chapter::State::waiting;
    changed_.notify_all();
}

void Chapters::pause() {
    const std::lock_guard lock(mutex_);
    paused_ = true;
    if (build_) build_->end();
}

void Chapters::go_on() {
    const std::lock_guard lock(mutex_);
    paused_ = false;
    changed_.notify_all();
}

std::string Chapters::program(const std::string& name, bool mine) {
    const std::lock_guard lock(mutex_);
    const Chapter* one = find(name);
    if (!one || one->state != Chapter::State::ready) return {};
    return mine && !one->mine.empty() ? name + mine_suffix : name;
}

void Chapters::learner_passed(const std::string& name, const std::string& steps) {
    const std::lock_guard lock(mutex_);
    Chapter* one = find(name);
    if (!one || one->passed == steps) return;
    one->passed = steps;
    one->mine_failed = false;
    if (!are_all_in(one->mine, steps)) one->mine.clear();  // at once: it passes no more
    changed_.notify_all();
}

Chapter* Chapters::find(const std::string& name) {
    const auto found = std::find_if(chapters_.begin(), chapters_.end(),
                                    [&](const Chapter& one) { return one.name == name; });
    return found == chapters_.end() ? nullptr : &*found;
}

void Chapters::build_all() {
    std::unique_lock lock(mutex_);
    while (!over_) {
        const auto is_stale = [](const Chapter& one) {
            return one.state == Chapter::State::ready && one.mine != one.passed && !one.mine_failed;
        };
        const auto waits = [](const Chapter& one) { return one.state == Chapter::State::waiting; };
        const auto first = [&](const auto& condition, bool wanted_alone) -> Chapter* {
            for (const std::string& name : {wanted_, asked_by_way, asked_by_write}) {
                if (Chapter* one = find(name); one && condition(*one)) return one;
                if (wanted_alone) return nullptr;
            }
            const auto found = std::find_if(chapters_.begin(), chapters_.end(), condition);
            return found == chapters_.end() ? nullptr : &*found;
        };
        if (paused_) {
            changed_.wait(lock);
            continue;
        }
        const auto unlocked = [&](void (Chapters::*work)(const std::string&), const Chapter& one) {
            const std::string name = one.name;
            lock.unlock();
            (this->*work)(name);
            lock.lock();
        };
        if (const Chapter* stale = first(is_stale, false)) {
            unlocked(&Chapters::link_mine, *stale);
        } else if (Chapter* ready = find(wanted_);
                   ready && ready->state == Chapter::State::ready && !ready->checks) {
            unlocked(&Chapters::prepare_checks, *ready);
        } else if (Chapter* next = first(waits, alone_)) {
            next->state = Chapter::State::building;
            unlocked(&Chapters::build, *next);
        } else {
            changed_.wait(lock);
        }
    }
}

bool Chapters::run(const std::string& name, const std::vector<std::string>& flags) {
    std::vector<std::string> words{"nice"};  // what is asked meanwhile comes first
    words.insert(words.end(), runner_.begin(), runner_.end());
    words.insert(words.end(), {"run", name, "--no-install"});
    words.insert(words.end(), flags.begin(), flags.end());
    words.insert(words.end(), {"--", "--list", "--json"});
    Child* build = nullptr;
    {
        const std::lock_guard lock(mutex_);
        if (over_ || paused_) return false;
        build_ = std::make_unique<Child>(words, root_, Child::Errors::kept);
        build = build_.get();
    }
    build->close_input();
    for (std::size_t told = 0;;) {
        const bool over = build->has_said(500ms) && build->read().empty();
        const std::string& printed = build->printed();
        if (const std::string progress = progress_in(printed); printed.size() != told && !progress.empty()) {
            told = printed.size();
            {
                const std::lock_guard lock(mutex_);
                find(name)->said = progress;
            }
            changes_.add();
        }
        if (over) break;
    }
    const std::lock_guard lock(mutex_);
    const int code = build->wait();
    if (code != 0 && !paused_ && !over_) std::fputs(build->printed().c_str(), stderr);
    find(name)->said.clear();
    build_.reset();
    return code == 0;
}

void Chapters::build(const std::string& name) {
    changes_.add();
    const auto begin = Clock::now();
    const bool built = run(name, {});
    const std::chrono::duration<double> took = Clock::now() - begin;
    {
        const std::lock_guard lock(mutex_);
        Chapter& one = *find(name);
        one.state = built              ? Chapter::State::ready
                    : paused_ || over_ ? Chapter::State::waiting
                                       : Chapter::State::failed;
        const std::string number = number_of(name),
                          why = fmt::format("could not be built: ./tutorial run {} shows why.", number);
        one.said = one.state == Chapter::State::failed ? "It " + why : "";
        one.again = Clock::now() + 30s;
        if (built) say(fmt::format("{} {} is ready ({:.0f} s)", number, one.title, took.count()));
        if (!one.said.empty()) say(fmt::format("{} {} {}", number, one.title, why));
    }
    changes_.add();
}

// So that the first check of a step takes no longer than the others.
void Chapters::prepare_checks(const std::string& name) {
    const bool prepared = run(name, {"--for-play"});
    const std::lock_guard lock(mutex_);
    find(name)->checks = prepared || !paused_;
}

void Chapters::link_mine(const std::string& name) {
    std::string passed;
    {
        const std::lock_guard lock(mutex_);
        passed = find(name)->passed;
    }
    const bool linked = passed.empty() || run(name, {"--mine=passed"});
    {
        const std::lock_guard lock(mutex_);
        Chapter& one = *find(name);
        one.mine = linked ? passed : "";
        one.mine_failed = !linked && !paused_ && !over_;
        if (one.mine_failed)
            say(
                fmt::format("{0} {1} could not be linked with your steps: ./tutorial run {0} --mine=passed "
                            "shows why.",
                            number_of(name), one.title));
        programs_.forget(name + mine_suffix);
    }
    changes_.add();
}

}  // namespace tfs::play
