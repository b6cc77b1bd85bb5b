// tools/steps/generate.cpp · makes exercises and mistakes from the solutions
//
//     tfs_generate exercises                writes all of exercises/, also over what stands there
//     tfs_generate exercises --check        compares instead; names the files that differ, exit code 1
//     tfs_generate answers SOLUTION OUT FILE...   the solution, its stub and the answers in these files in one file
//     tfs_generate hide FILE...             a course's copy: what a learner should not see at a glance (hidden.hpp)
//     tfs_generate reveal FILE OUT          and back, for the build
//
// Paths are relative to the folder of the tutorial, where it must be started. What can't be done is told in one
// sentence, exit code 2. tools/steps says how gaps and edits are written.
#include "tools/steps/generate.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "tools/steps/answers.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/steps/mistake.hpp"
#include "tools/steps/tutorial.hpp"

namespace tfs::steps {

namespace {

// Made before the first is written: a mistake in one of them leaves all as they were.
std::vector<std::pair<Step, std::string>> all_exercises(const Tutorial& tutorial) {
    std::vector<std::pair<Step, std::string>> made;
    for (const Step& step : tutorial.steps())
        made.emplace_back(step,
                          exercise_of(read_text(tutorial.root / step.solution()), step.solution().string()));
    return made;
}

int write_exercises() {
    for (const auto& [step, text] : all_exercises(read_tutorial("."))) write_text(step.exercise(), text);
    return 0;
}

int compare_exercises() {
    const Tutorial tutorial = read_tutorial(".");
    bool differ = false;
    const auto say = [&](const fs::path& file, const std::string& what) {
        fmt::print("{} {}\n", file.string(), what);
        differ = true;
    };
    for (const auto& [step, text] : all_exercises(tutorial)) {
        if (!fs::exists(step.exercise())) {
            say(step.exercise(), "is missing");
        } else if (read_text(step.exercise()) != text) {
            say(step.exercise(), "differs from what " + step.solution().string() + " gives");
        }
    }
    for (const fs::path& file : tutorial.strays()) say(file, "has no solution");
    if (differ) fmt::print("Write them anew with tools/make_exercises.\n");
    return differ ? 1 : 0;
}

int write_answers(const fs::path& file, const fs::path& out, const std::vector<std::string>& edits) {
    const std::string solution = read_text(file);
    std::vector<Answer> answers = {
        {"stub", "the stub of " + file.string(), exercise_of(solution, file.string())}};
    for (const std::string& edit : edits)
        for (const Mistake& mistake : read_mistakes(edit)) {
            if (mistake.name == "stub") throw Error(edit + ": the stub has this name");
            answers.push_back(
                {mistake.title(), edit + " (" + mistake.name + ")", with_mistake(solution, mistake)});
        }
    write_text(out, in_one_file(file.stem().string(), join_lines(solution_lines(solution)), answers));
    return 0;
}

int run(const std::vector<std::string>& words) {
    const auto is = [&](std::size_t count, const char* command) {
        return words.size() == count && words[0] == command;
    };
    if (is(1, "exercises")) return write_exercises();
    if (is(2, "exercises") && words[1] == "--check") return compare_exercises();
    if (words.size() >= 3 && words[0] == "answers")
        return write_answers(words[1], words[2], {words.begin() + 3, words.end()});
    if (words.size() >= 2 && words[0] == "hide") {
        for (std::size_t i = 1; i < words.size(); ++i)
            write_text(words[i], hidden(read_text(words[i]), words[i]));
        return 0;
    }
    if (is(3, "reveal")) {
        write_text(words[2], revealed(read_text(words[1])));
        return 0;
    }
    throw Error(
        "use it as: tfs_generate exercises [--check] | answers SOLUTION OUT FILE... | hide FILE... | reveal "
        "FILE OUT");
}

}  // namespace

int generate(const std::vector<std::string>& words) {
    try {
        return run(words);
    } catch (const std::exception& error) {
        fmt::print(stderr, "tfs_generate: {}\n", error.what());
        return 2;
    }
}

}  // namespace tfs::steps
