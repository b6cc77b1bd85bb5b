// tools/tutorial/suite.cpp · ./tutorial test and ./tutorial bench
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/tutorial/build.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/process.hpp"
#include "tools/tutorial/selection.hpp"

namespace tfs::tutorial {

namespace {

// "suite", "suite_03_positional_encoding", "suite_all", …
std::vector<std::string> targets_of(const Request& request, const std::vector<std::string>& folders) {
    const std::string name = request.all ? "suite_all" : "suite";
    if (folders.empty()) return {name};
    std::vector<std::string> targets;
    for (const std::string& folder : folders) targets.push_back(name + "_" + folder);
    return targets;
}

}  // namespace

int run_suite(const Session& session, const Request& request) {
    std::vector<std::string> folders;
    if (!request.words.empty())
        for (const steps::Chapter& chapter : chosen_chapters(session, request.words))
            folders.push_back(chapter.folder);
    build_all_of(session, targets_of(request, folders));
    Command command;
    command.words = {"ctest",
                     "--test-dir",
                     build_folder.string(),
                     "--output-on-failure",
                     "--no-tests=error",
                     "-j",
                     std::to_string(processors())};
    // A test must carry all labels that are asked for.
    if (!folders.empty())
        command.words.insert(command.words.end(), {"-L", fmt::format("^({})$", fmt::join(folders, "|"))});
    if (!request.all) command.words.insert(command.words.end(), {"-L", "^suite$"});
    command.output = Command::Output::inherited;
    return exit_code(run(command)) == 0 ? 0 : 1;
}

int run_benchmarks(const Session& session, const Request& request) {
    build_all_of(session, {"bench"});
    Command command;
    command.words = {(session.tutorial.root / program_folder / "bench").string()};
    command.words.insert(command.words.end(), request.extra.begin(), request.extra.end());
    command.folder = session.caller;
    command.environment = {"OMP_WAIT_POLICY"};  // here alone, threads that wait may spin
    command.output = Command::Output::inherited;
    command.own_group = false;
    return exit_code(run(command));
}

}  // namespace tfs::tutorial
