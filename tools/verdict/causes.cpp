// tools/verdict/causes.cpp
#include "tools/verdict/causes.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <compare>
#include <cstdlib>
#include <map>
#include <set>

namespace tfs::verdict {

namespace {

// Rounding is not the same in another order of operations.
bool is_near(double a, double b, double relative, double absolute) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b)) return a == b;
    return std::abs(a - b) <= std::max(absolute, 1e-6) + std::max(relative, 1e-4) * std::abs(b);
}

bool begins_number(const std::string& text, std::size_t at) {
    const auto digit = [&](std::size_t i) {
        return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
    };
    return digit(at) || ((text[at] == '-' || text[at] == '.') && digit(at + 1));
}

// Equal texts, but that numbers with a fraction may differ by rounding, and a NaN has no sign.
bool same(const std::string& a, const std::string& b) {
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (begins_number(a, i) && begins_number(b, j)) {
            char *a_end = nullptr, *b_end = nullptr;
            const double x = std::strtod(a.c_str() + i, &a_end), y = std::strtod(b.c_str() + j, &b_end);
            const std::string first(a.c_str() + i, static_cast<const char*>(a_end)),
                second(b.c_str() + j, static_cast<const char*>(b_end));
            const bool fraction = (first + second).find_first_of(".e") != std::string::npos;
            if (fraction ? !is_near(x, y, 0, 0) : first != second) return false;
            i += first.size(), j += second.size();
            continue;
        }
        if (a.compare(i, 4, "-nan") == 0) ++i;
        if (b.compare(j, 4, "-nan") == 0) ++j;
        if (a[i++] != b[j++]) return false;
    }
    return i == a.size() && j == b.size();
}

bool same(const Came& a, const Came& b) {
    if (a.shape != b.shape || !same(a.text, b.text) || a.values.size() != b.values.size()) return false;
    for (std::size_t i = 0; i < a.values.size(); ++i)
        if (!is_near(a.values[i], b.values[i], 2 * a.relative, 2 * a.absolute)) return false;
    return true;
}

bool same(const Failure& a, const Failure& b) {
    if (a.exception != b.exception) return false;
    if (a.came.empty() || b.came.empty()) return a.came == b.came && same(a.message, b.message);
    return a.came == b.came || same(came_of(a.came), came_of(b.came));
}

// One comparison of the tests: its test, its place, its number there, and which it is of those with the same number.
struct Key {
    std::string test, where;
    std::size_t number, occurrence;
    auto operator<=>(const Key&) const = default;
};

// The wrong ones of a record. A test that was cut short has one more, with how it ended.
std::map<Key, Failure> wrong_comparisons(const Record& record, const Ending& ending) {
    std::map<Key, Failure> wrong;
    for (const Outcome& test : record.outcomes) {
        if (!test.failed()) continue;
        for (const Failure& failure : test.failures) {
            Key key{test.name, failure.where, failure.number, 0};
            while (wrong.contains(key)) ++key.occurrence;
            wrong[key] = failure;
        }
        if (test.finished) continue;
        const bool in_time = ending.kind != Ending::Kind::time_limit;
        wrong[{test.name, "the end", 0, 0}] = {std::to_string(static_cast<int>(ending.kind)) + " " +
                                               std::to_string(in_time ? ending.code : 0)};
    }
    return wrong;
}

// How far a learner's tests came: a comparison that is not among the wrong ones came right, or was never made.
class Right {
  public:
    Right(const Record& record, const std::map<Key, Failure>& wrong) : wrong_(wrong) {
        for (const Outcome& test : record.outcomes)
            if (test.finished && !test.left_out && test.waits_for().empty())
                tests_[test.name] = std::none_of(test.failures.begin(), test.failures.end(),
                                                 [](const Failure& failure) { return failure.last; });
        for (const auto& [key, failure] : wrong) last_[key.test] = std::max(last_[key.test], key.number);
    }
    bool contains(const Key& key) const {
        const auto test = tests_.find(key.test);
        if (test == tests_.end() || wrong_.contains(key)) return false;
        const auto last = last_.find(key.test);
        return test->second || (last != last_.end() && key.number <= last->second);
    }

