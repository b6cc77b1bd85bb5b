// tools/tutorial/play.cpp · ./tutorial play, test and bench
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/tutorial/build.hpp"
#include "tools/tutorial/commands.hpp"

namespace tfs::tutorial {

namespace {

const fs::path play_folder = "build/play";

void build_server(const Session& session) {
    ask_for_packages(session, {"--play"});
    if (configured_elsewhere(play_folder, session.tutorial.root / "play")) fs::remove_all(play_folder);
    fs::create_directories(play_folder);
    const std::string folder = play_folder.string();
    Answer built = ask({.words = {"cmake", "-S", "play", "-B", folder, "-G", "Ninja"}});
    if (built.code == 0) {
        if (!fs::exists(play_folder / "bin/tutorial_play"))
            fmt::print(stderr, "building the server of the pages (once)\n");
        built = ask({.words = {"cmake", "--build", folder, "--target", "tutorial_play"}});
    }
    if (built.code == 0) return;
    const fs::path log = memory::folder / "play.log";
    steps::write_text(log, built.output);
    throw Refusal(
        fmt::format("the server of the pages could not be built; all that was said is in {}.", log.string()));
}

}  // namespace

int play(const Session& session, const Request& request) {
    memory::require_writable(session.tutorial);
    const std::string first = request.words.empty() ? "1" : request.words[0];
    const std::string first_folder = chosen_chapters(session, {first})[0].folder;
    build_server(session);
    build_all_of(session, {});  // what chooses the kernels of BLAS for all that the server starts
    const std::string root = session.tutorial.root.string();
    std::vector<std::string> words{(session.tutorial.root / play_folder / "bin/tutorial_play").string(),
                                   "--root", root};
    words.insert(words.end(), {"--first", first_folder});
    if (!request.port.empty()) words.insert(words.end(), {"--port", request.port});
    if (request.no_open) words.emplace_back("--no-open");
    if (request.alone) words.emplace_back("--alone");
    if (request.solutions) words.emplace_back("--solutions");
    words.insert(words.end(), {"--", session.runner.string(), "--root=" + root, "--caller=" + root});
    try {  // in the runner's group: it talks to the learner, and Ctrl-C ends it
        return exit_code(run({.words = words,
                              .environment = without_settings_of_threads(),
                              .output = Command::Output::inherited,
                              .own_group = false}));
    } catch (const Interrupted&) {  // that is how it ends
        return 0;
    }
}

int run_suite(const Session& session, const Request& request) {
    const std::string suite = request.all ? "suite_all" : "suite";
    std::vector<std::string> folders, targets = {suite};  // or "suite_03_positional_encoding", …
    if (!request.words.empty()) {
        targets.clear();
        for (const steps::Chapter& chapter : chosen_chapters(session, request.words)) {
            folders.push_back(chapter.folder);
            targets.push_back(suite + "_" + chapter.folder);
        }
    }
    build_all_of(session, targets);
    Command command;
    command.words = {"ctest", "--test-dir", build_folder.string(), "--output-on-failure", "--no-tests=error"};
    command.words.insert(command.words.end(), {"-j", std::to_string(processors())});
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
