// tools/tutorial/lead.cpp · ./tutorial watch on a terminal: one step after the other, with keys
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cctype>
#include <csignal>
#include <optional>

#include "common/terminal/display.hpp"
#include "tools/tutorial/build.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/watching.hpp"

namespace tfs::tutorial {

namespace {

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
            std::string address;
            for (const std::string& line : steps::split_lines(steps::read_text(log_)))
                if (const std::size_t at = line.find("http://"); at != std::string::npos)
                    address = line.substr(at);
            say(session.terminal, address.empty() ? "The pages are still being built: " + log_.string()
                                                  : "The pages are at " + address);
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
        // Where the learner was, or what is open behind it; at first the first step.
        const States states = read_states(session_);
        go_to(memory::last_step());
        if (state_of(states, step()) == State::passed) at_ = next_open(states).value_or(at_);
    }

    int follow() {
        try {
            build_ahead(session_, {step()});
            seen_ = snapshot_of(steps_);
            show();
            while (signals_.arrived() == 0) {
                keys_.take();  // also after Ctrl-Z and fg
                if (const auto key = keys_.next(300); key && !answer(*key)) break;
                if (!look()) break;
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
    std::optional<steps::Step> passed_ = {};  // the last one
    Snapshot seen_ = {};
    Keys keys_ = {};
    Pages pages_ = {};

    const steps::Step& step() const { return steps_[at_]; }

    // Stays where no step has this name.
    void go_to(const std::string& name) {
        for (std::size_t i = 0; i < steps_.size(); ++i)
            if (steps_[i].name == name) at_ = i;
    }

    // "███░░░ 4 of 60 steps"
    std::string bar(const States& states) const {
        std::size_t passed = 0, all = 0;
        for (const steps::Step& one : steps_) {
            const bool passes = state_of(states, one) == State::passed;
            passed += passes ? 1 : 0;
            all += passes || !one.optional ? 1 : 0;
        }
        constexpr std::size_t cells = 20;
        const std::size_t full = all == 0 ? 0 : (cells * passed + all - 1) / all;
        std::string text;
        for (std::size_t i = 0; i < cells; ++i)
            text += session_.terminal.ascii ? (i < full ? "#" : ".") : (i < full ? "█" : "░");
        return fmt::format("{} {} of {} steps", text, passed, all);
    }

    void show() const {
        const steps::Step& one = step();
        const States states = read_states(session_);
        const State state = state_of(states, one);
        fmt::print("\n");
        say(session_.terminal, bar(states));
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
            "Save it, and it is checked. h hint · d solution · r reset · l list · n next · p previous · o "
            "lesson · q quit");
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
        seen_ = check_until_done(session_, steps_, saved, now);
        if (keys_.ended_meanwhile()) return false;
        const States states = read_states(session_);
        if (state_of(states, step()) != State::passed) {
            say_keys();
            return true;
        }
        passed_ = step();
        const std::string promise = promise_of(step());
        if (!promise.empty()) say(session_.terminal, promise);
        if (promise.find("./tutorial run") == std::string::npos)
            say(session_.terminal,
                fmt::format("See it run: ./tutorial run {} --mine=passed", step().chapter));
        say(session_.terminal, "Our solution beside yours: d.");
        say_done(session_, states, {step()});
        if (const auto next = next_open(states)) {
            at_ = *next;
            show();
        } else {
            say(session_.terminal, "All steps pass.");
        }
        return true;
    }

    // The next open step: of those behind this one first.
    std::optional<std::size_t> next_open(const States& states) const {
        for (std::size_t i = 1; i < steps_.size(); ++i) {
            const std::size_t next = (at_ + i) % steps_.size();
            if (!steps_[next].optional && state_of(states, steps_[next]) != State::passed) return next;
        }
        return {};
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
                    say(session_.terminal, fmt::format("You are at {} {}.", step().id(), step().name));
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
                    say_keys();
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
