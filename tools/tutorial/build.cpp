// tools/tutorial/build.cpp
#include "tools/tutorial/build.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <thread>
#include <utility>

#include "common/terminal/display.hpp"
#include "tools/tutorial/run_programs.hpp"
#include "tools/tutorial/states.hpp"

namespace tfs::tutorial {

namespace {

// All but the lock, which is held.
void remove_build() {
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(build_folder))
        if (entry.path().filename() != "tutorial.lock") old.push_back(entry.path());
    for (const fs::path& path : old) fs::remove_all(path);
}

// The last lines, where what went wrong stands.
std::string end_of(const std::string& output) {
    constexpr std::ptrdiff_t most = 25;
    steps::Lines lines = steps::split_lines(output);
    if (std::ssize(lines) > most) lines.erase(lines.begin(), lines.end() - most);
    return steps::join_lines(lines);
}

// Where the runner was built: what it is linked with need not be compiled once more.
fs::path tools_of(const Session& session) {
    const fs::path folder = session.runner.parent_path().parent_path();
    return fs::exists(folder / "tools.cmake") ? folder : fs::path();
}

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

// How long a command of the build takes on one machine, in seconds: the first of these whose words stand in its line.
double usual_seconds(std::string_view line) {
    struct Usual {
        std::string_view words;
        double seconds;
    };
    static constexpr Usual all[] = {{"common_test.dir/Unity", 22},
                                    {"tutorial_runner.dir", 7},
                                    {"tfs_program.dir", 8},
                                    {"lessons_test.dir", 5},
                                    {"cmake_pch", 6},
                                    {"tfs_io.dir", 6},
                                    {"tfs_tensor.dir", 4.5},
                                    {".program.dir/Unity", 5.5},
                                    {".checklist.dir/Unity", 5.5},
                                    {".answers.dir/Unity", 5},
                                    {"checklist_shared.dir", 2.5},
                                    {"command_line.cpp.o", 4},
                                    {"tfs_steps.dir", 4},
                                    {"tfs_verdict.dir", 4.5},
                                    {"/unity_", 2},
                                    {"test.dir/", 1.5},
                                    {".test.", 1.5},
                                    {".cpp.o", 0.7},
                                    {"", 0.2}};
    for (const auto& [words, seconds] : all)
        if (line.find(words) != std::string_view::npos) return seconds;
    return 0;
}

// How many times longer this machine takes: for what these logs of ninja say that it has run. A line is "start end time output
// hash", with tabs between, in milliseconds.
double factor_of_machine(const std::vector<fs::path>& ninja_logs) {
    double took = 0, usual = 0, start = 0, end = 0;
    for (const fs::path& log : ninja_logs) {
        if (!fs::exists(log)) continue;
        for (const std::string& line : steps::split_lines(steps::read_text(log))) {
            if (std::sscanf(line.c_str(), "%lf %lf", &start, &end) != 2) continue;
            took += (end - start) / 1000;
            usual += usual_seconds(line);
        }
    }
    return usual > 0 ? took / usual : 1;
}

// "about 40 s", "about 3 min"
std::string about(double seconds) {
    return seconds < 90 ? fmt::format("about {:.0f} s", 5 * std::round(seconds / 5))
                        : fmt::format("about {:.0f} min", seconds / 60);
}

// "Building CXX object …/a.dir/solutions/01_attention/softmax.cpp.o" -> "compiling solutions/…/softmax.cpp.o"
std::string in_short(const std::string& edge) {
    constexpr std::string_view compiling = "Building CXX object ";
    if (!edge.starts_with(compiling)) return edge;
    const std::size_t folder = edge.rfind(".dir/");
    return "compiling " +
           (folder == std::string::npos ? edge.substr(compiling.size()) : edge.substr(folder + 5));
}

// How long a build takes: at first from what earlier builds took, then more and more from how fast this one goes.
class Forecast {
  public:
    Forecast(double factor, const std::vector<Edge>& edges) {
        for (const Edge& edge : edges) all_ += usual_seconds(edge.what);
        const std::size_t at_once = std::min<std::size_t>(commands_at_once(), edges.size());
        if (at_once > 0) seconds_ = factor * all_ / static_cast<double>(at_once);
    }

    // Of all, at the beginning.
    [[nodiscard]] double seconds() const { return seconds_; }

    void done(const std::string& edge) { done_ += usual_seconds(edge); }

