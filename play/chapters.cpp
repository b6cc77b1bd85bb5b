// play/chapters.cpp · one chapter after the other is built by ./tutorial run N -- --list --json
#include "play/chapters.hpp"

#include <algorithm>
#include <array>
#include <fstream>

namespace tfs::play {

namespace fs = std::filesystem;

namespace {

// "# Attention" is the first line of the lesson.
std::string title_of(const fs::path& lesson) {
    std::string line;
    std::getline(std::ifstream(lesson), line);
    return line.starts_with("# ") ? line.substr(2) : line;
}

}  // namespace

Chapters::Chapters(const fs::path& root, std::vector<std::string> runner, const std::string& first)
    : root_(root), runner_(std::move(runner)), wanted_(first) {
    for (const auto& entry : fs::directory_iterator(root_ / "chapters"))
        if (fs::exists(entry.path() / "README.md")) chapters_.push_back({entry.path().filename().string()});
    std::sort(chapters_.begin(), chapters_.end(),
              [](const Chapter& a, const Chapter& b) { return a.name < b.name; });
    builder_ = std::thread([this] { build_all(); });
}

Chapters::~Chapters() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
        if (build_) build_->kill();
    }
    changed_.notify_all();
    builder_.join();
}

Json Chapters::list() {
    constexpr std::array states{"waiting", "building", "ready", "failed"};
    const std::lock_guard lock(mutex_);
    Json all = Json::array();
    for (const Chapter& one : chapters_) {
        all.push_back({{"name", one.name},
                       {"title", title_of(root_ / "chapters" / one.name / "README.md")},
                       {"state", states.at(static_cast<std::size_t>(one.state))}});
        if (!one.said.empty()) all.back()["said"] = one.said;
    }
    return all;
}

bool Chapters::has(const std::string& name) {
    const std::lock_guard lock(mutex_);
    return find(name) != nullptr;
}

void Chapters::wants(const std::string& name) {
    {
        const std::lock_guard lock(mutex_);
        wanted_ = name;
        if (Chapter* one = find(name); one && one->state == Chapter::State::failed)
            one->state = Chapter::State::waiting;
    }
    changed_.notify_all();
}

std::shared_ptr<ChapterProgram> Chapters::program(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const Chapter* one = find(name);
    if (!one || one->state != Chapter::State::ready) return nullptr;
    std::shared_ptr<ChapterProgram>& program = programs_[name];
    if (!program || program->ended())
        program = std::make_shared<ChapterProgram>(root_ / "build/release/bin" / name, root_);
    return program;
}

Chapter* Chapters::find(const std::string& name) {
    const auto found = std::find_if(chapters_.begin(), chapters_.end(),
                                    [&](const Chapter& one) { return one.name == name; });
    return found == chapters_.end() ? nullptr : &*found;
}

void Chapters::build_all() {
    std::unique_lock lock(mutex_);
    while (!over_) {
        const auto waits = [](const Chapter& one) { return one.state == Chapter::State::waiting; };
        Chapter* next = find(wanted_);
        if (!next || !waits(*next)) {
            const auto found = std::find_if(chapters_.begin(), chapters_.end(), waits);
            next = found == chapters_.end() ? nullptr : &*found;
        }
        if (!next) {
            changed_.wait(lock);
            continue;
        }
        next->state = Chapter::State::building;
        const std::string name = next->name;
        lock.unlock();
        build(name);
        lock.lock();
    }
}

void Chapters::build(const std::string& name) {
    std::vector<std::string> words{"nice"};  // what is asked meanwhile comes first
    words.insert(words.end(), runner_.begin(), runner_.end());
    words.insert(words.end(), {"run", name, "--no-install", "--", "--list", "--json"});
    std::string said;
    Child* build = nullptr;
    {
        const std::lock_guard lock(mutex_);
        if (over_) return;
        build_ = std::make_unique<Child>(words, root_);
        build = build_.get();
    }
    build->close_input();
    for (std::string block = build->read(); !block.empty(); block = build->read()) said += block;
    const int code = build->wait();
    const std::lock_guard lock(mutex_);
    build_.reset();
    Chapter& one = *find(name);
    one.state = code == 0 ? Chapter::State::ready : Chapter::State::failed;
    one.said = code == 0 ? "" : said.empty() ? "It could not be built: ./tutorial run shows why." : said;
}

}  // namespace tfs::play
