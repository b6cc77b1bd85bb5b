// tools/tutorial/lead.cpp · ./tutorial watch on a terminal: one step after the other, with keys
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <optional>
#include <utility>

#include "common/terminal/display.hpp"
#include "tools/tutorial/build.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/watching.hpp"

namespace tfs::tutorial {

namespace {

constexpr char escape = '\x1b';

// While one lives, each key comes at once and is not shown. Ctrl-C stays a signal.
class Keys {
  public:
    Keys() : is_terminal_(::tcgetattr(STDIN_FILENO, &before_) == 0) { take(); }
    ~Keys() {
        if (is_terminal_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
    }
    Keys(const Keys&) = delete;
    Keys& operator=(const Keys&) = delete;

    // The next key; none where none comes in time.
    std::optional<char> next(int milliseconds) const {
        pollfd input{STDIN_FILENO, POLLIN, 0};
        char key = 0;
        if (::poll(&input, 1, milliseconds) <= 0) return {};
        if (::read(STDIN_FILENO, &key, 1) != 1) return 'q';  // its terminal is gone
        while (key == escape && next(0)) {                   // an arrow is one key
        }
        return static_cast<char>(std::tolower(static_cast<unsigned char>(key)));
    }
    // Keys that were pressed while nobody looked go; whether one of them was q.
    bool ended_meanwhile() const {
        while (const auto key = next(0))
            if (*key == 'q') return true;
        return false;
    }
    void take() const {
        if (!is_terminal_) return;
        termios raw = before_;
        raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
        ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    }

  private:
    termios before_{};
    bool is_terminal_;
};

// A command of ./tutorial beside this, which says nothing here; it ends with this.
class Beside {
  public:
    explicit Beside(const std::string& log) : log_(memory::folder / log) {}
    ~Beside() { end(); }
    Beside(const Beside&) = delete;
    Beside& operator=(const Beside&) = delete;

    void start(const Session& session, std::vector<std::string> words) {
        end();
        words.insert(words.begin(), {session.runner.string(), "--root=" + session.tutorial.root.string(),
                                     "--caller=" + session.caller.string()});
        std::vector<char*> pointers;
        for (std::string& word : words) pointers.push_back(word.data());
        pointers.push_back(nullptr);
        std::fflush(nullptr);
        child_ = ::fork();
        ::setpgid(child_, child_);
        if (child_ != 0) return;
        HeldSignals::release_all();
        if (std::freopen(log_.c_str(), "w", stdout) != nullptr) ::dup2(STDOUT_FILENO, STDERR_FILENO);
        if (std::freopen("/dev/null", "r", stdin) != nullptr) ::execv(pointers[0], pointers.data());
        ::_exit(127);
    }
    bool runs() {
        if (child_ > 0 && ::waitpid(child_, nullptr, WNOHANG) != 0) child_ = 0;
        return child_ > 0;
    }
    void end() {
        if (!runs()) return;
        ::kill(-child_, SIGTERM);
        ::waitpid(child_, nullptr, 0);
        child_ = 0;
    }
    const fs::path& log() const { return log_; }
    // The first line of its log that has these words, from them on; empty where none has.
    std::string said(const std::string& words) const {
        for (const std::string& line : steps::split_lines(steps::read_text(log_)))
            if (const std::size_t at = (" " + line).find(" " + words); at != std::string::npos)
                return line.substr(at);
        return {};
    }

  private:
    fs::path log_;
    pid_t child_ = 0;
};

// The tasks that stand in the file: what follows each "TODO N.M: ", to the end of the comment.
std::vector<std::string> tasks_of(const steps::Step& step) {
    std::vector<std::string> tasks;
    bool open = false;
    for (const std::string& line : steps::split_lines(steps::read_text(step.exercise()))) {
        const std::string text{steps::trimmed(line)}, mark = "// TODO " + step.id() + ": ";
        if (text.starts_with(mark)) {
            tasks.push_back(text.substr(mark.size()));
            open = true;
        } else if (open && text.starts_with("// ")) {
            tasks.back() += text.substr(2);
        } else {
            open = false;
        }
    }
    return tasks;
}

class Lead {
  public:
    explicit Lead(const Session& session) : session_(session), steps_(session.tutorial.steps()) {
        session_.leads = true;
        // Where the learner was, or what is open behind it; at first the first step.
        go_to(memory::last_step());
        if (const auto open = next_of(steps_, read_states(session_), step())) go_to(open->name);
    }

