// tests/tools/mini_tutorial.cpp · a tutorial of two steps, and the runner in it
#include "tests/tools/mini_tutorial.hpp"

#include <algorithm>

#include "tools/steps/gaps.hpp"

namespace tfs::tools_test {

namespace {

const fs::path pattern = fs::path(TFS_TOOLS_SOURCE_DIR) / "tests/tools/mini";

}  // namespace

MiniTutorial::MiniTutorial(const std::string& folder) : root_(folder_.path() / folder) {
    fs::create_directory(root_);
    reset();
}

void MiniTutorial::reset() const {
    for (const char* folder : {"chapters", "solutions", "exercises", ".tutorial", "plots"}) {
        if (!fs::exists(root_ / folder)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root_ / folder)) {
            const fs::path name = entry.path().lexically_relative(root_);
            if (!entry.is_directory() && !fs::exists(pattern / name)) fs::remove(entry.path());
        }
    }
    for (const auto& entry : fs::recursive_directory_iterator(pattern))
        if (entry.is_regular_file())
            steps::write_text(root_ / entry.path().lexically_relative(pattern),
                              steps::read_text(entry.path()));
    for (const char* step : {"double_it", "halve_it"})
        steps::write_text(exercise(step), steps::exercise_of(steps::read_text(solution(step)), step));
}

fs::path MiniTutorial::exercise(const std::string& step) const {
    return root_ / "exercises/00_little" / (step + ".cpp");
}

fs::path MiniTutorial::solution(const std::string& step) const {
    return root_ / "solutions/00_little" / (step + ".cpp");
}

std::string MiniTutorial::text_of(const fs::path& file) const {
    return fs::exists(root_ / file) ? steps::read_text(root_ / file) : "";
}

void MiniTutorial::write(const std::string& step, const std::string& body, const std::string& above) const {
    steps::write_text(exercise(step),
                      "// what a learner wrote\n#include \"chapters/00_little/little.hpp\"\n" + above +
                          "\nint " + step + "(int x) {\n" + body + "\n}\n");
}

void MiniTutorial::solve(const std::string& step) const {
    write(step, step == "double_it" ? "    return 2 * x;" : "    return x / 2;");
}

void MiniTutorial::hide(const std::string& step) const {
    steps::write_text(solution(step), steps::hidden(steps::read_text(solution(step)), step));
}

std::string MiniTutorial::mark() const { return "TUTORIAL_TEST_FOLDER=" + folder_.path().string(); }

Process MiniTutorial::start_program(const std::vector<std::string>& words, const Options& options) const {
    Start start;
    start.words = words;
    start.folder = options.caller.empty() ? root_ : options.caller;
    start.environment = {mark(),
                         "MINI_CHECK_LIBRARY=" TFS_MINI_CHECK_LIBRARY,
                         "CXX=" TFS_CXX_COMPILER,
                         "TERM=xterm",
                         "COLUMNS",
                         "NO_COLOR",
                         "OPENBLAS_CORETYPE",
                         "TUTORIAL_OPENBLAS_TAKES",
                         "TUTORIAL_TIME_LIMIT"};
    start.environment.insert(start.environment.end(), options.environment.begin(), options.environment.end());
    start.input = options.input;
    start.terminal_columns = options.terminal_columns;
    start.as_nobody = options.as_nobody;
    return Process(start);
}

Process MiniTutorial::start(const std::vector<std::string>& words, const Options& options) const {
    const fs::path caller = options.caller.empty() ? root_ : options.caller;
    std::vector<std::string> all = {TFS_TUTORIAL_RUNNER, "--root=" + root_.string(),
                                    "--caller=" + caller.string()};
    all.insert(all.end(), words.begin(), words.end());
    return start_program(all, options);
}

Result MiniTutorial::run(const std::vector<std::string>& words, const Options& options) const {
    return start(words, options).finish();
}

bool MiniTutorial::is_quiet() const {
    return becomes_true([&] { return processes_with(mark()).empty(); });
}

const MiniTutorial& shared_tutorial() {
    static const MiniTutorial tutorial;
    tutorial.reset();
    return tutorial;
}

std::map<std::string, std::string> memory_of(const MiniTutorial& mini) {
    std::map<std::string, std::string> memory;
    if (!fs::exists(mini.root() / ".tutorial")) return memory;
    for (const auto& [name, text] : tree_of(mini.root() / ".tutorial"))
        if (text != "folder" && !name.ends_with(".log")) memory[name] = text;
    return memory;
}

}  // namespace tfs::tools_test
