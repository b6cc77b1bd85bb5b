// tools/tutorial/update.cpp · ./tutorial update: a new version; what the learner wrote stays where it is
//
// git merges nothing into files that were changed. So of hers copies are made, git gets its own back while it merges, and then
// hers return. The folder of the copies is there as long as that takes: the next update ends one that was killed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/tutorial/build.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/states.hpp"

namespace tfs::tutorial {

namespace {

const fs::path copies = memory::folder / "updating";
const std::string no_pull = "git can't bring the new version, and your files are as they were";

// `asks`: it may want a password from the terminal.
Answer git(std::vector<std::string> words, bool asks = false) {
    words.insert(words.begin(), "git");
    return ask({.words = words, .own_group = !asks});
}

bool knows(const std::string& name) { return git({"rev-parse", "--verify", "--quiet", name}).code == 0; }

[[noreturn]] void refuse(const std::string& failure, const Answer& answer) {
    throw Refusal(fmt::format("{}; git says: {}", failure, steps::trimmed(answer.output)));
}

std::string git_or_refuse(const std::vector<std::string>& words, const std::string& failure,
                          bool asks = false) {
    const Answer answer = git(words, asks);
    if (answer.code != 0) refuse(failure, answer);
    return std::string(steps::trimmed(answer.output));
}

// Refusal where the tutorial is no clone that follows another one, or where a merge is not finished.
void require_clone() {
    if (!fs::exists(".git"))
        throw Refusal(
            "this folder is no git clone; copy your folders exercises/ and .tutorial/ into a new copy of the "
            "tutorial.");
    git_or_refuse({"rev-parse", "--git-dir"}, "git does not work here");
    if (!knows("@{upstream}"))
        throw Refusal(
            "this branch follows none of another repository, so there is nothing to pull; try git switch "
            "main.");
    for (const char* head : {"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"})
        if (knows(head))
            throw Refusal("a merge or a rebase is not finished; end it first, git status tells how.");
}

// The exercises that two commits, or a commit and the files, have with other texts.
steps::Lines other_exercises(const std::vector<std::string>& commits) {
    std::vector<std::string> words = {"diff", "--name-only", "--no-renames", "--diff-filter=MD"};
    words.insert(words.end(), commits.begin(), commits.end());
    words.insert(words.end(), {"--", "exercises"});
    return steps::split_lines(git_or_refuse(words, "git can't compare the versions"));
}

bool is_among(const steps::Lines& files, const std::string& file) {
    return std::find(files.begin(), files.end(), file) != files.end();
}

// The files of steps that she changed, or that are stubs.
struct Exercises {
    steps::Lines hers, stubs;
};

Exercises read_exercises(const Session& session) {
    const States states = read_states(session);
    Exercises exercises;
    for (const steps::Step& step : session.tutorial.steps()) {
        const State state = state_of(states, step);
        if (state != State::missing)
            (state == State::stub ? exercises.stubs : exercises.hers).push_back(step.exercise().string());
    }
    return exercises;
}

// Those that are not as in her commit.
steps::Lines make_copies(const Exercises& exercises) {
    steps::Lines copied = other_exercises({"HEAD"});
    std::erase_if(copied, [&](const std::string& file) {
        return !is_among(exercises.hers, file) && !is_among(exercises.stubs, file);
    });
    for (const std::string& file : copied) steps::write_text(copies / file, steps::read_text(file));
    return copied;
}

// These files return, but where something was written since. All copies are kept as backups.
void put_back(const steps::Lines& files) {
    const steps::Lines written = other_exercises({"HEAD"});
    for (const std::string& file : files)
        if (!is_among(written, file) || !fs::exists(file))
            steps::write_text(file, steps::read_text(copies / file));
    if (!fs::exists(copies)) return;
    const fs::path kept = memory::new_backup("update");
    fs::create_directories(kept.parent_path());
    fs::rename(copies, kept);
}

// After an update that was killed.
void end_earlier_update(const Session& session) {
    if (!fs::exists(copies)) return;
    steps::Lines files;
    for (const auto& entry : fs::recursive_directory_iterator(copies))
        if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(copies).string());
    put_back(files);
    say(session.terminal, "An update was interrupted; what you wrote is in its place again.");
}

// She has commits of her own: both sides are merged, and of the exercises that are in them hers are taken.
void merge(const std::string& base) {
    const steps::Lines committed = other_exercises({base, "HEAD"});
    const Answer merged = git({"merge", "--no-commit", "--no-ff", "@{upstream}"});
    if (!knows("MERGE_HEAD")) refuse(no_pull, merged);
    for (const std::string& file : committed)
        if (knows("HEAD:" + file)) git_or_refuse({"checkout", "HEAD", "--", file}, no_pull);
    if (!git({"diff", "--name-only", "--diff-filter=U"}).output.empty()) refuse(no_pull, merged);
    git_or_refuse({"commit", "--no-edit"}, no_pull);
}

// Where it fails or is interrupted, all is as it was.
void pull(const std::string& base, const Exercises& exercises) {
    const steps::Lines copied = make_copies(exercises);
    try {
        if (!copied.empty()) {
            std::vector<std::string> restore = {"checkout", "HEAD", "--"};
            restore.insert(restore.end(), copied.begin(), copied.end());
            git_or_refuse(restore, no_pull);
        }
        if (git({"merge-base", "--is-ancestor", "HEAD", "@{upstream}"}).code == 0)
            git_or_refuse({"merge", "--ff-only", "@{upstream}"}, no_pull);
        else
            merge(base);
    } catch (...) {
        if (knows("MERGE_HEAD")) git({"merge", "--abort"});
        put_back(copied);
        throw;
    }
    steps::Lines hers = copied;
    std::erase_if(hers, [&](const std::string& file) { return !is_among(exercises.hers, file); });
    put_back(hers);
    for (const std::string& file : copied)  // a stub where her commit may have something else
        if (const Answer now = git({"show", "@{upstream}:" + file});
            now.code == 0 && is_among(exercises.stubs, file))
            steps::write_text(file, now.output);
}

// Her files whose stubs are others now, and those of steps that are gone.
void say_what_changed(const Session& session, const std::string& base, const steps::Lines& hers) {
    const steps::Lines others = other_exercises({base, "@{upstream}"});
    std::vector<std::string> names;
    for (const steps::Step& step : session.tutorial.steps()) {
        const std::string file = step.exercise().string();
        if (!is_among(hers, file) || !is_among(others, file)) continue;
        if (fs::exists(step.solution()))
            names.push_back(step.name);
        else
            say(session.terminal, file + " belongs to no step any more. It is kept.");
    }
    if (names.empty()) return;
    say(session.terminal,
        fmt::format("Exercises that changed: {}. What you wrote stays. ./tutorial check tries it; ./tutorial "
                    "reset {} brings the new stub, and keeps your version in a backup.",
                    fmt::join(names, ", "), names.front()));
}

}  // namespace

int update(const Session& session) {
    memory::require_writable(session.tutorial);
    const Descriptor one_at_a_time = locked(memory::folder, {});
    end_earlier_update(session);
    require_clone();
    git_or_refuse({"fetch", "--quiet"}, "the new version can't be fetched", true);
    const std::string news =
        git_or_refuse({"rev-list", "--count", "HEAD..@{upstream}"}, "git does not know the versions");
    if (news == "0") {
        say(session.terminal, "There is no newer version.");
        return 0;
    }
    const std::string base =
        git_or_refuse({"merge-base", "HEAD", "@{upstream}"}, "git does not know the versions");
    const Exercises exercises = read_exercises(session);
    pull(base, exercises);
    say(session.terminal,
        fmt::format("This is the new version now ({} new {}).", news, news == "1" ? "commit" : "commits"));
    say_what_changed(session, base, exercises.hers);
    return 0;
}

}  // namespace tfs::tutorial
