// tools/tutorial/update.cpp · ./tutorial update: a new version, with what the learner wrote in its exercises
//
// Two halves. The first one keeps a copy of all that she wrote, and pulls. The second one is done by the runner of the new
// version, which knows what became of the steps; the file `pending` tells it that there is something to do. No file of hers is
// overwritten of which there is no copy; stubs that nobody began are in git's history.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "common/terminal/display.hpp"
#include "tools/steps/carry.hpp"
#include "tools/steps/changed.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/steps/replaced.hpp"
#include "tools/tutorial/commands.hpp"
#include "tools/tutorial/lock.hpp"
#include "tools/tutorial/memory.hpp"
#include "tools/tutorial/process.hpp"
#include "tools/tutorial/pull.hpp"

namespace tfs::tutorial {

namespace {

const fs::path updates = memory::folder / "update";
const fs::path pending = updates / "pending";  // the folder of the copies, and the commit before the update
const fs::path passed_list = "passed.txt";     // in that folder: the names of the steps that passed

// --- the first half

// A folder that does not exist yet.
fs::path new_folder() {
    for (int number = 1;; ++number)
        if (const fs::path folder = updates / std::to_string(number); !fs::exists(folder)) return folder;
}

std::string stub_of(const steps::Step& step) {
    return steps::exercise_of(steps::read_text(step.solution()), step.solution().string());
}

// Returns whether the exercise had another text, or none.
bool write_exercise(const steps::Step& step, const std::string& text) {
    if (fs::exists(step.exercise()) && steps::read_text(step.exercise()) == text) return false;
    steps::write_text(step.exercise(), text);
    return true;
}

// Whether her file has functions whose contracts have other parameters in this version: then it came here in another way than
// by an update.
bool is_outdated(const steps::Step& step) {
    return fs::exists(step.exercise()) &&
           !steps::changed_functions(steps::read_text(step.exercise()), stub_of(step)).empty();
}

// The stubs that this step had, newest first, as far as git knows them.
std::vector<std::string> stubs_of_history(const steps::Step& step) {
    std::vector<std::string> stubs;
    for (const std::string& solution : versions_of(step.solution().string())) {
        try {
            stubs.push_back(steps::exercise_of(solution, step.solution().string()));
        } catch (const steps::Error&) {
            // a solution that this version can't read
        }
    }
    return stubs;
}

// The stub that her file began as, as far as that is known: that of this version, or an earlier one.
std::string began_as(const steps::Step& step) {
    if (!is_outdated(step)) return stub_of(step);
    const std::string text = steps::read_text(step.exercise());
    for (const std::string& stub : stubs_of_history(step))
        if (steps::changed_functions(text, stub).empty()) return stub;
    return "";
}

// Whether this is a stub of an earlier version in which nobody wrote.
bool is_old_stub(const steps::Step& step) {
    const std::string text = steps::read_text(step.exercise());
    const bool may_be_stub = steps::has_gaps(text) || steps::seeks_fault(step);
    if (!may_be_stub) return false;  // git is slow
    const std::vector<std::string> stubs = stubs_of_history(step);
    return std::any_of(stubs.begin(), stubs.end(),
                       [&](const std::string& stub) { return steps::is_same_exercise(step, text, stub); });
}

// What nobody began is no work to carry over: there the stubs of this version take the place of earlier ones.
void renew_old_stubs(const Session& session) {
    const States states = read_states(session);
    std::vector<std::string> renewed;
    for (const steps::Step& step : session.tutorial.steps()) {
        const State state = state_of(states, step);
        if (state == State::missing || (state != State::stub && !is_old_stub(step))) continue;
        write_exercise(step, stub_of(step));  // a stub may still have an earlier banner
        if (state != State::stub) renewed.push_back(step.name);
    }
    if (!renewed.empty())
        say(session.terminal, fmt::format("Stubs of an earlier version that you had not begun are those of "
                                          "this version now: {}",
                                          fmt::join(renewed, ", ")));
}

// The exercises that the learner began, copied beside the stubs that they began as. Returns their paths.
std::vector<std::string> keep_exercises(const Session& session, const fs::path& folder) {
    const States states = read_states(session);
    std::vector<std::string> changed;
    std::string passed;
    for (const steps::Step& step : session.tutorial.steps()) {
        const State state = state_of(states, step);
        if (state == State::missing || state == State::stub) continue;
        steps::write_text(folder / step.exercise(), steps::read_text(step.exercise()));
        if (const std::string stub = began_as(step); !stub.empty())
            steps::write_text(folder / "stubs" / (step.name + ".cpp"), stub);
        if (state == State::passed) passed += step.name + "\n";
        changed.push_back(step.exercise().string());
    }
    steps::write_text(folder / passed_list, passed);
    return changed;
}

// Stubs that are not as in her commit, and their texts: there is nothing of hers in them, but git would not merge into them.
std::map<std::string, std::string> stubs_beside_commit(const Session& session) {
    const States states = read_states(session);
    const std::vector<std::string> other = not_as_committed("exercises");
    std::map<std::string, std::string> stubs;
    for (const steps::Step& step : session.tutorial.steps()) {
        const std::string file = step.exercise().string();
        if (state_of(states, step) == State::stub &&
            std::find(other.begin(), other.end(), file) != other.end())
            stubs[file] = steps::read_text(file);
    }
    return stubs;
}

// Files of earlier steps that still stand in exercises/, which another way of pulling left there, come to the copies.
void take_strays(const Session& session, const fs::path& folder) {
    std::string passed = fs::exists(folder / passed_list) ? steps::read_text(folder / passed_list) : "";
    for (const fs::path& stray : session.tutorial.strays()) {
        const std::string name = stray.stem().string(), text = steps::read_text(stray);
        if (!session.tutorial.earlier.contains(name) || fs::exists(folder / stray)) continue;
        steps::write_text(folder / stray, text);
        if (passed_before(name, text)) passed += name + "\n";
        fs::remove(stray);
    }
    steps::write_text(folder / passed_list, passed);
}

void put_back(const fs::path& folder, const std::vector<std::string>& changed) {
    for (const std::string& file : changed) steps::write_text(file, steps::read_text(folder / file));
    std::error_code absent;
    fs::remove(pending, absent);
}

// What another way of pulling, or a copy of exercises/, left there.
bool has_work_of_earlier_versions(const Session& session) {
    const std::vector<fs::path> strays = session.tutorial.strays();
    const Steps steps = session.tutorial.steps();
    return std::any_of(strays.begin(), strays.end(),
                       [&](const fs::path& stray) {
                           return session.tutorial.earlier.contains(stray.stem().string());
                       }) ||
           std::any_of(steps.begin(), steps.end(), is_outdated);
}

// --- the second half

struct Kept {
    std::string name;
    fs::path file;
    steps::Written written;
    bool passed = false;
};

std::vector<Kept> kept_exercises(const fs::path& folder) {
    std::vector<Kept> kept;
    const steps::Lines passed = steps::split_lines(steps::read_text(folder / passed_list));
    if (!fs::exists(folder / "exercises")) return kept;
    for (const auto& entry : fs::recursive_directory_iterator(folder / "exercises")) {
        if (!entry.is_regular_file()) continue;
        const std::string name = entry.path().stem().string();
        const fs::path stub = folder / "stubs" / (name + ".cpp");
        kept.push_back({name,
                        entry.path(),
                        {steps::read_text(entry.path()), fs::exists(stub) ? steps::read_text(stub) : ""},
                        std::find(passed.begin(), passed.end(), name) != passed.end()});
    }
    std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.file < b.file; });
    return kept;
}