    // What is left, when the build has run for so long.
    [[nodiscard]] double seconds_left(double run) const {
        const double part = all_ > 0 ? std::min(done_ / all_, 1.0) : 1.0;
        return part > 0 ? (1 - part) * ((1 - part) * seconds_ + run) : seconds_;
    }

  private:
    double seconds_ = 0, all_ = 0, done_ = 0;

    // By ninja.
    static unsigned commands_at_once() { return processors() < 3 ? processors() + 1 : processors() + 2; }
};

// What these targets, which were never built, will take; nothing where it is less than 5 s. Says "compiling what this needs, once:
// about 40 s". For that ninja is asked what it would do, by a file that includes build.ninja: with build.ninja
// itself it would only say that it looks for new files first.
std::optional<Forecast> say_forecast(const Session& session, const std::vector<std::string>& targets,
                                     const Stop& stop) {
    const auto is_built = [](const std::string& target) { return fs::exists(program_folder / target); };
    if (std::all_of(targets.begin(), targets.end(), is_built)) return std::nullopt;
    steps::write_text(build_folder / "forecast.ninja", "include build.ninja\n");
    const Answer plan = ask(build_command(targets, {"-f", "forecast.ninja", "-n"}), stop);
    if (plan.code != 0) return std::nullopt;
    const std::vector<Edge> edges = parse_build_log(plan.output, session.tutorial.root.string());
    const double factor = factor_of_machine({build_folder / ".ninja_log", tools_of(session) / ".ninja_log"});
    const Forecast forecast(factor, edges);
    if (forecast.seconds() < 5) return std::nullopt;
    fmt::print(stderr, "compiling what this needs, once: {}\n", about(forecast.seconds()));
    return forecast;
}

// Shows ninja's lines as one that changes, or without a terminal as one now and then, on standard error.
class Progress {
  public:
    Progress(const Terminal& terminal, std::optional<Forecast> forecast)
        : terminal_(terminal), forecast_(std::move(forecast)) {}
    ~Progress() {  // takes the line away
        if (drawn_) fmt::print(stderr, "\r\x1b[K");
        std::fflush(stderr);
    }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void read(std::string_view output) {
        rest_ += output;
        std::size_t begin = 0;
        for (std::size_t end; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1)
            show(std::string_view(rest_).substr(begin, end - begin));
        rest_.erase(0, begin);
    }

  private:
    using Clock = std::chrono::steady_clock;

    Terminal terminal_;
    std::optional<Forecast> forecast_;
    std::string rest_ = {};  // of a line that is not at its end
    const Clock::time_point begun_ = Clock::now();
    Clock::time_point last_ = begun_;
    bool said_ = false, drawn_ = false;

    // ", about 20 s left"
    [[nodiscard]] std::string left() const {
        if (!forecast_) return "";
        const double seconds =
            forecast_->seconds_left(std::chrono::duration<double>(Clock::now() - begun_).count());
        return seconds < 2.5 ? "" : ", " + about(seconds) + " left";
    }

