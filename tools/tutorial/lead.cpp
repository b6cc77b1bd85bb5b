// tools/tutorial/lead.cpp · ./tutorial watch on a terminal: one step after the other, with keys
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <utility>

#include "common/terminal/display.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/tutorial/beside.hpp"
#include "tools/tutorial/build.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/watching.hpp"

namespace tfs::tutorial {

namespace {

constexpr std::pair<const char*, const char*> explained_keys[] = {
    {"h", "one more hint"},
    {"t", "the lesson of this step, here"},
    {"v", "runs what the task says, or the program of the chapter on your steps"},
    {"l", "the chapters, and the steps of this one"},
    {"n p", "the next step, the one before"},
    {"d", "our solution beside yours"},
    {"g", "another chapter, at its first open step"},
    {"r", "the untouched stub again; yours is kept"},
    {"o", "the lesson in your browser, as a page that computes"},
    {"q", "ends this; ./tutorial watch goes on at this step"}};

class Lead {
  public:
    Lead(const Session& session, const Steps& named) : session_(session), steps_(session.tutorial.steps()) {
        session_.leads = true;
        const States states = read_states(session_);
        const steps::Step* const open = first_open(states, named);
        // Where the learner was, or what is open behind it; at first the first step.
        go_to(named.empty() ? memory::last_step() : (open != nullptr ? *open : named.front()).name);
        if (named.empty() && !memory::last_was_shown())
            if (const auto next = next_of(steps_, states, step())) go_to(next->name);
        seen_ = snapshot_of(steps_);
        if (state_of(states, step()) == State::unchecked) seen_.erase(step().name);  // its check was ended
        const bool begun = std::any_of(steps_.begin(), steps_.end(), [&](const steps::Step& one) {
            return state_of(states, one) != State::stub;
        });
        if (const auto& chapters = session_.tutorial.chapters; !begun && at_ == 0 && chapters.size() > 1)
            say(session_.terminal,
                fmt::format("\nChapter {} is about the tools. g, then {} and Enter, goes to \"{}\".",
                            chapters[0].padded(), chapters[1].number, chapters[1].title));
    }

    int follow() {
        try {
            fmt::print("\n");
            show();
            say_place();
            while (signals_.arrived() == 0) {
                std::fflush(stdout);
                keys_.take();                         // also after Ctrl-Z and fg
                session_.terminal = this_terminal();  // which may be wider now
                bool spoke = true;
                std::optional<char> key;
                try {
                    key = keys_.next(300);
                    if (key == 'q') break;
                    if (key) answer(*key);
                    spoke = key || look() || say_what_came();
                } catch (const std::runtime_error& error) {  // a Refusal, or a file that can't be read
                    say(session_.terminal, error.what());
                } catch (const Exit&) {  // it has said why
                } catch (const Interrupted& interrupted) {
                    if (!key || interrupted.signal != SIGINT) throw;  // Ctrl-C ends only what a key has begun
                }
                if (spoke) say_place();
            }
        } catch (const Interrupted&) {
        }
        say(session_.terminal, "\nNo longer watching. What you wrote is in exercises/.");
        return 0;
    }

  private:
    HeldSignals signals_ = {};  // destroyed last: signals are held while the other members end
    Session session_;
    Steps steps_;
    std::size_t at_ = 0;
    std::optional<steps::Step> passed_ = {};  // just now: d and v are about this one
    Snapshot seen_ = {};
    Keys keys_ = {};
    Beside pages_{"pages.log"}, run_{"run.log"}, ahead_{"ahead.log"};
    std::string line_ = {},
                begin_of_line_ = {};  // what is said once run_ has printed such a line; empty: nothing
    bool pages_asked_ = false;        // and their address was not told
    bool ahead_due_ = false;          // what the check of this step needs was never compiled

    const steps::Step& step() const { return steps_[at_]; }

    // Stays where no step has this name.
    void go_to(const std::string& name) {
        for (std::size_t i = 0; i < steps_.size(); ++i)
            if (steps_[i].name == name) at_ = i;
    }