// What a step is made of: its own file, if there is one; else those of the steps that it was before.
std::set<std::string> parts_of(const Session& session, const steps::Step& step,
                               const std::vector<Kept>& kept) {
    for (const Kept& one : kept)
        if (one.name == step.name) return {step.name};
    std::set<std::string> parts;
    for (const auto& [earlier, now] : session.tutorial.earlier)
        if (std::find(now.begin(), now.end(), step.name) != now.end()) parts.insert(earlier);
    return parts;
}

// What came of one step.
struct Arrival {
    bool carried = false, changed = false, passed = false;  // changed: its file has another text now
    std::vector<std::string> placed = {}, no_place = {};
};

// Work that came into the exercise otherwise, and of which there is no copy.
bool has_other_work(const steps::Step& step, const std::string& stub, const std::vector<Kept>& kept) {
    if (!fs::exists(step.exercise())) return false;
    const std::string text = steps::read_text(step.exercise());
    return text != stub &&
           std::none_of(kept.begin(), kept.end(), [&](const Kept& one) { return one.written.text == text; });
}

// Whether it is known what of these files is hers.
bool knows_stubs(const std::vector<steps::Written>& parts) {
    return std::none_of(parts.begin(), parts.end(),
                        [](const steps::Written& part) { return part.stub.empty(); });
}

