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

#include "common/terminal/display.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/tutorial/build.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/watching.hpp"

namespace tfs::tutorial {

namespace {

// While one lives, each key comes at once and is not shown. Ctrl-C stays a signal.
class Keys {
  public:
    Keys() : is_terminal_(::tcgetattr(STDIN_FILENO, &before_) == 0) { take(); }
    ~Keys() { give_back(); }
    Keys(const Keys&) = delete;
    Keys& operator=(const Keys&) = delete;

    // The next key; none where none comes in time.
    std::optional<char> next(int milliseconds) const {
        pollfd input{STDIN_FILENO, POLLIN, 0};
        char key = 0;
        if (::poll(&input, 1, milliseconds) <= 0) return {};
        if (::read(STDIN_FILENO, &key, 1) != 1) return 'q';  // its terminal is gone
        return static_cast<char>(std::tolower(static_cast<unsigned char>(key)));
    }
    // Keys that were pressed while nobody looked.
    void forget() const { ::tcflush(STDIN_FILENO, TCIFLUSH); }
    // Around a program that has the terminal.
    void give_back() const {
        if (is_terminal_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
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

// The pages of ./tutorial play, beside this; they end with it.
class Pages {
  public:
    Pages() = default;
    ~Pages() {
        if (child_ > 0) ::kill(-child_, SIGTERM);
    }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;

    void open(const Session& session, const steps::Step& step) {
        if (child_ > 0 && ::waitpid(child_, nullptr, WNOHANG) == 0) {
            say(session.terminal,
                "The pages are open in your browser; the server says more in " + log_.string());
            return;
        }
        const std::string root = "--root=" + session.tutorial.root.string(),
                          caller = "--caller=" + session.caller.string(), runner = session.runner.string(),
                          chapter = std::to_string(step.chapter);
        std::fflush(nullptr);
        child_ = ::fork();
        if (child_ != 0) {
            say(session.terminal,
                fmt::format(
                    "The lesson opens in your browser; the first time it is built. {} says how it goes.",
                    log_.string()));
            return;
        }
        ::setpgid(0, 0);
        HeldSignals::release_all();
        if (std::freopen(log_.c_str(), "w", stdout) != nullptr) ::dup2(STDOUT_FILENO, STDERR_FILENO);
        ::execl(runner.c_str(), runner.c_str(), root.c_str(), caller.c_str(), "play", chapter.c_str(),
                nullptr);
        ::_exit(127);
    }

  private:
    fs::path log_ = memory::folder / "pages.log";
    pid_t child_ = 0;
};

// The first task that stands in the file: what follows "TODO N.M: ", to the end of the comment.
std::string task_of(const steps::Step& step) {
    std::string task;
    for (const std::string& line : steps::split_lines(steps::read_text(step.exercise()))) {
        const std::string text{steps::trimmed(line)}, mark = "// TODO " + step.id() + ": ";
        if (text.starts_with(mark)) {
            if (!task.empty()) break;
            task = text.substr(mark.size());
        } else if (!task.empty() && text.starts_with("// ")) {
            task += text.substr(2);
        } else if (!task.empty()) {
            break;
        }
    }
    return task;
}

// What the lesson says behind "./tutorial check N.M": what the learner can do now.
std::string promise_of(const steps::Step& step) {
    const std::string text = steps::read_text("chapters/" + step.folder + "/README.md"),
                      mark = "./tutorial check " + step.id() + "`.";
    const std::size_t found = text.find(mark);
    if (found == std::string::npos) return {};
    const std::size_t begin = found + mark.size(), end = text.find("\n\n", begin);
    std::string promise;
    for (const std::string& line : steps::split_lines(text.substr(begin, end - begin)))
        promise += (promise.empty() ? "" : " ") + std::string(steps::trimmed(line));
    return promise;
}

class Lead {
  public:
    explicit Lead(const Session& session) : session_(session), steps_(session.tutorial.steps()) {
        session_.leads = true;
        const States states = read_states(session_);
        const std::string last = memory::last_step();
        const steps::Step* open = first_begun(states, steps_);
        if (open == nullptr) open = first_open(states, steps_);
        at_ = open == nullptr ? 0 : static_cast<std::size_t>(open - steps_.data());
        for (std::size_t i = 0; i < steps_.size(); ++i)
            if (steps_[i].name == last && state_of(states, steps_[i]) != State::passed) at_ = i;
    }

    int follow() {
        const HeldSignals signals;
        try {
            build_ahead(session_, {step()});
            seen_ = snapshot_of(steps_);
            show();
            while (signals.arrived() == 0) {
                if (const auto key = keys_.next(300); key && !answer(*key)) break;
                look();
            }
        } catch (const Interrupted&) {
        }
        say(session_.terminal, "\nNo longer watching. What you wrote is in exercises/.");
        return 0;
    }

  private:
    Session session_;
    Steps steps_;
    std::size_t at_ = 0;
    std::optional<steps::Step> passed_ = {};  // the last one
    Snapshot seen_ = {};
    Keys keys_ = {};
    Pages pages_ = {};

    const steps::Step& step() const { return steps_[at_]; }

    // "███░░░ 4 of 60 steps"
    std::string bar() const {
        const States states = read_states(session_);
        std::size_t passed = 0, all = 0;
        for (const steps::Step& one : steps_) {
            const bool passes = state_of(states, one) == State::passed;
            passed += passes ? 1 : 0;
            all += passes || !one.optional ? 1 : 0;
        }
        constexpr std::size_t cells = 20;
        const std::size_t full = all == 0 ? 0 : cells * passed / all;
        std::string text;
        for (std::size_t i = 0; i < cells; ++i)
            text += session_.terminal.ascii ? (i < full ? "#" : ".") : (i < full ? "█" : "░");
        return fmt::format("{} {} of {} steps", text, passed, all);
    }

    void show() const {
        const steps::Step& one = step();
        const State state = state_of(read_states(session_), one);
        fmt::print("\n");
        say(session_.terminal, bar());
        say(session_.terminal, paint(session_.terminal, "1", fmt::format("{} {}", one.id(), one.name)) +
                                   fmt::format("  {}  about {}  ({})", one.difficulty_shown(),
                                               one.time_shown(), in_words(state)));
        if (one.number == 1)
            say(session_.terminal,
                fmt::format("A new chapter: read chapters/{}/README.md first (o opens it).", one.folder));
        say(session_.terminal, "Open " + one.exercise().string() + " in your editor.");
        if (const std::string task = state == State::missing ? "" : task_of(one); !task.empty())
            say(session_.terminal, "Task: " + task);
        say(session_.terminal,
            "Save it, and it is checked. h hint · d solution · r reset · l list · n next · p previous · o "
            "lesson · q quit");
        std::fflush(stdout);
    }

    // Checks what was saved, and goes on where the step passes.
    void look() {
        const Snapshot now = snapshot_of(steps_, seen_);
        const Steps saved = saved_between(steps_, seen_, now);
        if (saved.empty()) {
            seen_ = now;
            return;
        }
        for (std::size_t i = 0; i < steps_.size(); ++i)
            if (steps_[i].name == saved.front().name) at_ = i;
        seen_ = check_until_done(session_, steps_, saved, now);
        keys_.forget();
        const States states = read_states(session_);
        if (state_of(states, step()) != State::passed) return;
        passed_ = step();
        if (const std::string promise = promise_of(step()); !promise.empty()) say(session_.terminal, promise);
        say(session_.terminal,
            fmt::format("See it run: ./tutorial run {} --mine=passed. Our solution beside yours: d.",
                        step().chapter));
        say_done(session_, states, {step()});
        go_on(states);
    }

    // To the next open step: of those behind this one first.
    void go_on(const States& states) {
        for (std::size_t i = 1; i < steps_.size(); ++i) {
            const std::size_t next = (at_ + i) % steps_.size();
            if (steps_[next].optional || state_of(states, steps_[next]) == State::passed) continue;
            at_ = next;
            show();
            return;
        }
        say(session_.terminal, "All steps pass.");
    }

    void move(std::size_t by) {
        at_ = (at_ + by) % steps_.size();
        show();
    }

    void reset_it() {
        fmt::print("Reset {} to the untouched stub? Your version is kept in .tutorial/backup. [y/N] ",
                   step().exercise().string());
        std::fflush(stdout);
        std::optional<char> key;
        while (!key) key = keys_.next(1000);
        fmt::print("{}\n", *key == 'y' ? "y" : "n");
        if (*key == 'y') reset(session_, step());
        seen_ = snapshot_of(steps_);
    }

    // Of this step if it passes, else of the one that passed last.
    void show_solution(const States& states) const {
        const steps::Step& asked = state_of(states, step()) == State::passed || !passed_ ? step() : *passed_;
        if (state_of(states, asked) == State::passed) {
            show_diff(session_, asked, true);
        } else {
            say(session_.terminal,
                fmt::format(
                    "The solution is shown when the step passes. To see it all the same: ./tutorial diff {}",
                    asked.id()));
        }
    }

    // False for the key that ends it.
    bool answer(char key) {
        try {
            const States states = read_states(session_);
            switch (key) {
                case 'h':
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
                    break;
                case 'n':
                    move(1);
                    break;
                case 'p':
                    move(steps_.size() - 1);
                    break;
                case 'o':
                    pages_.open(session_, step());
                    break;
                case 'q':
                    return false;
                case '\n':
                case ' ':
                    show();
                    break;
                default:
                    break;
            }
        } catch (const Refusal& refusal) {
            fmt::print(stderr, "tutorial: {}\n", refusal.what());
        } catch (const Exit&) {  // it has said why
        }
        std::fflush(stdout);
        return true;
    }
};

}  // namespace

int lead(const Session& session) {
    memory::require_writable(session.tutorial);
    return Lead(session).follow();
}

}  // namespace tfs::tutorial