    void show() {
        const steps::Step& one = step();
        const States states = read_states(session_);
        const State state = state_of(states, one);
        memory::remember_last(one, true);
        say(session_.terminal, bar(session_, states));
        say(session_.terminal, paint(session_.terminal, "1", fmt::format("{} {}", one.id(), one.name)) +
                                   fmt::format("  {}  about {}  ({})", one.difficulty_shown(),
                                               one.time_shown(), in_words(state)));
        if (state != State::missing && state != State::passed) say_tasks(one);
        say(session_.terminal, one.number == 1 && state != State::passed
                                   ? "A new chapter. t: read its lesson first, here. o: in your browser."
                                   : "t: its part of the lesson.");
        ahead_due_ = !fs::exists(program_folder / one.check_target());
    }

    void say_tasks(const steps::Step& one) const {
        const std::vector<std::string> tasks = tasks_of(one);
        for (std::size_t i = 0; i < tasks.size(); ++i)
            say(session_.terminal,
                (tasks.size() == 1 ? "Task: " : fmt::format("Task {} of {}: ", i + 1, tasks.size())) +
                    tasks[i]);
    }

    // Where she is and what to do, and the keys: the last lines of whatever is said.
    void say_place() const {
        const steps::Step& one = step();
        const State state = state_of(read_states(session_), one);
        const char* const verb = state == State::unfinished                         ? "finish"
                                 : state == State::stub && !steps::seeks_fault(one) ? "fill in"
                                                                                    : "mend";
        say(session_.terminal,
            "\n" + paint(session_.terminal, "1", one.id() + " " + one.name) + ": " +
                (state == State::passed ? "passed; n goes on."
                 : state == State::missing
                     ? "its file is missing; r brings it back."
                     : fmt::format("{} {} and save it; it is checked.", verb, one.exercise().string())));
        fmt::print("h hint  t text  v run  l list  n/p step  d solution  g chapter  ? more  q quit\n");
        std::fflush(stdout);
    }

    // Checks what was saved, and goes on where the step passes. Whether something was.
    bool look() {
        const Snapshot now = snapshot_of(steps_, seen_);
        const Steps saved = saved_between(steps_, seen_, now);
        seen_ = now;
        if (saved.empty()) return false;
        go_to(saved.front().name);
        memory::remember_last(step(), true);
        end_others();
        seen_ = check_until_done(session_, steps_, saved, now);
        const States states = read_states(session_);
        passed_.reset();
        if (state_of(states, step()) == State::passed) go_on(states);
        return true;
    }

    void go_on(const States& states) {
        passed_ = step();
        const std::string promise =
            lesson_between(step().folder, "./tutorial check " + step().id() + "`.", "\n\n");
        if (!promise.empty()) say(session_.terminal, "\n" + promise);
        fmt::print("\n");
        say_done(session_, states, {step()});
        run_for_line();
        const auto next = next_of(steps_, states, step());
        say(session_.terminal,
            fmt::format("d: our solution beside your {}.{}", step().id(),
                        next && !task_command(*next).empty()
                            ? ""
                            : fmt::format(" v: the program of chapter {} on your steps.", step().chapter)));
        if (!next) return say_next(session_, states, step());
        go_to(next->name);
        fmt::print("\n");
        show();
    }

    // The lesson names a section of the program, the words with which a line of it begins that the step computes, and perhaps what
    // its numbers are: "<!-- line of softmax: softmax | 2 1 0 | x, softmax(x) -->". Where the program was built before, it runs
    // beside this.
    void run_for_line() {
        const std::string named = lesson_between(step().folder, "<!-- line of " + step().name + ": ", " -->");
        const std::size_t bar = named.find(" | "), more = std::min(named.find(" | ", bar + 1), named.size());
        if (named.empty() || !fs::exists(program_folder / step().folder)) return;
        begin_of_line_ = named.substr(bar + 3, more - bar - 3);
        line_ = fmt::format("Your {} at work", step().name);
        if (more < named.size()) line_ += fmt::format(" ({})", named.substr(more + 3));
        Request request;
        request.words = {std::to_string(step().chapter)};
        request.mine = "passed";
        request.extra = {"--section", named.substr(0, bar), "--plots",
                         fs::absolute(memory::folder / "run").string()};
        run_.start(session_, [&](const Session& session) { return run_programs(session, request); });
    }