// Nothing of hers has a place. If the parameters in her file are earlier ones, the stub takes its place: an outdated file would
// keep every later update from pulling.
Arrival place_nothing(const Session& session, const steps::Step& step, const std::vector<Kept>& kept,
                      const std::vector<std::string>& no_place) {
    const std::string stub = stub_of(step);
    const auto copy =
        std::find_if(kept.begin(), kept.end(), [&](const Kept& one) { return one.name == step.name; });
    if (copy == kept.end() || !is_outdated(step) || has_other_work(step, stub, kept))
        return {.no_place = no_place};
    steps::write_text(step.exercise(), stub);
    say(session.terminal, fmt::format("{} is the stub of this version now; what you had there fits none of "
                                      "its gaps, and is kept in {}",
                                      step.exercise().string(), copy->file.string()));
    return {.changed = true};
}

Arrival carry_into(const Session& session, const steps::Step& step, const std::vector<Kept>& kept) {
    const std::set<std::string> parts = parts_of(session, step, kept);
    std::vector<steps::Written> written;
    std::vector<std::string> names;
    std::size_t passed = 0;
    for (const Kept& one : kept) {
        if (!parts.contains(one.name)) continue;
        written.push_back(one.written);
        names.push_back(one.name);
        passed += one.passed ? 1 : 0;
    }
    if (written.empty()) return {};
    const std::string stub = stub_of(step);
    const steps::Carried carried = steps::carried_over(written, step, stub);
    if (carried.placed.empty())
        return place_nothing(session, step, kept,
                             knows_stubs(written) ? carried.no_place : std::vector<std::string>{});
    if (has_other_work(step, stub, kept)) {
        say(session.terminal,
            fmt::format("{} has other work of yours, and stays as it is", step.exercise().string()));
        return {};
    }
    const bool changed = write_exercise(step, carried.text);
    const bool same = carried.exact && carried.open.empty() &&
                      !steps::holds_replaced(carried.text, step.name, steps::read_replaced(session.tutorial));
    Arrival arrival{true, changed, same && passed == parts.size(), carried.placed, carried.no_place};
    if (arrival.passed) remember_passed(session.tutorial, step);
    const std::string open =
        carried.open.empty() ? "" : fmt::format("; still open: {}", fmt::join(carried.open, ", "));
    if (names != std::vector<std::string>{step.name} || !open.empty())
        say(session.terminal,
            fmt::format("{} {} has your {}{}", step.id(), step.name, fmt::join(names, " and "), open));
    return arrival;
}

// What came of all steps.
struct Arrivals {
    std::size_t carried = 0, changed = 0, passed = 0;
    std::set<std::string> placed, no_place;

    void add(const Arrival& arrival) {
        carried += arrival.carried ? 1 : 0;
        changed += arrival.changed ? 1 : 0;
        passed += arrival.passed ? 1 : 0;
        placed.insert(arrival.placed.begin(), arrival.placed.end());
        no_place.insert(arrival.no_place.begin(), arrival.no_place.end());
    }
};

// How many of the exercises that got something passed before.
std::string passed_in_words(std::size_t passed, std::size_t carried) {
    if (carried == 1)
        return passed == 1 ? "It passed before and counts as passed." : "It did not pass before.";
    if (passed == 0) return "None of them passed before.";
    if (passed == carried) return "All of them passed before and count as passed.";
    return fmt::format("{} of them passed before and count{} as passed.", passed, passed == 1 ? "s" : "");
}

