// tools/tutorial/table.cpp · the table of chapters, and what to do next
#include <fmt/format.h>

#include <algorithm>

#include "common/terminal/display.hpp"
#include "tools/tutorial/advice.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/memory.hpp"

namespace tfs::tutorial {

namespace {

struct Row {
    std::string number, title, passed;
    std::string next, state;  // "1.2 softmax" and ": not started"; of these, only the name is ever shortened
};

Row row_of(const steps::Chapter& chapter, const States& states) {
    std::size_t passed = 0, asked = 0;  // an optional step counts once it passes
    const steps::Step* optional = nullptr;
    for (const steps::Step& step : chapter.steps) {
        const bool passes = state_of(states, step) == State::passed;
        passed += passes ? 1 : 0;
        asked += passes || !step.optional ? 1 : 0;
        if (!passes && step.optional) optional = &step;
    }
    Row row{chapter.padded(), chapter.title, fmt::format("{} of {}", passed, asked), "done", ""};
    if (chapter.steps.empty()) {
        row.next = "nothing to write";
    } else if (const steps::Step* open = first_open(states, chapter.steps)) {
        row.next = open->id() + " " + open->name;
        row.state = ": " + in_words(state_of(states, *open));
    } else if (optional != nullptr) {
        row.state = fmt::format("; optional: {} {}", optional->id(), optional->name);
    }
    return row;
}

// The widths of the columns, with the space between them.
struct Widths {
    std::size_t title, passed, next;
};
constexpr std::size_t number_width = 4;

// Shrinks the titles first, then the names of steps.
Widths widths_of(const std::vector<Row>& rows, std::size_t columns) {
    Widths widths{0, 0, 0};
    for (const Row& row : rows) {
        widths.title = std::max(widths.title, display_width(row.title) + 2);
        widths.passed = std::max(widths.passed, display_width(row.passed) + 2);
        widths.next = std::max(widths.next, display_width(row.next) + display_width(row.state));
    }
    constexpr std::size_t least_title = 18, least_next = 20;
    const std::size_t fixed = number_width + widths.passed;
    const auto left = [&](std::size_t other) {
        return columns > fixed + other ? columns - fixed - other : 0;
    };
    widths.title = std::min(widths.title, std::max(left(widths.next), least_title));
    widths.next = std::min(widths.next, std::max(left(widths.title), least_next));
    return widths;
}

void print_row(const Row& row, const Widths& widths) {
    const std::size_t state = display_width(row.state);
    const std::string next = truncate(row.next, widths.next > state ? widths.next - state : 0);
    const std::string title = truncate(row.title, widths.title - 2);
    fmt::print("{}{}{}{}{}\n", pad(row.number, number_width), pad(title, widths.title),
               pad(row.passed, widths.passed), next, row.state);
}

// Where the learner was last; or what was begun and does not pass; or the last step that passes.
const steps::Step* place_of(const States& states, const Steps& all) {
    const std::string last = memory::last_step();
    const steps::Step* passed = all.empty() ? nullptr : &all.front();
    for (const steps::Step& step : all) {
        if (step.name == last && !left_out(states, step)) return &step;
        if (state_of(states, step) == State::passed) passed = &step;
    }
    const steps::Step* begun = first_begun(states, all);
    return begun != nullptr ? begun : passed;
}

}  // namespace

int show_table(const Session& session) {
    const States states = read_states(session);
    std::vector<Row> rows = {{"", "chapter", "passed", "next step", ""}};
    for (const steps::Chapter& chapter : session.tutorial.chapters) rows.push_back(row_of(chapter, states));
    const Widths widths = widths_of(rows, session.terminal.columns.value_or(110));
    for (const Row& row : rows) print_row(row, widths);
    fmt::print("\n");
    const Steps all = session.tutorial.steps();
    if (const steps::Step* place = place_of(states, all)) say_next(session, states, *place);
    if (fs::exists(memory::folder / "updating"))
        say(session.terminal, "An update is not finished: ./tutorial update ends it.");
    for (const fs::path& stray : session.tutorial.strays())
        say(session.terminal, stray.string() + " belongs to no step any more. It is kept.");
    return 0;
}

// Names, folders and states have no character that JSON would write in another way.
int show_steps_as_json(const Session& session) {
    const States states = read_states(session);
    std::string text;
    for (const steps::Step& step : session.tutorial.steps())
        text += fmt::format(
            R"({}{{"id":"{}","name":"{}","chapter":"{}","file":"{}","minutes":{},"optional":{},"difficulty":{},"state":"{}","checked":"{}","hints":{}}})",
            text.empty() ? "" : ",", step.id(), step.name, step.folder, step.exercise().string(),
            step.minutes, step.optional, step.difficulty, in_words(state_of(states, step)),
            memory::time_of(step, states.at(step.name).fingerprint), memory::hints_shown(step));
    fmt::print("[{}]\n", text);
    return 0;
}

}  // namespace tfs::tutorial
