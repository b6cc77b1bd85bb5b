// play/main.cpp · tutorial_play, which ./tutorial play and ./tutorial pages build and start
//
//     tutorial_play --root DIR [--first NN_name] [--port N] [--no-open] [--alone] [--solutions] -- RUNNER …
//     tutorial_play --root DIR --pages FOLDER [NN_name …]
//
// RUNNER are the words that start the runner: play builds the programs of the chapters by it. With --pages nothing is served: the
// pages are written, with what the programs of these chapters answer.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <thread>

#include "play/pages.hpp"
#include "play/server.hpp"

namespace fs = std::filesystem;

namespace {

std::string random_token() {
    std::random_device source;
    std::string token;
    for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", source());
    return token;
}

// The key of this repository: with the same one, pages and bookmarks of an earlier run open in this one. It stands in a file that
// nobody else may read; where there can be none, the key is of this run alone.
std::string kept_token(const fs::path& file) {
    std::error_code absent;
    const fs::perms others = fs::perms::group_all | fs::perms::others_all;
    std::string token;
    if ((fs::symlink_status(file, absent).permissions() & others) == fs::perms::none)
        std::ifstream(file) >> token;
    if (token.size() == 32 && token.find_first_not_of("0123456789abcdef") == token.npos) return token;
    token = random_token();
    fs::create_directories(file.parent_path(), absent);
    fs::remove(file, absent);
    if (const int made = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); made >= 0) {
        (void)!::write(made, token.data(), token.size());  // one that is cut is replaced next time
        ::close(made);
    }
    return token;
}

// Starts what opens an address here; nothing where there is no desktop. A browser that begins by it stays when play ends.
std::unique_ptr<tfs::play::Child> opener_of(const std::string& address) {
    const auto is_set = [](const char* name) { return std::getenv(name) != nullptr; };
#ifdef __APPLE__
    std::vector<std::string> words{"open"};
#else
    std::vector<std::string> words{"setsid", "--fork", is_set("WSL_DISTRO_NAME") ? "wslview" : "xdg-open"};
    if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY") && !is_set("WSL_DISTRO_NAME")) return nullptr;
#endif
    words.push_back(address);
    auto child = std::make_unique<tfs::play::Child>(words, ".");
    child->close_input();
    return child;
}

struct Asked {
    std::string root, first, pages;
    int port = 8642;
    bool no_open = false, alone = false, solutions = false;
    std::vector<std::string> runner;  // for pages: chapters
};

int write_pages(const Asked& asked) {
    ::signal(SIGPIPE, SIG_IGN);
    tfs::play::Changes changes;
    tfs::play::Programs programs(asked.root);
    tfs::play::Chapters chapters(asked.root, {}, "", true, programs, changes);
    tfs::play::write_pages(asked.root, programs, chapters.list(), asked.runner, asked.pages);
    return 0;
}

int play(const Asked& asked) {
    sigset_t ends;
    sigemptyset(&ends);
    for (const int one : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ends, one);
    ::pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // for all threads: this one waits for them
    ::signal(SIGPIPE, SIG_IGN);
#ifdef __GLIBC__
    ::mallopt(M_ARENA_MAX, 1);               // else each thread keeps for itself what it has freed,
    ::mallopt(M_MMAP_THRESHOLD, 128 << 10);  // and gaps between small pieces what was large
#endif
    const std::string token = kept_token(fs::path(asked.root) / ".tutorial/play_key");
    tfs::play::Changes changes;
    tfs::play::Programs programs(asked.root);
    tfs::play::Chapters chapters(asked.root, asked.runner, asked.first, asked.alone, programs, changes);
    tfs::play::Learner learner(asked.root, asked.runner, chapters, asked.solutions, changes);
    tfs::play::Server server(asked.root, programs, chapters, learner, changes, token);
    const int port = server.bind(asked.port);
    const std::string place = asked.first.empty() ? "" : "#" + asked.first + "/lesson";
    const std::string address = fmt::format("http://127.0.0.1:{}/?token={}{}", port, token, place);
    if (port != asked.port)
        tfs::play::say(fmt::format("Port {} is taken, so the pages are at a free one.", asked.port));
    tfs::play::say("Open this address in a browser on this machine:\n    " + address + "\nCtrl-C ends it.");
    chapters.begin();
    std::thread listening([&] { server.listen(); });
    const auto opener = asked.no_open ? nullptr : opener_of(address);
    int arrived = 0;
    ::sigwait(&ends, &arrived);
    server.stop();
    changes.end();
    listening.join();
    fmt::print("\nNo longer playing.\n");
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    Asked asked;
    CLI::App app("pages on which the programs of the chapters answer", "tutorial_play");
    app.add_option("--root", asked.root)->required();
    app.add_option("--first", asked.first);
    app.add_option("--port", asked.port)->check(CLI::Range(1, 65535));
    app.add_flag("--no-open", asked.no_open);
    app.add_flag("--alone", asked.alone);
    app.add_flag("--solutions", asked.solutions);
    app.add_option("--pages", asked.pages);
    app.add_option("runner", asked.runner);
    CLI11_PARSE(app, count, arguments);
    try {
        return asked.pages.empty() ? play(asked) : write_pages(asked);
    } catch (const std::exception& error) {
        fmt::print(stderr, "tutorial: {}.\n", error.what());
        return 2;
    }
}