  private:
    const std::map<Key, Failure>& wrong_;
    std::map<std::string, bool> tests_ = {};  // whether they came to their end
    std::map<std::string, std::size_t> last_ = {};
};

// Bits: one for each of her wrong comparisons.
using Bits = std::vector<bool>;

std::size_t count(const Bits& bits) {
    return static_cast<std::size_t>(std::count(bits.begin(), bits.end(), true));
}
Bits either(Bits a, const Bits& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] || b[i];
    return a;
}
Bits both(Bits a, const Bits& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] && b[i];
    return a;
}
bool within(const Bits& a, const Bits& b) { return both(a, b) == a; }

struct Candidate {
    const Known* known;
    Bits explained, contradicted;
    std::set<std::string> more = {};  // tests that it would fail in what comes right for her
};
using Set = std::vector<const Candidate*>;

class Search {
  public:
    Search(const Record& hers, const Ending& ending, const std::vector<Known>& mistakes)
        : wrong_(wrong_comparisons(hers, ending)) {
        std::set<std::string> run;
        for (const Known& known : mistakes)
            for (const Outcome& test : known.record.outcomes) run.insert(test.name);
        std::erase_if(wrong_, [&](const auto& one) { return !run.contains(one.first.test); });
        all_.assign(wrong_.size(), true);
        const Right right(hers, wrong_);
        for (const Known& known : mistakes) {
            Candidate one{&known, Bits(all_.size()), Bits(all_.size())};
            const auto its = wrong_comparisons(known.record, known.record.ending);
            std::size_t i = 0;
            for (const auto& [key, failure] : wrong_) {
                if (const auto found = its.find(key); found != its.end())
                    (same(failure, found->second) ? one.explained : one.contradicted)[i] = true;
                ++i;
            }
            for (const auto& [key, failure] : its)
                if (right.contains(key)) one.more.insert(key.test);
            if (count(one.explained) + count(one.contradicted) > 0) candidates_.push_back(one);
        }
    }

    std::vector<Cause> causes() const {
        if (all_.empty()) return {};
        std::vector<Set> best;
        for (const std::size_t size : {1U, 2U, 3U})
            if (best.empty()) best = clean(size);
        if (best.empty()) best = meeting_pairs();
        if (best.empty()) best = with_one_test_more();
        if (best.empty()) best = part();
        return told(best);
    }

