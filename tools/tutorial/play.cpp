// tools/tutorial/play.cpp · ./tutorial play, pages, test and bench
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "common/terminal/display.hpp"
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

// --- a folder of pages

const fs::path list_of_files = "files/written.txt";  // all that was written with it, a line each

std::set<std::string> files_in(const fs::path& folder) {
    std::set<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (!fs::is_directory(entry.symlink_status()) && entry.path().filename() != ".DS_Store")
            files.insert(entry.path().lexically_relative(folder).string());
    return files;
}

// Refusal where something would be lost: what is in the folder, and was not written by ./tutorial pages.
void require_pages(const fs::path& folder) {
    if (!fs::exists(fs::symlink_status(folder))) return;
    if (!fs::is_directory(folder)) throw Refusal(fmt::format("{} is no folder.", folder.string()));
    const steps::Lines lines = fs::exists(folder / list_of_files)
                                   ? steps::split_lines(steps::read_text(folder / list_of_files))
                                   : steps::Lines();
    const std::set<std::string> found = files_in(folder), written(lines.begin(), lines.end());
    std::vector<std::string> others;
    std::ranges::set_difference(found, written, std::back_inserter(others));
    if (others.empty()) return;
    throw Refusal(fmt::format(
        "{} was not written by ./tutorial pages and would be lost; name a new folder, or an empty one.",
        (folder / others[0]).string()));
}

// A folder beside the one that will be written, until it takes its place.
struct FolderBeside {
    fs::path target, folder = target.string() + "." + std::to_string(::getpid());

    explicit FolderBeside(const fs::path& written) : target(written) {
        std::error_code failed;
        fs::create_directories(folder, failed);
        if (failed)
            throw Refusal(fmt::format("{} can't be written ({}).", target.string(), failed.message()));
    }
    FolderBeside(const FolderBeside&) = delete;
    FolderBeside& operator=(const FolderBeside&) = delete;
    ~FolderBeside() {
        std::error_code absent;
        fs::remove_all(folder, absent);
    }

    void replace_target() const {
        steps::Lines files;
        for (const std::string& file : files_in(folder)) files.push_back(file);
        files.push_back(list_of_files.string());
        steps::write_text(folder / list_of_files, steps::join_lines(files));
        require_pages(target);  // it may have changed meanwhile
        const fs::path old = folder.string() + ".old";
        if (fs::exists(target)) fs::rename(target, old);
        fs::rename(folder, target);
        fs::remove_all(old);
    }
};

}  // namespace

int write_pages(const Session& session, const Request& request) {
    if (request.words.empty()) throw Refusal("pages needs a folder, as in: ./tutorial pages site");
    fs::path folder = fs::weakly_canonical(session.caller / request.words[0]);
    if (!folder.has_filename()) folder = folder.parent_path();  // "site/"
    const std::vector<steps::Chapter> chapters =
        chosen_chapters(session, {request.words.begin() + 1, request.words.end()});
    memory::require_writable(session.tutorial);
    require_pages(folder);
    const FolderBeside made(folder);
    build_server(session);
    std::vector<std::string> targets;
    for (const steps::Chapter& chapter : chapters) targets.push_back(chapter.folder);
    build_all_of(session, targets);
    const fs::path& root = session.tutorial.root;
    std::vector<std::string> words{(root / play_folder / "bin/tutorial_play").string(), "--root",
                                   root.string(), "--pages", made.folder.string()};
    words.insert(words.end(), targets.begin(), targets.end());
    if (exit_code(run({.words = words,
                       .environment = without_settings_of_threads(),
                       .output = Command::Output::inherited})) != 0)
        return 2;  // it said why
    made.replace_target();
    say(session.terminal, fmt::format("Open {} in a browser.", harmless((folder / "index.html").string())));
    return 0;
}

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
