// tools/tutorial/mine_passed.cpp · the command that linked the solutions' program, with other objects
#include "tools/tutorial/mine_passed.hpp"

#include <fmt/format.h>

#include "tools/tutorial/build.hpp"
#include "tools/tutorial/process.hpp"

namespace tfs::tutorial {

namespace {

void replace(std::string& text, const std::string& old, const std::string& now, bool must = true) {
    const std::size_t at = text.find(old);
    if (at != std::string::npos)
        text.replace(at, old.size(), now);
    else if (must)
        throw Refusal(fmt::format("the command that links the program has no {}.", old));
}

}  // namespace

std::vector<std::string> targets_of_mine_passed(const steps::Chapter& chapter, const Steps& passed) {
    std::vector<std::string> targets{chapter.folder};
    for (const steps::Step& step : passed) targets.push_back(chapter.folder + ".mine." + step.name);
    return targets;
}

void link_mine_passed(const steps::Chapter& chapter, const Steps& passed) {
    const std::string& name = chapter.folder;
    const Answer asked = ask(
        {.words = {"cmake", "--build", "--preset", "release", "--", "-t", "commands", "-s", "bin/" + name}});
    const steps::Lines lines = steps::split_lines(asked.output);
    std::string command = lines.empty() ? "" : lines.back();
    for (const steps::Step& step : passed) {
        const auto object = [&](const char* kind, const char* side, const char* ending) {
            return fmt::format("CMakeFiles/{0}.{1}.{2}.dir/{3}/{0}/{2}{4}.cpp.o", name, kind, step.name, side,
                               ending);
        };
        replace(command, object("solution", "solutions", ""), object("mine", "exercises", ""));
        replace(command, " " + object("fast", "solutions", ".fast"), "", false);
    }
    replace(command, "-o bin/" + name + " ", "-o bin/" + name + mine_passed_suffix + " ");
    const Answer linked = ask({.words = {"sh", "-c", command}, .folder = build_folder});
    if (linked.code != 0)
        throw Refusal(fmt::format("the program on your steps could not be linked: {}", linked.output));
}

}  // namespace tfs::tutorial
