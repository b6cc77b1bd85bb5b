// common/program/chapter.hpp · a chapter's program: sections, and what is asked of them
//
// A section is a function from a request to a report. Each file of chapters/NN_name/program ends with a table of its sections;
// sections.cpp puts these tables in reading order: it defines chapter(). common/main.cpp is the main function of all programs.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/errors.hpp"
#include "common/program/option.hpp"
#include "common/report/report.hpp"

namespace tfs {

// What a section tells while it computes: "step 120 of 600, loss 1.2" with {"step", 120}, {"loss", 1.2}; a new token.
struct Event {
    std::string kind;  // "progress", "token"
    std::string text;
    std::vector<std::pair<std::string, double>> numbers = {};
};

// What is asked of a section: the values of the options that it lists, and where it tells of its progress.
struct Request {
    std::string section = {};  // its id
    Values values = {};
    std::function<void(const Event&)> listener = {};
    bool on_own_steps = false;          // the learner's own steps compute it (./tutorial run --mine)
    std::filesystem::path folder = {};  // where a section may leave files of its own; empty: nowhere

    // The value of an option. ValueError if the section does not list it.
    [[nodiscard]] std::size_t operator[](const CountOption& option) const;
    [[nodiscard]] double operator[](const RealOption& option) const;
    [[nodiscard]] const std::string& operator[](const TextOption& option) const;
    [[nodiscard]] bool operator[](const FlagOption& option) const;

    // The words of a sentence.
    [[nodiscard]] Tokens words(const TextOption& option) const;

    void tell(const Event& event) const {
        if (listener) listener(event);
    }
};

enum class Level {
    always,
    deeper,      // with --deeper
    experiment,  // with --experiment and its id
};

enum class Slow { no, yes };  // trains for long: `--experiment all` leaves it out, a page has a button for it

struct Section {
    std::string id;     // "by-hand": small letters, digits, hyphens
    std::string title;  // "{heads} heads side by side": the value of --heads stands in the place of {heads}
    std::function<Report(const Request&)> run;
    std::vector<Option> options = {};  // those that it reads
    Level level = Level::always;
    Slow slow = Slow::no;
};

using Sections = std::vector<Section>;

// The sections of all tables, one table after the other.
[[nodiscard]] Sections joined(const std::vector<Sections>& tables);

// What a section reads: these options, and one more.
[[nodiscard]] std::vector<Option> with(std::vector<Option> options, const Option& more);

// The title with the values of the request.
[[nodiscard]] std::string title_of(const Section& section, const Values& values);

// The report of a section. Where a step that it needs is not written yet, a report that says so.
[[nodiscard]] Report run_section(const Section& section, const Request& request);

// The report of `part`; where a step that it needs is not written yet, a line that says so: what follows is shown all the same.
[[nodiscard]] Report part_or_gap(const std::function<Report()>& part);

// What `load` returns, such as trained weights. Where it throws an Error: nothing, after a line with the reason and what is shown
// `instead`, as in "the trained model does not know the word "yes"; the weights are random". A step that is not written yet is
// not caught.
template <class Load>
auto trained_or_reason(Report& report, const std::string& instead, const Load& load)
    -> std::optional<decltype(load())> {
    try {
        return load();
    } catch (const NotImplemented&) {
        throw;
    } catch (const Error& error) {
        report.note(fmt::format("{}; {}", error.what(), instead));
        return std::nullopt;
    }
}

// From here on the first Ctrl-C does not end the program, but a long computation early: is_interrupted() then says true. A second
// one ends it.
void hold_interruptions();
[[nodiscard]] bool is_interrupted();

struct Chapter {
    std::string name;  // "01_attention"
    std::string description;
    Sections sections = {};                          // in reading order
    std::function<void(const Request&)> check = {};  // throws ValueError for values that don't fit together
    // Whether a section belongs to what is asked, where some values leave sections out.
    std::function<bool(const Section&, const Request&)> belongs = {};
    std::vector<Option> options = {};  // that `check` and `belongs` read, and perhaps no section
};

// Defined by each program.
[[nodiscard]] Chapter chapter();

// All options of its sections, each once, in the order of the sections, then its own; --seed last.
[[nodiscard]] std::vector<Option> options_of(const Chapter& chapter);

// The program: reads the options, checks all values before anything is printed or drawn, runs the sections, and shows their
// reports on the terminal, as JSON (--json), and on a page (--plots); or answers one request of a page (--request). Returns as
// MainFunction::run.
int run_program(int argc, char** argv, const Chapter& chapter);

}  // namespace tfs
