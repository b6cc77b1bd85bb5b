// tools/tutorial/memory.cpp · what is remembered from one command to the next, in .tutorial/
#include "tools/tutorial/memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include "tools/tutorial/session.hpp"

namespace tfs::tutorial::memory {

namespace {

fs::path file_of(const char* kind, const std::string& name) { return folder / kind / name; }

steps::Lines lines_of(const fs::path& file) {
    try {
        return steps::split_lines(steps::read_text(file));
    } catch (const steps::Error&) {
        return {};
    }
}

constexpr std::size_t time_length = std::string_view("2026-01-31T23:59:59Z").size();

std::string time_now() {
    const std::time_t now = std::time(nullptr);
    char text[time_length + 1];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
    return text;
}

std::string first_line_of(const fs::path& file) {
    const steps::Lines lines = lines_of(file);
    return lines.empty() ? "" : lines.front();
}

}  // namespace

bool writable() {
    std::error_code failure;
    for (const char* kind : {"checks", "hints", "warnings"}) {
        fs::create_directories(folder / kind, failure);
        if (failure || ::access((folder / kind).c_str(), W_OK) != 0) return false;
    }
    return ::access(folder.c_str(), W_OK) == 0;
}

void require_writable(const steps::Tutorial& tutorial) {
    if (writable()) return;
    throw Refusal(fmt::format("cannot write to {}; is the folder yours?", (tutorial.root / folder).string()));
}

std::string result_of(const steps::Step& step, const std::string& fingerprint) {
    for (const std::string& line : lines_of(file_of("checks", step.name)))
        if (line.ends_with(" " + fingerprint)) return line.substr(0, line.find(' '));
    return {};
}

std::string time_of(const steps::Step& step, const std::string& fingerprint) {
    for (const std::string& line : lines_of(file_of("checks", step.name))) {
        const std::size_t begin = line.find(' ') + 1, end = line.find(' ', begin);
        const std::string time = line.substr(begin, end - begin);
        if (line.ends_with(" " + fingerprint) && time.size() == time_length && time.ends_with('Z'))
            return time;
    }
    return {};
}

void remember_result(const steps::Step& step, const std::string& result, const std::string& fingerprint) {
    const fs::path file = file_of("checks", step.name);
    steps::Lines lines = {result + " " + time_now() + " " + fingerprint};
    for (const std::string& line : lines_of(file))
        if (result != "passed" && line.starts_with("passed ") && !line.ends_with(" " + fingerprint))
            lines.push_back(line);
    steps::write_text(file, steps::join_lines(lines));
}

std::size_t hints_shown(const steps::Step& step) {
    return std::strtoul(first_line_of(file_of("hints", step.name)).c_str(), nullptr, 10);
}

void remember_hints(const steps::Step& step, std::size_t shown) {
    steps::write_text(file_of("hints", step.name), fmt::format("{}\n", shown));
}

steps::Lines warnings_of(const steps::Step& step) { return lines_of(file_of("warnings", step.name)); }

void remember_warnings(const steps::Step& step, const steps::Lines& warnings) {
    std::error_code absent;
    if (warnings.empty()) {
        fs::remove(file_of("warnings", step.name), absent);
    } else {
        steps::write_text(file_of("warnings", step.name), steps::join_lines(warnings));
    }
}

std::string last_step() { return first_line_of(folder / "last"); }

void remember_last(const steps::Step& step) { steps::write_text(folder / "last", step.name + "\n"); }

fs::path new_backup(const std::string& name, const std::string& ending) {
    const std::time_t now = std::time(nullptr);
    char time[32];
    std::strftime(time, sizeof time, ".%Y-%m-%d_%H%M%S", std::localtime(&now));
    std::string path = (folder / "backup" / name).string() + time;
    while (fs::exists(path + ending)) path += 'x';
    return path + ending;
}

void forget(const steps::Step& step) {
    std::error_code absent;
    for (const char* kind : {"hints", "warnings"}) fs::remove(file_of(kind, step.name), absent);
}

}  // namespace tfs::tutorial::memory