    // From what is done beside this; whether something came.
    bool say_what_came() {
        if (ahead_due_ && !run_.runs() && !ahead_.runs()) {
            ahead_due_ = false;
            ahead_.start(session_, [&](const Session& session) { return build_ahead(session, {step()}), 0; });
        }
        return say_line() || say_address() || say_not_built();
    }

    bool say_line() {
        if (line_.empty() || run_.runs()) return false;
        std::string line = std::exchange(line_, {}) + ": ";
        const std::string found = run_.said(begin_of_line_);
        for (const char letter : found)
            if (letter != ' ' || !line.ends_with("  ")) line += letter;
        if (!found.empty()) say(session_.terminal, "\n" + line);
        return !found.empty();
    }

    bool say_address() {
        std::string address = pages_asked_ ? pages_.said("http://") : "";
        if (address.empty()) return false;
        pages_asked_ = false;
        address = address.substr(0, address.find('#')) + "#" + step().folder + "/lesson";
        say(session_.terminal,
            "\nThe pages are at this address, also where no browser has opened: " + address);
        return true;
    }

    bool say_not_built() {
        for (Beside* one : {&pages_, &ahead_}) {
            if (!one->failed()) continue;
            pages_asked_ = pages_asked_ && one != &pages_;
            fmt::print("\n{}", steps::read_text(one->log()));
            return true;
        }
        return false;
    }

    // The next build need not wait for these.
    void end_others() {
        line_.clear();
        run_.end();
        ahead_.end();
    }

    void move(std::size_t by) {
        at_ = (at_ + by) % steps_.size();
        passed_.reset();
        show();
    }

    // Escape also where something was saved.
    char asked_key() const {
        std::fflush(stdout);
        while (saved_between(steps_, seen_, snapshot_of(steps_, seen_)).empty()) {
            if (const int signal = signals_.arrived(); signal != 0) throw Interrupted{signal};
            if (const auto key = keys_.next(300)) return *key;
        }
        return escape;
    }

    bool says_yes(const std::string& question) const {
        say(session_.terminal, question + " [y/N]");
        return asked_key() == 'y';
    }

    void reset_it() {
        if (says_yes(fmt::format("Reset {} to the untouched stub? Your version is kept in .tutorial/backup.",
                                 step().exercise().string()))) {
            reset(session_, step());
            seen_ = snapshot_of({step()}, seen_);
        }
    }

    // Of the step that passed just now, or of this one.
    void show_solution(const States& states) const {
        const steps::Step& asked = passed_.value_or(step());
        const State state = state_of(states, asked);
        if (state == State::passed ||
            says_yes(fmt::format("Step {} does not pass yet ({}). See the solution?", asked.id(),
                                 in_words(state))))
            show_diff(session_, asked, true);
    }

    void run_program(const States& states) {
        end_others();
        std::vector<std::string> words = task_command(step());
        const steps::Step& asked = passed_.value_or(step());
        // A step that fails takes part where the program needs no other one that is still open.
        const bool fails = std::all_of(steps_.begin(), steps_.end(), [&](const steps::Step& one) {
            const State state = state_of(states, one);
            return one.chapter != asked.chapter || state == State::passed ||
                   (one.name == asked.name && state == State::failed);
        });
        if (words.empty() || state_of(states, step()) == State::passed)
            words = {"run", std::to_string(asked.chapter), fails ? "--mine" : "--mine=passed"};
        say(session_.terminal, fmt::format("./tutorial {}   (Ctrl-C ends it)", fmt::join(words, " ")));
        run_programs(session_, parse_command_line(words));
    }

