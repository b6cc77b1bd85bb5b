// tools/tutorial/build.cpp · packages, configuring, building
#include "tools/tutorial/build.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/tutorial/configure.hpp"
#include "tools/tutorial/forecast.hpp"
#include "tools/tutorial/kernels.hpp"
#include "tools/tutorial/lock.hpp"
#include "tools/tutorial/memory.hpp"
#include "tools/tutorial/process.hpp"
#include "tools/tutorial/progress.hpp"

namespace tfs::tutorial {

namespace {

const fs::path log_file = memory::folder / "build.log";

void keep_warnings(const Session& session, const std::vector<Edge>& edges) {
    for (const steps::Step& step : session.tutorial.steps())
        if (const auto warnings = warnings_of(edges, step)) memory::remember_warnings(step, *warnings);
}

Command build_command(const std::vector<std::string>& targets, const std::vector<std::string>& options) {
    Command command;
    command.words = {"cmake", "--build", "--preset", "release", "--target"};
    command.words.emplace_back(kernels_target);
    command.words.insert(command.words.end(), targets.begin(), targets.end());
    command.words.emplace_back("--");
    command.words.insert(command.words.end(), options.begin(), options.end());
    // The errors are searched for English words. LANGUAGE leaves the encoding alone.
    command.environment = {"NINJA_STATUS=[%f/%t] ", "LANGUAGE=en"};
    return command;
}

// Says what the build of targets that were never built is going to compile. For that ninja is asked what it would do, by a
// file that includes build.ninja: with build.ninja itself it would only say that it looks for new files first.
void say_forecast(const Session& session, const std::vector<std::string>& targets, const Stop& stop) {
    const auto is_built = [](const std::string& target) { return fs::exists(program_folder / target); };
    if (std::all_of(targets.begin(), targets.end(), is_built)) return;
    steps::write_text(build_folder / "forecast.ninja", "include build.ninja\n");
    const Answer plan = ask(build_command(targets, {"-f", "forecast.ninja", "-n"}), stop);
    if (plan.code != 0) return;
    const fs::path log = build_folder / ".ninja_log";
    const std::string sentence =
        forecast(session.tutorial, parse_build_log(plan.output, session.tutorial.root.string()),
                 fs::exists(log) ? steps::read_text(log) : "");
    if (!sentence.empty()) fmt::print(stderr, "{}\n", sentence);
}

// A file with a time in the future, as of an archive from another time zone, would be compiled at every command, and a file of
// CMake would make ninja configure a hundred times. Such a file gets the time of now.
void take_times_back() {
    const auto now = fs::file_time_type::clock::now();
    const auto take_back = [&](const fs::path& file) {
        std::error_code ignored;
        if (fs::last_write_time(file, ignored) > now && !ignored) fs::last_write_time(file, now, ignored);
    };
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(".", absent)) take_back(entry.path());
    for (const char* folder :
         {"bench", "chapters", "cmake", "common", "exercises", "play", "solutions", "tests", "tools"})
        for (const auto& entry :
             fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, absent))
            take_back(entry.path());
}

// What the compiler says where the disk is full reads like an error of the learner's file.
void refuse_if_full(const std::string& output) {
    for (const char* words : {"No space left on device", "Disk full", "Disk quota exceeded"})
        if (output.find(words) != std::string::npos)
            throw Refusal("no space is left on the disk: make room, then try again.");
}

}  // namespace

// It may ask for a password, so it stays in the runner's group. It says itself what is missing.
void ask_for_packages(const Session& session, const std::vector<std::string>& more) {
    const fs::path script = "tools/packages";
    if (!fs::exists(script)) return;
    Command command;
    command.words = {script.string()};
    if (!session.install) command.words.emplace_back("--no-install");
    command.words.insert(command.words.end(), more.begin(), more.end());
    command.output = Command::Output::inherited;
    command.own_group = false;
    if (exit_code(run(command)) != 0) throw Exit{2};
}

bool Build::some_edge_failed() const {
    return std::any_of(edges.begin(), edges.end(), [](const Edge& edge) { return edge.failed; });
}

Build build(const Session& session, const std::vector<std::string>& targets, const Stop& stop) {
    memory::require_writable(session.tutorial);
    ask_for_packages(session);
    std::error_code failure;
    fs::create_directories(build_folder, failure);
    const BuildLock lock(build_folder, stop);
    take_times_back();
    configure(session, stop);
    if (!session.for_play) say_forecast(session, targets, stop);
    Build build;
    Progress progress(session.terminal);
    Listener listener;
    listener.stop = stop;
    listener.output = [&](std::string_view block) {
        build.output += block;
        progress.read(block);
    };
    build.complete = exit_code(run(build_command(targets, {"-k", "0"}), listener)) == 0;
    if (!build.complete) refuse_if_full(build.output);
    build.edges = parse_build_log(build.output, session.tutorial.root.string());
    steps::write_text(log_file, build.output);
    keep_warnings(session, build.edges);
    choose_kernels(stop);
    return build;
}

void give_up(const Build& build, int code) {
    steps::Lines lines = errors_of(build.edges, [](const Edge&) { return true; });
    if (lines.empty()) {
        lines = steps::split_lines(build.output);
        if (lines.size() > 15) lines.erase(lines.begin(), lines.end() - 15);
    }
    fmt::print(stderr, "{}", steps::join_lines(lines));
    fmt::print(stderr, "tutorial: the build failed; all it said is in {}.\n", log_file.string());
    throw Exit{code};
}

void build_all_of(const Session& session, const std::vector<std::string>& targets) {
    const Build built = build(session, targets);
    if (!built.complete) give_up(built, 1);
}

}  // namespace tfs::tutorial