    int follow() {
        try {
            build_ahead(session_, {step()});
            seen_ = snapshot_of(steps_);
            show();
            while (signals_.arrived() == 0) {
                keys_.take();                         // also after Ctrl-Z and fg
                session_.terminal = this_terminal();  // which may be wider now
                try {
                    if (const auto key = keys_.next(300); key && !answer(*key)) break;
                    if (!look()) break;
                    say_line();
                } catch (const std::runtime_error& error) {  // a Refusal, or a file that can't be read
                    say(session_.terminal, error.what());
                } catch (const Exit&) {  // it has said why
                }
                std::fflush(stdout);
            }
        } catch (const Interrupted&) {
        }
        say(session_.terminal, "\nNo longer watching. What you wrote is in exercises/.");
        return 0;
    }

  private:
    HeldSignals signals_ = {};  // goes last: until then all others end in order
    Session session_;
    Steps steps_;
    std::size_t at_ = 0;
    std::optional<steps::Step> passed_ = {};  // just now: d and v are about this one
    Snapshot seen_ = {};
    Keys keys_ = {};
    Beside pages_{"pages.log"}, run_{"run.log"};
    std::string line_ = {},
                begin_of_line_ = {};  // what is said once run_ has printed such a line; empty: nothing

    const steps::Step& step() const { return steps_[at_]; }

    // Stays where no step has this name.
    void go_to(const std::string& name) {
        for (std::size_t i = 0; i < steps_.size(); ++i)
            if (steps_[i].name == name) at_ = i;
    }

    void show() const {
        const steps::Step& one = step();
        const States states = read_states(session_);
        const State state = state_of(states, one);
        fmt::print("\n");
        say(session_.terminal, bar(session_, states));
        say(session_.terminal, paint(session_.terminal, "1", fmt::format("{} {}", one.id(), one.name)) +
                                   fmt::format("  {}  about {}  ({})", one.difficulty_shown(),
                                               one.time_shown(), in_words(state)));
        if (one.number == 1 && state != State::passed)
            say(session_.terminal,
                fmt::format("A new chapter: read chapters/{}/README.md first (o opens it).", one.folder));
        say(session_.terminal, "Open " + one.exercise().string() + " in your editor.");
        if (state != State::missing && state != State::passed) say_task(one);
        say_keys();
    }

    void say_task(const steps::Step& one) const {
        const std::vector<std::string> tasks = tasks_of(one);
        for (std::size_t i = 0; i < tasks.size(); ++i)
            say(session_.terminal,
                (tasks.size() == 1 ? "Task: " : fmt::format("Task {} of {}: ", i + 1, tasks.size())) +
                    tasks[i]);
    }

    void say_keys() const {
        say(session_.terminal,
            "Save it, and it is checked. h hint · d solution · v run · r reset · l list · g chapter "
            "· n next · p previous · o lesson · q quit");
        std::fflush(stdout);
    }

    // Checks what was saved, and goes on where the step passes. False if q was pressed meanwhile.
    bool look() {
        const Snapshot now = snapshot_of(steps_, seen_);
        const Steps saved = saved_between(steps_, seen_, now);
        if (saved.empty()) {
            seen_ = now;
            return true;
        }
        go_to(saved.front().name);
        stop_run();
        seen_ = check_until_done(session_, steps_, saved, now);
        if (keys_.ended_meanwhile()) return false;
        const States states = read_states(session_);
        passed_.reset();
        if (state_of(states, step()) != State::passed) {
            say_keys();
            return true;
        }
        passed_ = step();
        const std::string promise =
            lesson_between(step().folder, "./tutorial check " + step().id() + "`.", "\n\n");
        if (!promise.empty()) say(session_.terminal, promise);
        say(session_.terminal,
            fmt::format("v: the program of chapter {} on your steps. d: our solution beside yours.",
                        step().chapter));
        say_done(session_, states, {step()});
        run_for_line();
        if (const auto next = next_of(steps_, states, step())) {
            go_to(next->name);
            show();
        } else {
            say_next(session_, states, step());
            say_keys();
        }
        return true;
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
        run_.start(session_,
                   {"run", std::to_string(step().chapter), "--no-install", "--mine=passed", "--", "--section",
                    named.substr(0, bar), "--plots", fs::absolute(memory::folder / "run").string()});
    }