    // In $PAGER or less, where the keys of this program do nothing.
    void read_lesson() const {
        const std::string text =
            lesson_of(step(), std::min(session_.terminal.columns.value_or(80), screen_columns));
        const char* const chosen = std::getenv("PAGER");
        const std::string pager =
            chosen != nullptr ? chosen
            : found_program("less")
                ? "less -X '-Ps?eThe end\\: :space goes on, b goes back, .q ends the lesson'"
                : "";
        if (pager.empty()) return fmt::print("{}", text);
        const fs::path file = memory::folder / "lesson.txt", keys = memory::folder / "lesskey";
        steps::write_text(file, text);
        steps::write_text(keys, "#command\nh noaction\n? noaction\nv noaction\n");
        (void)run({.words = {"sh", "-c", pager + " " + file.string()},
                   .environment = {"LESSKEYIN=" + keys.string()},
                   .output = Command::Output::inherited,
                   .own_group = false});
    }

    // Its first open step.
    void go_to_chapter(const States& states) {
        fmt::print("Chapter (its number, then Enter): ");
        std::string number;
        for (char key = asked_key(); key != '\n'; key = asked_key()) {
            if (key == 'q' || key == escape) return fmt::print("\n");
            const bool back = key == '\b' || key == '\x7f';
            const bool digit = std::isdigit(static_cast<unsigned char>(key)) != 0 && number.size() < 3;
            if (digit) number += key;
            if (back && !number.empty()) number.pop_back(), fmt::print("\b \b");
            if (digit) fmt::print("{}", key);
        }
        fmt::print("\n");
        for (const steps::Chapter& chapter : session_.tutorial.chapters) {
            if (number.empty() || chapter.number != std::stoi(number) || chapter.steps.empty()) continue;
            const steps::Step* const open = first_open(states, chapter.steps);
            go_to((open != nullptr ? *open : chapter.steps.front()).name);
            fmt::print("\n");
            return move(0);
        }
        if (!number.empty())
            say(session_.terminal, fmt::format("There is no chapter {}: l lists them.", number));
    }

    void open_lesson() {
        pages_asked_ = true;
        if (pages_.runs()) {
            if (!say_address()) say(session_.terminal, "The pages are still being built.");
            return;
        }
        Request request;
        request.words = {std::to_string(step().chapter)};
        pages_.start(session_, [&](const Session& session) { return play(session, request); });
        say(session_.terminal, fmt::format("The pages are built the first time; then their address stands "
                                           "here, too. {} says how it goes.",
                                           pages_.log().string()));
    }

    void list(const States& states) const {
        show_table(session_);
        for (const steps::Step& one : steps_)
            if (one.chapter == step().chapter)
                say(session_.terminal, fmt::format("{} {} {}: {}", one.name == step().name ? "*" : " ",
                                                   one.id(), one.name, in_words(state_of(states, one))));
    }

    void answer(char key) {
        const States states = read_states(session_);
        if (key != 'h') fmt::print("\n");  // a hint has such a line itself
        if (key == 't') read_lesson();
        if (key == 'd') show_solution(states);
        if (key == 'r') reset_it();
        if (key == 'l') list(states);
        if (key == 'n') move(1);
        if (key == 'p') move(steps_.size() - 1);
        if (key == 'v') run_program(states);
        if (key == 'g') go_to_chapter(states);
        if (key == 'o') open_lesson();
        if (key == '\n' || key == ' ') move(0);
        if (key == 'h') {
            passed_.reset();
            show_hint(session_, step());
        }
        if (key != '?') return;
        for (const auto& [letter, what] : explained_keys)
            say(session_.terminal, fmt::format("  {}: {}", letter, what));
    }
};

}  // namespace

int lead(const Session& session, const Steps& named) {
    memory::require_writable(session.tutorial);
    ask_for_packages(session);
    return Lead(session, named).follow();
}

}  // namespace tfs::tutorial