    void show(std::string_view line) {
        const auto status = parse_status(line);
        if (!status || status->what.find("Re-checking globbed") != std::string::npos) return;
        if (forecast_) forecast_->done(status->what);
        if (terminal_.rewrites) {
            const std::size_t width = std::min<std::size_t>(terminal_.columns.value_or(80), 80);
            const std::string text =
                fmt::format("[{}/{}{}] {}", status->done, status->all, left(), in_short(status->what));
            fmt::print(stderr, "\r\x1b[K{}", truncate(text, width - 1));
            std::fflush(stderr);
            drawn_ = true;
            return;
        }
        const auto now = Clock::now();
        const bool first = !said_ && status->all > 5;
        if (!first && now < last_ + std::chrono::seconds(10)) return;
        fmt::print(stderr, "building: {} of {}{}\n", status->done, status->all, left());
        said_ = true;
        last_ = now;
    }
};

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

// ninja takes an object for made of its source where it is newer, also where the source was saved while it was compiled, or has
// the time of an older file that was copied over it. So a step whose file is not as the last build found it loses its objects.
void forget_objects_of_saved(const steps::Tutorial& tutorial) {
    const fs::path file = build_folder / "saved.txt";
    const steps::Lines before =
        fs::exists(file) ? steps::split_lines(steps::read_text(file)) : steps::Lines{};
    steps::Lines now;
    for (const steps::Step& step : tutorial.steps()) {
        std::error_code absent;
        const auto time = fs::last_write_time(step.exercise(), absent).time_since_epoch().count();
        now.push_back(fmt::format("{} {}", step.name, time));
        if (std::find(before.begin(), before.end(), now.back()) != before.end()) continue;
        for (const std::string& target :
             {step.check_target(), step.sanitize_target(), step.debug_target(), target_of_mine(step)})
            fs::remove(build_folder / "CMakeFiles" / (target + ".dir") / (step.exercise().string() + ".o"),
                       absent);
    }
    if (now != before) steps::write_text(file, steps::join_lines(now));
}

// What the compiler says where the disk is full reads like an error of the learner's file.
void refuse_if_full(const std::string& output) {
    for (const char* words : {"No space left on device", "Disk full", "Disk quota exceeded"})
        if (output.find(words) != std::string::npos)
            throw Refusal("no space is left on the disk: make room, then try again.");
}

// Where that was not done yet, or was done before the tutorial moved to another folder. ninja itself calls CMake again when a file
// of CMake changes.
void configure(const Session& session, const Stop& stop) {
    if (configured_elsewhere(build_folder, session.tutorial.root)) remove_build();
    if (fs::exists(build_folder / "build.ninja")) return;
    fmt::print(stderr, "configuring\n");
    const Answer answer =
        ask({.words = {"cmake", "--preset", "release", "-DTFS_TOOLS=" + tools_of(session).string()}}, stop);
    const fs::path log = memory::folder / "configure.log";
    steps::write_text(log, answer.output);
    if (answer.code == 0) return;
    fs::remove(build_folder / "build.ninja");
    fmt::print(stderr, "{}", end_of(answer.output));
    throw Refusal(fmt::format("CMake could not configure the build; all it said is in {}.", log.string()));
}

}  // namespace

Descriptor locked(const fs::path& folder, const Stop& stop) {
    using namespace std::chrono_literals;
    const fs::path name = folder / "tutorial.lock";
    Descriptor file(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!file.open())
        throw Refusal(fmt::format("cannot write to {}; is the folder yours?", fs::absolute(name).string()));
    const HeldSignals signals;
    for (int waited = 0; ::flock(file.number(), LOCK_EX | LOCK_NB) != 0; ++waited) {
        if (errno != EWOULDBLOCK && errno != EINTR) break;  // a file system without locks
        if (waited == 10) fmt::print(stderr, "waiting for another build\n");
        std::this_thread::sleep_for(100ms);
        if (const int signal = signals.arrived(); signal != 0) throw Interrupted{signal};
        if (stop && stop()) throw Stopped{};
    }
    return file;
}

bool configured_elsewhere(const fs::path& build, const fs::path& sources) {
    const fs::path cache = build / "CMakeCache.txt";
    if (!fs::exists(cache)) return false;
    const steps::Lines lines = steps::split_lines(steps::read_text(cache));
    const std::string home = "CMAKE_HOME_DIRECTORY:INTERNAL=" + sources.string();
    return std::find(lines.begin(), lines.end(), home) == lines.end();
}

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
    const Descriptor lock = locked(build_folder, stop);
    take_times_back();
    configure(session, stop);
    forget_objects_of_saved(session.tutorial);
    std::optional<Forecast> forecast;
    if (!session.for_play) forecast = say_forecast(session, targets, stop);
    Build build;
    {
        Progress progress(session.terminal,
                          std::move(forecast));  // its line is gone before anything else is said
        Listener listener;
        listener.stop = stop;
        listener.output = [&](std::string_view block) {
            build.output += block;
            progress.read(block);
        };
        build.complete = exit_code(run(build_command(targets, {"-k", "0"}), listener)) == 0;
    }
    if (!build.complete) refuse_if_full(build.output);
    build.edges = parse_build_log(build.output, session.tutorial.root.string());
    steps::write_text(log_file, build.output);
    keep_warnings(session, build.edges);
    choose_kernels(stop);
    return build;
}

void give_up(const Build& build, int code) {
    const steps::Lines errors = errors_of(build.edges, [](const Edge&) { return true; });
    fmt::print(stderr, "{}", errors.empty() ? end_of(build.output) : steps::join_lines(errors));
    fmt::print(stderr, "tutorial: the build failed; all it said is in {}.\n", log_file.string());
    throw Exit{code};
}

void build_all_of(const Session& session, const std::vector<std::string>& targets) {
    const Build built = build(session, targets);
    if (!built.complete) give_up(built, 1);
}

}  // namespace tfs::tutorial
