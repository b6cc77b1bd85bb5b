// tools/tutorial/selection.cpp · which chapters and steps the words of a command name
#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <set>

#include "tools/tutorial/commands.hpp"

namespace tfs::tutorial {

namespace {

// The number that a word is; -1 where it is none.
int number_of(const std::string& word) {
    if (word.empty() || word.size() > 4 || word.find_first_not_of("0123456789") != std::string::npos)
        return -1;
    return std::atoi(word.c_str());
}

// What the word names as a path, relative to the root. Nothing where it names nothing inside of the root.
std::vector<fs::path> as_paths(const Session& session, const std::string& word) {
    std::vector<fs::path> paths;
    for (const fs::path& base : {session.caller, session.tutorial.root}) {
        fs::path path =
            (base / word).lexically_normal().lexically_relative(session.tutorial.root.lexically_normal());
        if (path.empty() || *path.begin() == "..") {  // a link may lead here
            std::error_code absent;
            path = fs::weakly_canonical(base / word, absent)
                       .lexically_relative(fs::canonical(session.tutorial.root));
        }
        if (!path.has_filename()) path = path.parent_path();
        paths.push_back(path);
    }
    return paths;
}

std::optional<steps::Chapter> chapter_named(const Session& session, const std::string& word) {
    const int number = number_of(word);
    const std::vector<fs::path> paths = as_paths(session, word);
    for (const steps::Chapter& chapter : session.tutorial.chapters) {
        if (number == chapter.number || word == chapter.folder || word == chapter.folder + "/" ||
            word == chapter.name())
            return chapter;
        for (const char* side : {"chapters", "exercises", "solutions"})
            if (std::find(paths.begin(), paths.end(), fs::path(side) / chapter.folder) != paths.end())
                return chapter;
    }
    return {};
}

std::optional<steps::Step> step_named(const Session& session, const std::string& word) {
    const std::size_t dot = word.find('.');
    const int chapter = number_of(word.substr(0, dot));
    const int number = dot == std::string::npos ? -1 : number_of(word.substr(dot + 1));
    const std::vector<fs::path> paths = as_paths(session, word);
    for (const steps::Step& step : session.tutorial.steps()) {
        if (chapter == step.chapter && number == step.number) return step;
        if (word == step.name || word == step.name + ".cpp" || word == step.folder + "/" + step.name ||
            word == step.folder + "/" + step.name + ".cpp")
            return step;
        if (std::find(paths.begin(), paths.end(), step.exercise()) != paths.end()) return step;
    }
    return {};
}

// "1.1 to 1.6"
std::string range_of(const steps::Chapter& chapter) {
    return fmt::format("{} to {}", chapter.steps.front().id(), chapter.steps.back().id());
}

// "solutions/01_attention/softmax.fast.cpp", "…/softmax_test.cpp" -> "softmax"
std::string stem_of(const std::string& word) {
    std::string name = fs::path(word).filename().string();
    name.resize(std::min(name.find('.'), name.size()));
    if (name.ends_with("_test")) name.resize(name.size() - 5);
    return name;
}

// Where the word is a file that is not in exercises/.
void refuse_other_file(const Session& session, const std::string& word) {
    for (const fs::path& path : as_paths(session, word)) {
        if (std::error_code absent; !fs::is_regular_file(path, absent) || *path.begin() == "exercises")
            continue;
        std::string meant;
        for (const steps::Step& step : session.tutorial.steps())
            if (step.name == stem_of(word))
                meant = fmt::format(" Did you mean {}?", step.exercise().string());
        throw Refusal(fmt::format("{} is not a file of exercises/, where your steps are.{}", word, meant));
    }
}

// " Did you mean softmax?"; for "1,1": " Did you mean 1.1?"
std::string step_meant(const Session& session, std::string word) {
    std::vector<std::string> names;
    for (const steps::Step& step : session.tutorial.steps()) names.push_back(step.name);
    for (const steps::Chapter& chapter : session.tutorial.chapters) names.push_back(chapter.name());
    const std::string nearest = did_you_mean(stem_of(word), names);
    std::replace(word.begin(), word.end(), ',', '.');
    const auto step = step_named(session, word);
    return step ? fmt::format(" Did you mean {}?", step->id()) : nearest;
}

[[noreturn]] void refuse_step(const Session& session, const std::string& word) {
    const std::size_t dot = word.find('.');
    for (const steps::Chapter& chapter : session.tutorial.chapters) {
        const bool here = dot != std::string::npos && number_of(word.substr(0, dot)) == chapter.number;
        if (here && number_of(word.substr(dot + 1)) >= 0 && !chapter.steps.empty())
            throw Refusal(fmt::format("there is no step {}; chapter {} has the steps {}.", word,
                                      chapter.number, range_of(chapter)));
    }
    const std::vector<fs::path> paths = as_paths(session, word);
    for (const fs::path& stray : session.tutorial.strays())
        if (std::find(paths.begin(), paths.end(), stray) != paths.end())
            throw Refusal(
                fmt::format("{} belongs to no step any more; ./tutorial lists the steps.", stray.string()));
    refuse_other_file(session, word);
    const std::vector<steps::Step> all = session.tutorial.steps();
    throw Refusal(fmt::format("there is no step \"{}\"; a step is a chapter and a number, as in {}.{}", word,
                              all.empty() ? "1.1" : all.front().id(), step_meant(session, word)));
}

steps::Chapter find_chapter(const Session& session, const std::string& word) {
    if (const auto chapter = chapter_named(session, word)) return *chapter;
    if (const auto step = step_named(session, word))
        throw Refusal(fmt::format("{} is a step; its chapter is {}.", word, step->chapter));
    std::vector<std::string> folders;
    for (const steps::Chapter& chapter : session.tutorial.chapters)
        folders.insert(folders.end(), {chapter.folder, chapter.name()});
    throw Refusal(fmt::format("there is no chapter \"{}\"; ./tutorial lists the chapters.{}", word,
                              number_of(word) >= 0 ? "" : did_you_mean(word, folders)));
}

}  // namespace

std::vector<steps::Chapter> chosen_chapters(const Session& session, const std::vector<std::string>& words) {
    if (words.empty()) return session.tutorial.chapters;
    std::vector<steps::Chapter> chapters;
    for (const std::string& word : words) chapters.push_back(find_chapter(session, word));
    return chapters;
}

std::vector<steps::Step> chosen_steps(const Session& session, const std::vector<std::string>& words) {
    std::set<std::string> names;
    for (const std::string& word : words) {
        const bool like_chapter = word.find_first_of(".,/") == std::string::npos && !word.empty() &&
                                  word[0] >= '0' && word[0] <= '9';
        if (const auto step = step_named(session, word)) {  // which may have the name of its chapter
            names.insert(step->name);
        } else if (const auto chapter = chapter_named(session, word); chapter || like_chapter) {
            for (const steps::Step& own : find_chapter(session, word).steps) names.insert(own.name);
        } else {
            refuse_step(session, word);
        }
    }
    std::vector<steps::Step> chosen = session.tutorial.steps();
    if (!words.empty())
        std::erase_if(chosen, [&](const steps::Step& step) { return !names.contains(step.name); });
    if (chosen.empty())
        throw Refusal(words.empty() ? "there are no steps."
                                    : fmt::format("chapter {} has no steps.", words[0]));
    return chosen;
}

steps::Step the_one_step(const Session& session, const std::string& command,
                         const std::vector<std::string>& words) {
    if (words.empty()) {
        const std::vector<steps::Step> all = session.tutorial.steps();
        throw Refusal(fmt::format("which step? As in: ./tutorial {} {}", command,
                                  all.empty() ? "1.1" : all.front().id()));
    }
    if (const auto step = step_named(session, words[0])) return *step;
    if (const auto chapter = chapter_named(session, words[0]); chapter && !chapter->steps.empty())
        throw Refusal(fmt::format("{} is a chapter; its steps are {}.", words[0], range_of(*chapter)));
    refuse_step(session, words[0]);
}

}  // namespace tfs::tutorial