    std::vector<std::string> pairs() const {
        std::vector<std::pair<std::size_t, std::string>> found;
        const auto add = [&](const Candidate& a, const Candidate& b) {
            const Bits failed =
                either(either(a.explained, a.contradicted), either(b.explained, b.contradicted));
            if (failed != all_ || a.known->name.find('+') != std::string::npos ||
                b.known->name.find('+') != std::string::npos)
                return;
            found.emplace_back(all_.size() - count(either(a.explained, b.explained)),
                               a.known->name + "+" + b.known->name);
        };
        for (std::size_t i = 0; i < candidates_.size(); ++i)
            for (std::size_t j = i + 1; j < candidates_.size(); ++j)
                if (is_hers(candidates_[i]) && is_hers(candidates_[j])) add(candidates_[i], candidates_[j]);
        std::stable_sort(found.begin(), found.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        constexpr std::size_t most = 16;
        if (found.size() > most) found.resize(most);
        std::vector<std::string> names;
        for (const auto& [unexplained, name] : found) names.push_back(name);
        return names;
    }

  private:
    std::map<Key, Failure> wrong_;
    Bits all_ = {};
    std::vector<Candidate> candidates_ = {};

    bool is_hers(const Candidate& one) const { return one.more.empty(); }
    bool contradicts(const Candidate& one) const { return count(one.contradicted) > 0; }

    // Sets of so many that contradict nothing and explain all together.
    std::vector<Set> clean(std::size_t size) const {
        std::vector<Set> found;
        add_clean(found, {}, Bits(all_.size()), 0, size);
        return found;
    }
    void add_clean(std::vector<Set>& found, Set set, const Bits& explained, std::size_t from,
                   std::size_t more) const {
        if (more == 0 && explained == all_) found.push_back(set);
        if (more == 0) return;
        set.push_back(nullptr);
        for (std::size_t i = from; i < candidates_.size(); ++i) {
            const Candidate& one = candidates_[i];
            if (!is_hers(one) || contradicts(one)) continue;
            set.back() = &one;
            add_clean(found, set, either(explained, one.explained), i + 1, more - 1);
        }
    }
    // Each explains something that the other does not, and they meet in the rest.
    bool meet(const Candidate& a, const Candidate& b) const {
        if (!is_hers(a) || !is_hers(b) || within(a.explained, b.explained) ||
            within(b.explained, a.explained))
            return false;
        const Bits meeting = both(a.contradicted, b.contradicted), known = either(a.explained, b.explained);
        return either(known, meeting) == all_ && within(a.contradicted, either(b.explained, meeting)) &&
               within(b.contradicted, either(a.explained, meeting)) && 4 * count(meeting) <= all_.size();
    }
    std::vector<Set> meeting_pairs() const {
        std::vector<Set> found;
        for (std::size_t i = 0; i < candidates_.size(); ++i)
            for (std::size_t j = i + 1; j < candidates_.size(); ++j)
                if (meet(candidates_[i], candidates_[j])) found.push_back({&candidates_[i], &candidates_[j]});
        return found;
    }
    std::vector<Set> with_one_test_more() const {
        std::vector<Set> found;
        for (const Candidate& one : candidates_)
            if (one.explained == all_ && one.more.size() == 1 && tests_of(one).size() > 1)
                found.push_back({&one});
        return found;
    }
    std::vector<Set> part() const {
        std::size_t most = 0;
        for (const Candidate& one : candidates_)
            if (is_hers(one) && !contradicts(one)) most = std::max(most, count(one.explained));
        std::vector<Set> found;
        for (const Candidate& one : candidates_)
            if (is_hers(one) && !contradicts(one) && count(one.explained) == most &&
                5 * most >= 2 * all_.size())
                found.push_back({&one});
        return found;
    }

    std::vector<std::string> tests_of(const Candidate& one) const {
        std::vector<std::string> tests;
        std::size_t i = 0;
        for (const auto& [key, failure] : wrong_)
            if (one.explained[i++] && (tests.empty() || tests.back() != key.test)) tests.push_back(key.test);
        return tests;
    }

    static std::vector<std::string> sentences_of(const Set& set) {
        std::vector<std::string> all;
        for (const Candidate* one : set)
            all.insert(all.end(), one->known->sentences.begin(), one->known->sentences.end());
        return all;
    }

    // What all of these sets say.
    std::vector<Cause> told(const std::vector<Set>& sets) const {
        std::vector<Cause> causes;
        for (std::size_t i = 0; !sets.empty() && i < sets.front().size(); ++i)
            for (const std::string& sentence : sets.front()[i]->known->sentences) {
                const bool by_all = std::all_of(sets.begin(), sets.end(), [&](const Set& set) {
                    const auto all = sentences_of(set);
                    return std::find(all.begin(), all.end(), sentence) != all.end();
                });
                const bool again = std::any_of(causes.begin(), causes.end(), [&](const Cause& cause) {
                    return cause.sentence == sentence;
                });
                if (by_all && !again) causes.push_back({sentence, tests_of(*sets.front()[i])});
            }
        return causes;
    }
};

}  // namespace

std::vector<Cause> causes_of(const Record& hers, const Ending& ending, const std::vector<Known>& mistakes) {
    return Search(hers, ending, mistakes).causes();
}

std::vector<std::string> likely_pairs(const Record& hers, const Ending& ending,
                                      const std::vector<Known>& mistakes) {
    return Search(hers, ending, mistakes).pairs();
}

Known pair_of(const std::vector<Known>& mistakes, const std::string& pair, const Record& record) {
    Known both{pair, {}, record};
    const std::size_t plus = pair.find('+');
    for (const std::string& name : {pair.substr(0, plus), pair.substr(plus + 1)})
        for (const Known& one : mistakes)
            if (one.name == name)
                both.sentences.insert(both.sentences.end(), one.sentences.begin(), one.sentences.end());
    return both;
}

}  // namespace tfs::verdict
