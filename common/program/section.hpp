// common/program/section.hpp · a section: a function from a request to a report
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

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

// A computation that goes on from request to request: a training step by step, a text token by token.
struct Session {
    std::function<Report(const Request&)> step;
};

struct Section {
    std::string id;     // "by-hand": small letters, digits, hyphens
    std::string title;  // "{heads} heads side by side": the value of --heads stands in the place of {heads}
    Level level = Level::always;
    bool slow = false;  // trains for long: `--experiment all` leaves it out, a page has a button for it
    std::vector<Option> options = {};  // those that it reads
    std::function<Report(const Request&)> run = {};
    std::function<Session(const Request&)> open = {};  // for a section that can be gone through step by step
};

// The title with the values of the request.
[[nodiscard]] std::string title_of(const Section& section, const Values& values);

// The report of a section. Where a step that it needs is not written yet, a report that says so.
[[nodiscard]] Report run_section(const Section& section, const Request& request);

// The report of `part`; where a step that it needs is not written yet, a line that says so: what follows is shown all the same.
[[nodiscard]] Report part_or_gap(const std::function<Report()>& part);

}  // namespace tfs
