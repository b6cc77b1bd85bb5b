// tools/tutorial/pull.cpp · the newer version of the tutorial, by git
#include "tools/tutorial/pull.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "tools/tutorial/process.hpp"

namespace tfs::tutorial {

namespace {

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

const std::string no_pull = "git can't bring the new version, and your files are as they were";

// The learner has commits of her own: both sides are merged, and of the changed exercises the new version is taken.
void merge(const std::vector<std::string>& changed) {
    const Answer merged = git({"merge", "--no-commit", "--no-ff", "@{upstream}"});
    if (!knows("MERGE_HEAD")) refuse(no_pull, merged);
    for (const std::string& file : changed) {
        if (knows("@{upstream}:" + file))
            git_or_refuse({"checkout", "@{upstream}", "--", file}, no_pull);
        else
            git_or_refuse({"rm", "--quiet", "--force", "--ignore-unmatch", "--", file}, no_pull);
    }
    if (!git({"diff", "--name-only", "--diff-filter=U"}).output.empty()) refuse(no_pull, merged);
    git_or_refuse({"commit", "--no-edit"}, no_pull);
}

}  // namespace

void require_clone() {
    if (!fs::exists(".git"))
        throw Refusal(
            "this folder is no git clone; copy your folders exercises/ and .tutorial/ into a new copy of the "
            "tutorial, and "
            "give this command there.");
    git_or_refuse({"rev-parse", "--git-dir"}, "git does not work here");
    if (!knows("@{upstream}"))
        throw Refusal(
            "this branch follows none of another repository, so there is nothing to pull; try git switch "
            "main.");
    for (const char* head : {"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"})
        if (knows(head))
            throw Refusal("a merge or a rebase is not finished; end it first, git status tells how.");
}

std::string commit_now() { return git_or_refuse({"rev-parse", "HEAD"}, "git does not know this version"); }

std::vector<std::string> versions_of(const std::string& file) {
    const Answer log = git({"log", "--format=%H", "-n", "30", "--", file});
    std::vector<std::string> texts;
    if (log.code != 0) return texts;
    for (const std::string& commit : steps::split_lines(log.output)) {
        Answer text = git({"show", commit + ":" + file});
        if (text.code == 0) texts.push_back(std::move(text.output));
    }
    return texts;
}

std::vector<std::string> not_as_committed(const std::string& folder) {
    return steps::split_lines(git({"diff", "--name-only", "--diff-filter=M", "HEAD", "--", folder}).output);
}

std::size_t count_new_commits() {
    git_or_refuse({"fetch", "--quiet"}, "the new version can't be fetched", true);
    const std::string count =
        git_or_refuse({"rev-list", "--count", "HEAD..@{upstream}"}, "git does not know the versions");
    return std::strtoul(count.c_str(), nullptr, 10);
}

void pull(const std::vector<std::string>& changed) {
    try {
        if (!changed.empty()) {
            std::vector<std::string> restore = {"checkout", "HEAD", "--"};
            restore.insert(restore.end(), changed.begin(), changed.end());
            git_or_refuse(restore, no_pull);
        }
        if (git({"merge-base", "--is-ancestor", "HEAD", "@{upstream}"}).code == 0)
            git_or_refuse({"merge", "--ff-only", "@{upstream}"}, no_pull);
        else
            merge(changed);
    } catch (...) {
        if (knows("MERGE_HEAD")) git({"merge", "--abort"});
        throw;
    }
}

}  // namespace tfs::tutorial
