// tools/tutorial/table.cpp · the table of chapters, and what to do next
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

#include "common/terminal/display.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/run_programs.hpp"

namespace tfs::tutorial {

namespace {

// How many of these steps pass, and are to pass: an optional one counts once it does.
struct Count {
    std::size_t passed = 0, asked = 0;
};
Count count_of(const Steps& steps, const States& states) {
    Count count;
    for (const steps::Step& step : steps) {
        const bool passes = state_of(states, step) == State::passed;
        count.passed += passes ? 1 : 0;
        count.asked += passes || !step.optional ? 1 : 0;
    }
    return count;
}

// "1.3 scaled_dot_product_attention ●●○ about 10 min"
std::string described(const steps::Step& step) {
    return fmt::format("{} {} {} about {}", step.id(), step.name, step.difficulty_shown(), step.time_shown());
}

void say_stub(const Session& session, const steps::Step& step) {
    const bool has_fault = steps::seeks_fault(step);
    const std::string task =
        fmt::format("{}: {} {}", described(step), has_fault ? "mend" : "fill in", step.exercise().string());
    if (step.number == 1) {
        say(session.terminal,
            fmt::format(
                "Next: chapter {}. Read chapters/{}/README.md and look at its pictures: ./tutorial run {}",
                step.folder.substr(0, 2), step.folder, step.chapter));
        say(session.terminal, "      Then its first step, " + task);
    } else {
        say(session.terminal, "Next: step " + task);
    }
    say(session.terminal,
        fmt::format("      and see how it went: ./tutorial check {0} (a hint: ./tutorial hint {0})",
                    step.id()));
}

// The last chapters' programs run a Transformer; on `--mine=all` it is made of the learner's steps.
void say_all_pass(const Session& session, const States& states) {
    say(session.terminal,
        fmt::format(
            "All {} steps pass: every part of the Transformer is your own code now. What you can do with it:",
            count_of(session.tutorial.steps(), states).passed));
    const std::pair<std::string, const char*> all[] = {
        {"./tutorial run 10 --mine=all", "trains a small model made of your steps"},
        {"./tutorial run 9 --mine=all", "writes a text: your steps, our weights"},
        {"./tutorial run --mine=all", "runs every chapter on your steps"},
        {typed(session, "o", "play"), "your own model: the page \"What you built\""}};
    for (const auto& [words, what] : all) say(session.terminal, "      " + pad(words, 31) + what, 37);
}

void say_earlier(const Session& session, const States& states, const steps::Step& step) {
    std::size_t open = 0;
    for (const steps::Step& other : session.tutorial.steps())
        open += other.chapter < step.chapter && !other.optional && state_of(states, other) != State::passed
                    ? 1
                    : 0;
    say(session.terminal,
        fmt::format("Still open: {} {} of earlier chapters.", open, open == 1 ? "step" : "steps"));
}

struct Row {
    std::string number, title, passed, next;  // "1.2 softmax: not started"
};

Row row_of(const steps::Chapter& chapter, const States& states) {
    const Count count = count_of(chapter.steps, states);
    Row row{chapter.padded(), chapter.title, fmt::format("{} of {}", count.passed, count.asked), "done"};
    if (chapter.steps.empty()) {
        row.next = "nothing to write";
    } else if (const steps::Step* open = first_open(states, chapter.steps)) {
        row.next = fmt::format("{} {}: {}", open->id(), open->name, in_words(state_of(states, *open)));
    } else {
        for (const steps::Step& step : chapter.steps)
            if (state_of(states, step) != State::passed)
                row.next += fmt::format("; optional: {} {}", step.id(), step.name);
    }
    return row;
}

// Where the terminal is narrow, titles are cut first.
void print_rows(const std::vector<Row>& rows, std::size_t columns) {
    constexpr std::size_t number = 4, least_title = 18;
    std::size_t title = 0, passed = 0, next = 0;
    for (const Row& row : rows) {
        title = std::max(title, display_width(row.title) + 2);
        passed = std::max(passed, display_width(row.passed) + 2);
        next = std::max(next, display_width(row.next));
    }
    const std::size_t others = number + passed + next;
    title = std::min(title, std::max(columns > others ? columns - others : 0, least_title));
    for (const Row& row : rows) {
        const std::string line = pad(row.number, number) + pad(truncate(row.title, title - 2), title) +
                                 pad(row.passed, passed) + row.next;
        fmt::print("{}\n", truncate(line, columns));
    }
}

// Where the learner was last; or what was begun and does not pass; or the last step that passes.
const steps::Step* last_place(const States& states, const Steps& all) {
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

std::string bar(const Session& session, const States& states) {
    const auto [passed, all] = count_of(session.tutorial.steps(), states);
    // A cell of eight parts moves with each step of some hundred; of ASCII there are whole cells only.
    constexpr std::size_t cells = 20;
    static constexpr const char* parts[] = {"░", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
    const std::size_t full = all == 0 ? 0 : (8 * cells * passed + all - 1) / all;
    std::string text;
    for (std::size_t i = 0; i < cells; ++i)
        text += session.terminal.ascii ? (8 * i < full ? "#" : ".")
                                       : parts[std::min<std::size_t>(full - std::min(full, 8 * i), 8)];
    return fmt::format("{} {} of {} steps", text, passed, all);
}

std::optional<steps::Step> next_of(const Steps& steps, const States& states, const steps::Step& step) {
    if (state_of(states, step) != State::passed) return step;
    Steps after = steps;  // this step first, and last those before it
    std::rotate(after.begin(),
                std::find_if(after.begin(), after.end(),
                             [&](const steps::Step& other) { return other.name == step.name; }),
                after.end());
    Steps of_chapter = after;
    std::erase_if(of_chapter, [&](const steps::Step& other) { return other.chapter != step.chapter; });
    const steps::Step* next = first_begun(states, of_chapter);
    if (next == nullptr) next = first_open(states, of_chapter);
    if (next == nullptr) next = first_open(states, after);
    return next == nullptr ? std::nullopt : std::optional(*next);
}

void say_next(const Session& session, const States& states, const steps::Step& step) {
    const auto next = next_of(session.tutorial.steps(), states, step);
    if (!next) return say_all_pass(session, states);
    if (next->chapter < step.chapter) say_earlier(session, states, step);
    const std::string file = next->exercise().string(), id = next->id();
    switch (state_of(states, *next)) {
        case State::stub:
            say_stub(session, *next);
            break;
        case State::missing:
            say(session.terminal,
                fmt::format("Next: {} is missing; ./tutorial reset {} brings it back.", file, id));
            break;
        case State::unchecked:
            say(session.terminal, fmt::format("Next: step {}: ./tutorial check {}", described(*next), id));
            break;
        default:
            say(session.terminal,
                fmt::format("Next: step {}: {} {}, then ./tutorial check {} (a hint: ./tutorial hint {})",
                            described(*next), state_of(states, *next) == State::unfinished ? "finish" : "fix",
                            file, id, id));
    }
}

void say_done(const Session& session, const States& states, const Steps& steps) {
    for (const steps::Chapter& chapter : session.tutorial.chapters) {
        bool asked = false, optional_fails = false;
        for (const steps::Step& step : steps) {
            if (step.chapter != chapter.number || left_out(states, step)) continue;
            asked = true;
            optional_fails = optional_fails || (step.optional && state_of(states, step) != State::passed);
        }
        if (!asked || optional_fails || first_open(states, chapter.steps) != nullptr) continue;
        std::string can = lesson_between(chapter.folder, "*At the end of this chapter ", "*");
        if (!can.empty()) can = fmt::format(" {}{}", static_cast<char>(std::toupper(can[0])), can.substr(1));
        say(session.terminal, fmt::format("Chapter {} is done.{}", chapter.padded(), can));
        if (!session.leads) {
            say(session.terminal,
                fmt::format("See it run on your code: ./tutorial run {} --mine", chapter.number));
            continue;
        }
        const std::string known = lesson_between(chapter.folder, "## What you know now\n\n", "\n\n");
        for (std::size_t at = 0, next = 0; at < known.size(); at = next) {  // "- one thing - another"
            next = std::min(known.find(" - ", at + 1), known.size());
            say(session.terminal, "  " + std::string(steps::trimmed(known.substr(at, next - at))), 4);
        }
    }
}

void say_open(const Session& session, const States& states, const Steps& steps) {
    std::size_t count = 0;
    for (const steps::Step& step : steps) {
        const State state = state_of(states, step);
        if (state == State::passed || ++count > 3) continue;
        if (count == 1) fmt::print("\n");
        const bool failed = state == State::failed || state == State::unbuilt || state == State::unfinished;
        say(session.terminal, fmt::format("step {} {}: ./tutorial check {}", step.id(),
                                          failed ? "does not pass" : "is " + in_words(state), step.id()));
    }
    if (count > 3) fmt::print("and {} more: ./tutorial check\n", count - 3);
}

int show_table(const Session& session) {
    const States states = read_states(session);
    std::vector<Row> rows = {{"", "chapter", "passed", "next step"}};
    for (const steps::Chapter& chapter : session.tutorial.chapters) rows.push_back(row_of(chapter, states));
    print_rows(rows, session.terminal.columns.value_or(screen_columns));
    say(session.terminal, bar(session, states));
    fmt::print("\n");
    const Steps all = session.tutorial.steps();
    if (const steps::Step* place = last_place(states, all); place != nullptr && !session.leads) {
        say_next(session, states, *place);
        if (next_of(all, states, *place))
            say(session.terminal,
                "Or let ./tutorial watch lead you: it shows each step, and checks what you save.");
    }
    if (fs::exists(memory::folder / "updating"))
        say(session.terminal, "An update is not finished: ./tutorial update ends it.");
    for (const fs::path& stray : session.tutorial.strays())
        say(session.terminal, stray.string() + " belongs to no step any more. It is kept.");
    return 0;
}

// Names, folders and states have no character that JSON would write in another way.
int show_steps_as_json(const Session& session) {
    const States states = read_states(session);
    std::map<std::string, steps::Lines> programs;  // by step: which take it in run --mine=passed
    for (const steps::Chapter& chapter : session.tutorial.chapters)
        for (const steps::Step& step : learners_steps(session.tutorial, chapter, "passed", states))
            programs[step.name].push_back('"' + chapter.folder + '"');
    std::string text;
    for (const steps::Step& step : session.tutorial.steps())
        text += fmt::format(
            R"({}{{"id":"{}","name":"{}","chapter":"{}","file":"{}","minutes":{},"optional":{},"difficulty":{},"state":"{}","checked":"{}","hints":{},"programs":[{}]}})",
            text.empty() ? "" : ",", step.id(), step.name, step.folder, step.exercise().string(),
            step.minutes, step.optional, step.difficulty, in_words(state_of(states, step)),
            states.at(step.name).checked, memory::hints_shown(step), fmt::join(programs[step.name], ","));
    fmt::print("[{}]\n", text);
    return 0;
}

}  // namespace tfs::tutorial
