// tools/tutorial/advice.cpp · what the learner may do next
#include "tools/tutorial/advice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/steps/gaps.hpp"

namespace tfs::tutorial {

namespace {

// The steps in the order in which they come up after this one.
struct Order {
    Steps of_chapter, of_others;
};

void append(Steps& all, const Steps& more) { all.insert(all.end(), more.begin(), more.end()); }

Order order_after(const Steps& all, const steps::Step& step) {
    Order order;
    Steps rest, earlier;
    for (const steps::Step& other : all) {
        if (other.chapter > step.chapter) {
            order.of_others.push_back(other);
        } else if (other.chapter < step.chapter) {
            earlier.push_back(other);
        } else {
            (other.number >= step.number ? order.of_chapter : rest).push_back(other);
        }
    }
    append(order.of_chapter, rest);
    append(order.of_others, earlier);
    return order;
}

const steps::Step* next_of(const States& states, const steps::Step& step, const Order& order) {
    if (state_of(states, step) != State::passed) return &step;
    if (const steps::Step* begun = first_begun(states, order.of_chapter)) return begun;
    if (const steps::Step* open = first_open(states, order.of_chapter)) return open;
    return first_open(states, order.of_others);
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
    const Steps steps = session.tutorial.steps();
    const auto passed = std::count_if(steps.begin(), steps.end(), [&](const steps::Step& step) {
        return state_of(states, step) == State::passed;
    });
    say(session.terminal,
        fmt::format(
            "All {} steps pass: every part of the Transformer is your own code now. What you can do with it:",
            passed));
    for (const char* line :
         {"./tutorial run 10 --mine=all   trains a small model made of your steps",
          "./tutorial run 9 --mine=all    writes a text: your steps, with weights that we trained",
          "./tutorial run --mine=all      runs every chapter on your steps"})
        say(session.terminal, std::string("      ") + line, 37);
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

}  // namespace

void say_next(const Session& session, const States& states, const steps::Step& step) {
    const Order order = order_after(session.tutorial.steps(), step);
    const steps::Step* const next = next_of(states, step, order);
    if (next == nullptr) return say_all_pass(session, states);
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
        say(session.terminal,
            fmt::format("Chapter {} is done. See it run on your code: ./tutorial run {} --mine",
                        chapter.padded(), chapter.number));
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

}  // namespace tfs::tutorial