void say_what_came(const Session& session, const fs::path& folder, const std::vector<Kept>& kept,
                   const Arrivals& all) {
    for (const Kept& one : kept) {
        const auto earlier = session.tutorial.earlier.find(one.name);
        if (earlier != session.tutorial.earlier.end() && earlier->second.empty())
            say(session.terminal,
                fmt::format("{} is no step any more; your file is kept in {}", one.name, one.file.string()));
    }
    for (const std::string& function : all.no_place)
        if (!all.placed.contains(function))
            say(session.terminal, fmt::format("{} could not be put into a gap; yours is in {}", function,
                                              (folder / "exercises").string()));
    if (all.carried > 0)
        say(session.terminal,
            fmt::format(
                "What you wrote is in {} of this version. {} ./tutorial check tries {} against its tests. "
                "Copies of all are in {}",
                all.carried == 1 ? "one exercise" : fmt::format("{} exercises", all.carried),
                passed_in_words(all.passed, all.carried), all.carried == 1 ? "it" : "them",
                harmless(folder.string())));
}

// Returns whether an exercise has another text now.
bool carry(const Session& session, const fs::path& folder) {
    const std::vector<Kept> kept = kept_exercises(folder);
    Arrivals all;
    for (const steps::Step& step : session.tutorial.steps()) all.add(carry_into(session, step, kept));
    say_what_came(session, folder, kept, all);
    std::error_code absent;
    fs::remove(pending, absent);
    return all.changed > 0;
}

// What another way of pulling left in exercises/ comes into its place. Returns whether an exercise has another text now.
bool take_over_earlier_versions(const Session& session) {
    renew_old_stubs(session);
    if (!has_work_of_earlier_versions(session)) return false;
    const fs::path folder = new_folder();
    keep_exercises(session, folder);
    take_strays(session, folder);
    return carry(session, folder);
}

// What is begun is ended: where the new version has arrived, what she wrote comes into it; else it comes back. Returns whether
// the first is the case.
bool has_arrived(const Session& session, const steps::Lines& begun) {
    if (begun.size() < 2 || commit_now() != begun[1]) return true;
    std::vector<std::string> back;
    const std::vector<Kept> kept = kept_exercises(begun[0]);
    for (const steps::Step& step : session.tutorial.steps())
        if (fs::exists(fs::path(begun[0]) / step.exercise()) && !has_other_work(step, stub_of(step), kept))
            back.push_back(step.exercise().string());
    put_back(begun[0], back);
    return false;
}

// Keeps what she wrote, and pulls; all is as it was where that fails.
void keep_and_pull(const Session& session, const fs::path& folder) {
    const std::vector<std::string> changed = keep_exercises(session, folder);
    const std::map<std::string, std::string> stubs = stubs_beside_commit(session);
    std::vector<std::string> replaced = changed;
    for (const auto& [file, text] : stubs) replaced.push_back(file);
    steps::write_text(pending, folder.string() + "\n" + commit_now() + "\n");
    try {
        pull(replaced);
    } catch (...) {
        for (const auto& [file, text] : stubs) steps::write_text(file, text);
        put_back(folder, changed);
        throw;
    }
}

// The new version is here, and its runner goes on.
int go_on(const Session& session, const fs::path& folder) {
    std::vector<std::string> words = {"./tutorial", "update"};
    if (!session.install) words.emplace_back("--no-install");
    std::fflush(stdout);
    const int code =
        exit_code(run({.words = words, .output = Command::Output::inherited, .own_group = false}));
    if (code != 0)
        say(session.terminal,
            fmt::format("What you wrote is kept in {}; ./tutorial update puts it into its place.",
                        folder.string()));
    return code;
}

}  // namespace

int update(const Session& session) {
    memory::require_writable(session.tutorial);
    fs::create_directories(updates);
    fs::path folder;
    {
        const BuildLock one_at_a_time(updates, {});
        if (fs::exists(pending)) {
            const steps::Lines begun = steps::split_lines(steps::read_text(pending));
            if (has_arrived(session, begun)) {
                carry(session, begun.at(0));
                return 0;
            }
        }
        if (take_over_earlier_versions(session)) return 0;
        require_clone();
        const std::size_t news = count_new_commits();
        if (news == 0) {
            say(session.terminal, "There is no newer version.");
            return 0;
        }
        folder = new_folder();
        keep_and_pull(session, folder);
        say(session.terminal,
            fmt::format("This is the new version now ({} new {}).", news, news == 1 ? "commit" : "commits"));
    }
    return go_on(session, folder);
}

}  // namespace tfs::tutorial
