// tools/tutorial/update.cpp · ./tutorial update: a new version, with what the learner wrote in its exercises
//
// Two halves. The first one keeps a copy of all that she wrote, and pulls. The second one is done by the runner of the new
// version, which knows what became of the steps; the file `pending` tells it that there is something to do.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "tools/steps/carry.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/memory.hpp"
#include "tools/tutorial/process.hpp"

namespace tfs::tutorial {

namespace {

const fs::path updates = memory::folder / "update";
const fs::path pending = updates / "pending";  // its only line: the folder of the copies
const fs::path passed_before = "passed.txt";   // in that folder: the names of the steps

Answer git(std::vector<std::string> words) {
    words.insert(words.begin(), "git");
    return ask({.words = words});
}

// What git answers; Refusal with its own words where it fails.
std::string git_or_refuse(const std::vector<std::string>& words, const std::string& failure) {
    const Answer answer = git(words);
    if (answer.code != 0)
        throw Refusal(fmt::format("{}; git says: {}", failure, steps::trimmed(answer.output)));
    return std::string(steps::trimmed(answer.output));
}

void require_clone() {
    const std::string advice =
        "copy your folders exercises/ and .tutorial/ into a new copy of the tutorial, and give this command "
        "there";
    if (!fs::exists(".git")) throw Refusal("this folder is no git clone; " + advice + ".");
    git_or_refuse({"rev-parse", "--git-dir"}, "git does not work here");
    if (git({"rev-parse", "--abbrev-ref", "@{upstream}"}).code != 0)
        throw Refusal(
            "this branch follows none of another repository, so there is nothing to pull; try git switch "
            "main.");
}

// --- the first half

// A folder that does not exist yet.
fs::path new_folder() {
    for (int number = 1;; ++number)
        if (const fs::path folder = updates / std::to_string(number); !fs::exists(folder)) return folder;
}

// Copies what the learner wrote, beside the stubs that it began as.
fs::path keep_exercises(const Session& session) {
    const fs::path folder = new_folder();
    const States states = read_states(session);
    std::string passed;
    for (const steps::Step& step : session.tutorial.steps()) {
        const State state = state_of(states, step);
        if (state == State::missing || state == State::stub) continue;
        steps::write_text(folder / step.exercise(), steps::read_text(step.exercise()));
        steps::write_text(folder / "stubs" / (step.name + ".cpp"),
                          steps::exercise_of(steps::read_text(step.solution()), step.solution().string()));
        if (state == State::passed) passed += step.name + "\n";
    }
    steps::write_text(folder / passed_before, passed);
    return folder;
}

void put_back(const fs::path& folder) {
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() &&
            entry.path().lexically_relative(folder).string().starts_with("exercises/"))
            steps::write_text(entry.path().lexically_relative(folder), steps::read_text(entry.path()));
}

// The learner committed what she wrote: both sides are merged, and in exercises/ the new version wins.
bool merged() {
    if (git({"merge", "--no-edit", "@{upstream}"}).code == 0) return true;
    for (const std::string& file :
         steps::split_lines(git({"diff", "--name-only", "--diff-filter=U"}).output)) {
        if (!file.starts_with("exercises/")) return false;
        if (git({"checkout", "--theirs", "--", file}).code == 0)
            git({"add", "--", file});
        else
            git({"rm", "--quiet", "--force", "--", file});
    }
    return git({"commit", "--no-edit"}).code == 0;
}

void pull(const fs::path& folder) {
    git_or_refuse({"checkout", "HEAD", "--", "exercises"},
                  "the exercises of this version can't be put in place");
    const Answer forward = git({"merge", "--ff-only", "@{upstream}"});
    if (forward.code == 0) return;
    const bool diverged = git({"merge-base", "--is-ancestor", "HEAD", "@{upstream}"}).code != 0;
    if (diverged && merged()) return;
    git({"merge", "--abort"});
    put_back(folder);
    std::error_code absent;
    fs::remove(pending, absent);
    throw Refusal(fmt::format("git can't bring the new version, and all is as it was. It says: {}",
                              steps::trimmed(forward.output)));
}

// --- the second half

struct Kept {
    std::string name;
    fs::path file;
    steps::Written written;
    bool passed = false;
    std::size_t hints = 0;
};

// Where the copies are, and files of earlier steps that still stand in exercises/.
std::vector<Kept> kept_exercises(const Session& session, const fs::path& folder) {
    const steps::Lines passed = fs::exists(folder / passed_before)
                                    ? steps::split_lines(steps::read_text(folder / passed_before))
                                    : steps::Lines{};
    std::vector<Kept> kept;
    const auto keep = [&](const fs::path& file) {
        const std::string name = file.stem().string();
        const fs::path stub = folder / "stubs" / (name + ".cpp");
        kept.push_back({name,
                        file,
                        {steps::read_text(file), fs::exists(stub) ? steps::read_text(stub) : ""},
                        std::find(passed.begin(), passed.end(), name) != passed.end()});
    };
    for (const fs::path& stray : session.tutorial.strays()) {
        const std::string name = stray.stem().string();
        if (!session.tutorial.earlier.contains(name) || fs::exists(folder / stray)) continue;
        steps::write_text(folder / stray, steps::read_text(stray));
        fs::remove(stray);
    }
    if (fs::exists(folder / "exercises"))
        for (const auto& entry : fs::recursive_directory_iterator(folder / "exercises"))
            if (entry.is_regular_file()) keep(entry.path());
    std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.file < b.file; });
    return kept;
}