    // Once it is there.
    void say_line() {
        if (line_.empty() || run_.runs()) return;
        std::string line = std::exchange(line_, {}) + ": ";
        const std::string found = run_.said(begin_of_line_);
        for (const char letter : found)
            if (letter != ' ' || !line.ends_with("  ")) line += letter;
        if (!found.empty()) say(session_.terminal, line);
    }

    void stop_run() {
        line_.clear();
        run_.end();
    }

    void move(std::size_t by) {
        at_ = (at_ + by) % steps_.size();
        passed_.reset();
        show();
    }

    char asked_key() const {
        std::fflush(stdout);
        while (true) {
            if (const int signal = signals_.arrived(); signal != 0) throw Interrupted{signal};
            if (const auto key = keys_.next(300)) return *key;
        }
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

    // Ctrl-C ends the program alone.
    void run_program() {
        stop_run();
        Request request;
        request.words = {std::to_string(passed_.value_or(step()).chapter)};
        request.mine = "passed";
        say(session_.terminal,
            fmt::format("The program of chapter {}; Ctrl-C ends it.", request.words.front()));
        try {
            run_programs(session_, request);
        } catch (const Interrupted& interrupted) {
            if (interrupted.signal != SIGINT) throw;
        }
        say_keys();
    }

    // Its first open step.
    void go_to_chapter(const States& states) {
        fmt::print("Chapter (its number, then Enter): ");
        std::string number;
        for (char key = asked_key(); key != '\n'; key = asked_key()) {
            if (key == 'q' || key == escape) return fmt::print("\n");
            const bool back = key == '\b' || key == '\x7f';
            const bool digit = std::isdigit(static_cast<unsigned char>(key)) != 0;
            if (digit) number += key;
            if (back && !number.empty()) number.pop_back(), fmt::print("\b \b");
            if (digit) fmt::print("{}", key);
        }
        fmt::print("\n");
        if (number.empty()) return say_keys();
        const Steps of_chapter = chosen_chapters(session_, {number}).front().steps;
        const steps::Step* const open = first_open(states, of_chapter);
        if (of_chapter.empty()) return;
        go_to((open != nullptr ? *open : of_chapter.front()).name);
        move(0);
    }

    void open_lesson() {
        const std::string log = pages_.log().string();
        if (pages_.runs()) {
            const std::string address = pages_.said("http://");
            say(session_.terminal,
                address.empty() ? "The pages are still being built: " + log : "The pages are at " + address);
        } else {
            pages_.start(session_, {"play", std::to_string(step().chapter)});
            say(session_.terminal,
                fmt::format(
                    "The lesson opens in your browser; the first time it is built. {} says how it goes.",
                    log));
        }
    }

    // False for the key that ends it.
    bool answer(char key) {
        const States states = read_states(session_);
        switch (key) {
            case 'h':
                passed_.reset();
                show_hint(session_, step());
                break;
            case 'd':
                show_solution(states);
                break;
            case 'r':
                reset_it();
                break;
            case 'l':
                fmt::print("\n");
                show_table(session_);
                say(session_.terminal, fmt::format("You are at {} {}.", step().id(), step().name));
                break;
            case 'n':
                move(1);
                break;
            case 'p':
                move(steps_.size() - 1);
                break;
            case 'v':
                run_program();
                return !keys_.ended_meanwhile();
            case 'g':
                go_to_chapter(states);
                break;
            case 'o':
                open_lesson();
                break;
            case 'q':
                return false;
            case '\n':
            case ' ':
                move(0);
                break;
            default:
                say_keys();
                break;
        }
        return true;
    }
};

}  // namespace

int lead(const Session& session) {
    memory::require_writable(session.tutorial);
    return Lead(session).follow();
}

}  // namespace tfs::tutorial
