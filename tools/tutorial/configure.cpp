// tools/tutorial/configure.cpp · CMake's first run
#include "tools/tutorial/configure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "tools/tutorial/build.hpp"
#include "tools/tutorial/memory.hpp"
#include "tools/tutorial/process.hpp"

namespace tfs::tutorial {

namespace {

// All but the lock, which is held.
void remove_build() {
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(build_folder))
        if (entry.path().filename() != "tutorial.lock") old.push_back(entry.path());
    for (const fs::path& path : old) fs::remove_all(path);
}

void require_version() {
    const std::string said = ask({.words = {"cmake", "--version"}}).output;
    const std::size_t begin = std::min(said.find_first_of("0123456789"), said.size());
    int major = 0, minor = 0;
    if (std::sscanf(said.c_str() + begin, "%d.%d", &major, &minor) == 2 && major * 1000 + minor < 3025)
        throw Refusal(fmt::format("CMake 3.25 or later is needed; this is {}.",
                                  said.substr(begin, said.find('\n') - begin)));
}

// CMake's errors, each with the lines below it.
void print_errors(const std::string& output) {
    std::size_t left = 0, printed = 0;
    for (const std::string& line : steps::split_lines(output)) {
        if (line.find("CMake Error") != std::string::npos) left = 13;
        if (left == 0 || printed >= 30) continue;
        fmt::print(stderr, "{}\n", line);
        --left;
        ++printed;
    }
}

// The generator that was built with the runner: so the build has none to compile.
fs::path generator_of(const Session& session) {
    const fs::path generator = session.runner.parent_path() / "tfs_generate";
    return fs::exists(generator) ? generator : fs::path();
}

}  // namespace

bool configured_elsewhere(const fs::path& build, const fs::path& sources) {
    const fs::path cache = build / "CMakeCache.txt";
    if (!fs::exists(cache)) return false;
    const steps::Lines lines = steps::split_lines(steps::read_text(cache));
    const std::string home = "CMAKE_HOME_DIRECTORY:INTERNAL=" + sources.string();
    return std::find(lines.begin(), lines.end(), home) == lines.end();
}

void configure(const Session& session, const Stop& stop) {
    if (configured_elsewhere(build_folder, session.tutorial.root)) remove_build();
    if (fs::exists(build_folder / "build.ninja")) return;
    require_version();
    fmt::print(stderr, "configuring\n");
    const Answer answer =
        ask({.words = {"cmake", "--preset", "release", "-DTFS_GENERATOR=" + generator_of(session).string()}},
            stop);
    const fs::path log = memory::folder / "configure.log";
    steps::write_text(log, answer.output);
    if (answer.code == 0) return;
    fs::remove(build_folder / "build.ninja");
    print_errors(answer.output);
    throw Refusal(fmt::format("CMake could not configure the build; all it said is in {}.", log.string()));
}

}  // namespace tfs::tutorial
