// tools/tutorial/help.cpp · sentences as wide as the terminal; ./tutorial --help and --version
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "common/terminal/display.hpp"
#include "tools/steps/text.hpp"
#include "tools/tutorial/build.hpp"
#include "tools/tutorial/commands.hpp"

namespace tfs::tutorial {

namespace {

constexpr std::string_view help_text =
    R"(./tutorial                    which of your steps pass, what to do next (also: list, next, progress, status)
./tutorial run [N ...]        run the programs of these chapters, or of all; pictures in plots/NN_name/index.html, all of them
                              from plots/index.html
./tutorial play [N]           pages in your browser, on which the programs answer what you type, on your code
./tutorial pages FOLDER       the tutorial in a folder, as pages that need no server, with recorded answers
./tutorial check [N | N.M ..] your steps against the checklist: passed, failed (and why), not started
./tutorial hint N.M           one more hint at each call, three in all
./tutorial diff N.M           your step beside the solution; asks first while it does not pass (not with --yes)
./tutorial watch [N | N.M]    leads from step to step, at first to these: checks what you save; keys for hints and more
./tutorial reset N.M          the untouched stub again; your version is kept in a backup
./tutorial update             pulls a new version; what you wrote stays as it is
./tutorial test [N ...]       the test suite of these chapters, or of all, on the solutions
./tutorial bench [-- ARGS]    the benchmarks

Options
  progress --json             the same for another program: each step with its state, when it was checked, and hints
  check --sanitize            finds the line that reads or writes outside of its memory (slower)
  check --no-causes           only what fails, without a search for the mistake behind it
  check --debug               stops in your file, in the first check that fails: gdb or lldb, where print x shows a tensor
  run --open                  opens the page of pictures in the browser at the end
  run --format png            the pictures also as PNG, or as pdf: for slides and papers (needs rsvg-convert)
  run --mine                  on your own steps of that chapter; earlier chapters from the solutions
  run --mine=all              on your own steps throughout (pictures in plots/NN_name_mine/, …_mine_all/)
  run --mine=passed           on your own steps that pass, also of other chapters; the others from the solutions
  play --port P --no-open     at this port; prints the address only
  play --alone                builds no other chapter until you go there
  play --solutions            the pages compute with the solutions alone
  pages FOLDER N ...          with the answers of these chapters alone
  run ... -- ARGS             ARGS go to the program
  test --all                  also the tests of stubs, known mistakes and ./tutorial (much slower)
  --no-install                only name missing packages, never install them
  --version                   the name of the tutorial, and the commit it is at
  --help                      this text

Examples
  ./tutorial run 1                                   chapter 01, from the first word to the picture
  ./tutorial run 1 -- --text "She sat by the bank"   on your own sentence
  ./tutorial run 1 -- --help                         what else the program of chapter 01 takes
  ./tutorial check 1.1                               attention_loops, the first step of chapter 01
  ./tutorial check softmax --sanitize                the line where it crashes
  ./tutorial run 1 --mine                            the program on what you wrote

N is a chapter: 1, 01, 01_attention, chapters/01_attention. N.M is a step: 1.2, its name (softmax), or its file
(exercises/01_attention/softmax.cpp). Your files are in exercises/.
Exit code: 0 all is well; 1 something failed or is not done; 2 it could not be done as asked.
)";

// Where what explains a command begins, behind two spaces; 6 where it would have too little room.
std::size_t explanation_margin(const std::string& line, std::size_t columns) {
    const std::size_t gap = std::min(line.find("  ", steps::indentation(line)), line.size());
    const std::size_t begin = std::min(line.find_first_not_of(' ', gap), line.size());
    return begin < line.size() && 2 * begin <= columns ? begin : 6;
}

// "check" of "./tutorial check …" and of "  check --debug …"; "progress" of the line of the table.
std::string command_of(std::string_view line) {
    if (line.starts_with("./tutorial  ")) return "progress";
    for (const std::string_view begin : {"./tutorial ", "  ./tutorial ", "  "}) {
        if (!line.starts_with(begin)) continue;
        line.remove_prefix(begin.size());
        break;
    }
    return std::string(line.substr(0, line.find(' ')));
}

// The lines about one command, below their headings; none where there is no such command.
steps::Lines lines_about(const std::string& command) {
    steps::Lines lines;
    std::string heading;
    bool is_about = false;
    if (command.empty()) return lines;
    for (const std::string& line : steps::split_lines(help_text)) {
        if (line.starts_with("N is")) break;
        if (line == "Options" || line == "Examples") heading = line;
        if (!line.starts_with("   ")) is_about = command_of(line) == command;
        if (!is_about) continue;
        if (!heading.empty()) lines.insert(lines.end(), {"", heading});
        heading.clear();
        lines.push_back(line);
    }
    return lines;
}

// "4f2a91c, 2025-03-01"; empty where this is no checkout, or git does not answer.
std::string commit() {
    if (!fs::exists(".git")) return "";  // a folder further up may be a checkout of something else
    try {
        const Answer answer = ask({.words = {"git", "log", "-1", "--no-show-signature", "--format=%h, %cs"}});
        return answer.code == 0 ? std::string(steps::trimmed(answer.output)) : "";
    } catch (const Refusal&) {  // there is no git
        return "";
    }
}

}  // namespace

void say(const Terminal& terminal, const std::string& sentence, std::size_t margin) {
    const std::size_t columns = terminal.columns.value_or(std::numeric_limits<std::size_t>::max());
    for (const std::string& line : wrap(sentence, columns, margin)) fmt::print("{}\n", line);
}

void print_help(const Terminal& terminal, const std::string& command) {
    const bool table = command == "list" || command == "status" || command == "next";
    steps::Lines lines = lines_about(table ? "progress" : command);
    if (lines.empty())
        lines = steps::split_lines(help_text);
    else
        lines.insert(lines.end(), {"", "./tutorial --help explains all commands."});
    for (const std::string& line : lines)
        say(terminal, line, explanation_margin(line, terminal.columns.value_or(110)));
}

void print_version(const Terminal& terminal) {
    const std::string known = commit();
    fmt::print("The Transformer, step by step, in C++, version {}{}\n", TFS_VERSION,
               known.empty() ? "" : fmt::format(" ({})", known));
    say(terminal, kernels_in_words());
}

}  // namespace tfs::tutorial