std::vector<std::string> steps_now(const Session& session, const std::string& name) {
    const auto earlier = session.tutorial.earlier.find(name);
    return earlier == session.tutorial.earlier.end() ? std::vector<std::string>{name} : earlier->second;
}

// All that a step was before: its own name, if it was a step of its own, or those of its parts.
std::set<std::string> parts_of(const Session& session, const std::string& name) {
    std::set<std::string> parts;
    for (const auto& [earlier, now] : session.tutorial.earlier)
        if (std::find(now.begin(), now.end(), name) != now.end()) parts.insert(earlier);
    if (parts.empty()) parts.insert(name);
    return parts;
}

struct Tally {
    std::size_t carried = 0, passed = 0;
    std::map<std::string, std::vector<std::string>> no_place;  // by the step it was written in
    std::set<std::string> placed;
};

void carry_into(const Session& session, const steps::Step& step, const std::vector<Kept>& kept,
                Tally& tally) {
    const std::set<std::string> parts = parts_of(session, step.name);
    std::vector<steps::Written> written;
    std::vector<std::string> names;
    std::size_t passed = 0;
    for (const Kept& one : kept) {
        if (!parts.contains(one.name)) continue;
        written.push_back(one.written);
        names.push_back(one.name);
        passed += one.passed ? 1 : 0;
    }
    if (written.empty()) return;
    const steps::Carried carried = steps::carried_over(
        written, step, steps::exercise_of(steps::read_text(step.solution()), step.solution().string()));
    steps::write_text(step.exercise(), carried.text);
    ++tally.carried;
    tally.placed.insert(carried.placed.begin(), carried.placed.end());
    for (const std::string& function : carried.no_place) tally.no_place[function].push_back(step.name);
    std::string note;
    if (passed == parts.size() && carried.open.empty()) {
        remember_passed(session.tutorial, step);
        ++tally.passed;
    } else if (!carried.open.empty()) {
        note = fmt::format("; still open: {}", fmt::join(carried.open, ", "));
    }
    if (names != std::vector<std::string>{step.name} || !note.empty())
        say(session.terminal,
            fmt::format("{} {} has your {}{}", step.id(), step.name, fmt::join(names, " and "), note));
}

int carry(const Session& session, const fs::path& folder) {
    const std::vector<Kept> kept = kept_exercises(session, folder);
    Tally tally;
    for (const steps::Step& step : session.tutorial.steps()) carry_into(session, step, kept, tally);
    for (const Kept& one : kept)
        if (steps_now(session, one.name).empty())
            say(session.terminal,
                fmt::format("{} is no step any more; your file is kept in {}", one.name, one.file.string()));
    for (const auto& [function, steps] : tally.no_place)
        if (!tally.placed.contains(function))
            say(session.terminal,
                fmt::format(
                    "{} in {} is given now, or its given lines are: what you wrote there is only in {}",
                    function, fmt::join(steps, ", "), (folder / "exercises").string()));
    std::error_code absent;
    fs::remove(pending, absent);
    if (tally.carried == 0) return 0;
    say(session.terminal, fmt::format("Carried over: {} of your files; {} of these steps passed before and "
                                      "count as passed. ./tutorial check "
                                      "tries them against the tests of this version. Copies of all are in {}",
                                      tally.carried, tally.passed, folder.string()));
    return 0;
}

}  // namespace

int update(const Session& session) {
    memory::require_writable(session.tutorial);
    if (fs::exists(pending)) return carry(session, steps::trimmed(steps::read_text(pending)));
    for (const fs::path& stray : session.tutorial.strays())
        if (session.tutorial.earlier.contains(stray.stem().string())) return carry(session, new_folder());
    require_clone();
    git_or_refuse({"fetch", "--quiet"}, "the new version can't be fetched");
    const std::string news =
        git_or_refuse({"rev-list", "--count", "HEAD..@{upstream}"}, "git does not know the versions");
    if (news == "0") {
        say(session.terminal, "There is no newer version.");
        return 0;
    }
    const fs::path folder = keep_exercises(session);
    steps::write_text(pending, folder.string() + "\n");
    pull(folder);
    say(session.terminal,
        fmt::format("This is the new version now ({} new {}).", news, news == "1" ? "commit" : "commits"));
    std::fflush(stdout);
    return exit_code(
        run({.words = {"./tutorial", "update"}, .output = Command::Output::inherited, .own_group = false}));
}

}  // namespace tfs::tutorial
