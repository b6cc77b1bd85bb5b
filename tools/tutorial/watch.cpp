// tools/tutorial/watch.cpp · ./tutorial watch: checks what is saved, until Ctrl-C
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <thread>

#include "tools/tutorial/build.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/watching.hpp"

namespace tfs::tutorial {

Snapshot snapshot_of(const Steps& steps, Snapshot snapshot) {
    for (const steps::Step& step : steps) {
        std::error_code missing;
        const auto time = fs::last_write_time(step.exercise(), missing);
        const std::uintmax_t size = missing ? 0 : fs::file_size(step.exercise(), missing);
        if (!missing) snapshot[step.name] = {time, size};
    }
    return snapshot;
}

Steps saved_between(const Steps& steps, const Snapshot& before, const Snapshot& now) {
    Steps saved;
    for (const steps::Step& step : steps) {
        const auto found = now.find(step.name);
        if (found == now.end()) continue;
        const auto old = before.find(step.name);
        if (old == before.end() || old->second != found->second) saved.push_back(step);
    }
    return saved;
}

void build_ahead(const Session& session, const Steps& steps) {
    std::vector<std::string> targets;
    std::string last;
    for (const steps::Step& step : steps) {
        if (step.folder == last || !fs::exists(step.exercise())) continue;
        targets.push_back(step.check_target());
        last = step.folder;
    }
    if (targets.empty()) return;
    const Build built = build(session, targets);
    bool others = !built.some_edge_failed();
    for (const Edge& edge : built.edges) others = others || (edge.failed && !is_learners(edge));
    if (!built.complete && others) give_up(built, 1);
}

namespace {

void say_time_and_files(const Session& session, const Steps& steps) {
    const std::time_t now = std::time(nullptr);
    char time[16];
    std::strftime(time, sizeof time, "%H:%M:%S", std::localtime(&now));
    std::string line = time;
    for (const steps::Step& step : steps) line += " " + step.exercise().string();
    fmt::print("\n");
    say(session.terminal, line);
    std::fflush(stdout);
}

}  // namespace

Snapshot check_until_done(const Session& session, const Steps& watched, Steps saved, Snapshot now) {
    while (true) {
        const auto stop = [&] { return !saved_between(watched, now, snapshot_of(watched, now)).empty(); };
        try {
            say_time_and_files(session, saved);
            check(session, saved, Checklist::plain, stop);
            return now;
        } catch (const Stopped&) {
            const Snapshot later = snapshot_of(watched, now);
            const Steps again = saved_between(watched, now, later);
            std::erase_if(saved, [&](const steps::Step& step) {
                return std::any_of(again.begin(), again.end(),
                                   [&](const steps::Step& other) { return other.name == step.name; });
            });
            saved.insert(saved.begin(), again.begin(), again.end());
            now = later;
            fmt::print("    saved again: this check was stopped\n");
        } catch (const Refusal& refusal) {  // the next save may bring what is missing
            fmt::print(stderr, "tutorial: {}\n", refusal.what());
            return now;
        } catch (const Exit&) {
            return now;
        }
    }
}

int watch(const Session& session, const Steps& steps) {
    const HeldSignals signals;
    try {
        build_ahead(session, steps);
        Snapshot before = snapshot_of(steps);
        fmt::print("Watching {} {} in exercises/. Save a file and its check runs; Ctrl-C ends this.\n",
                   steps.size(), steps.size() == 1 ? "step" : "steps");
        std::fflush(stdout);
        while (signals.arrived() == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            const Snapshot now = snapshot_of(steps, before);
            const Steps saved = saved_between(steps, before, now);
            before = saved.empty() ? now : check_until_done(session, steps, saved, now);
        }
    } catch (const Interrupted&) {
    }
    fmt::print("\nNo longer watching.\n");
    return 0;
}

}  // namespace tfs::tutorial
