// tools/steps/mistake.cpp · answers to a step that are kept, told as edits of its solution
#include "tools/steps/mistake.hpp"

#include <algorithm>
#include <utility>

#include "tools/steps/gaps.hpp"

namespace tfs::steps {

namespace {

void add_line(Hunk& hunk, const std::string& line, const std::string& where) {
    const std::string text = line.substr(1);
    if (line[0] != ' ' && line[0] != '-' && line[0] != '+')
        throw Error(where + ": a line begins with \" \" (stays), \"-\" (goes out) or \"+\" (comes in)");
    if (line[0] != '+') hunk.before.push_back(text);
    if (line[0] != '-') hunk.after.push_back(text);
}

void require_changes(const Mistake& mistake, const std::string& where) {
    if (mistake.hunks.empty()) throw Error(where + ": it changes nothing");
    for (const Hunk& hunk : mistake.hunks)
        if (hunk.before.empty() || hunk.before == hunk.after)
            throw Error(mistake.file.filename().string() + ":" + std::to_string(hunk.line) +
                        ": a hunk has a line of the solution, and changes something");
}

// "# unseen by_row: the rows …": kind, name and the beginning of the sentence.
Mistake begun(const fs::path& file, const std::string& line, const std::string& where) {
    Mistake mistake;
    mistake.file = file;
    std::string text = line.substr(2);
    for (const auto& [word, kind] :
         {std::pair("fault ", Mistake::Kind::fault), std::pair("right ", Mistake::Kind::right),
          std::pair("unseen ", Mistake::Kind::unseen)})
        if (text.starts_with(word)) {
            mistake.kind = kind;
            text.erase(0, std::string(word).size());
        }
    const std::size_t colon = text.find(": ");
    mistake.name = text.substr(0, colon);
    const bool right = mistake.kind == Mistake::Kind::right;
    if (mistake.name.empty() || mistake.name.find(' ') != std::string::npos ||
        right != (colon == std::string::npos))
        throw Error(where + ": an answer begins like: # wrong_axis: what the learner reads");
    if (!right) mistake.sentences = {text.substr(colon + 2)};
    return mistake;
}

constexpr std::string_view opens = "⟨", closes = "⟩", alternative = "⟨or⟩";

// The line with its alternative number n in place of each "⟨a ⟨or⟩ b⟩"; false where there is none of this number.
bool choose(std::string& line, std::size_t n) {
    for (std::size_t begin; (begin = line.find(opens)) != std::string::npos;) {
        std::vector<std::string> found;
        std::size_t at = begin + opens.size();
        for (bool more = true; more;) {
            const std::size_t next = line.find(alternative, at), end = line.find(closes, at);
            more = next < end;
            if (!more && end == std::string::npos) return false;
            found.emplace_back(trimmed(std::string_view(line).substr(at, (more ? next : end) - at)));
            at = more ? next + alternative.size() : end + closes.size();
        }
        if (n >= found.size()) return false;
        line.replace(begin, at - begin, found[n]);
    }
    return true;
}

void add_alternatives(std::vector<Mistake>& all, const Mistake& mistake) {
    const auto has_any = [](const Hunk& hunk) {
        return join_lines(hunk.after).find(opens) != std::string::npos;
    };
    const bool any = std::any_of(mistake.hunks.begin(), mistake.hunks.end(), has_any);
    for (std::size_t n = 0; n == 0 || any; ++n) {
        Mistake one = mistake;
        if (n > 0) one.name += "~" + std::to_string(n + 1);
        for (Hunk& hunk : one.hunks)
            for (std::string& line : hunk.after)
                if (!choose(line, n)) return;
        all.push_back(one);
    }
}

// Two or more faults at once.
void add_combinations(std::vector<Mistake>& all) {
    std::vector<Mistake> faults;
    for (const Mistake& mistake : all)
        if (mistake.kind == Mistake::Kind::fault) faults.push_back(mistake);
    for (std::size_t set = 0; set < std::size_t{1} << faults.size(); ++set) {
        Mistake together;
        for (std::size_t i = 0; i < faults.size(); ++i) {
            if ((set >> i & 1) == 0) continue;
            const Mistake& fault = faults[i];
            together.file = fault.file;
            together.kind = fault.kind;
            together.name += (together.name.empty() ? "" : "+") + fault.name;
            together.sentences.push_back(fault.sentences.front());
            together.hunks.insert(together.hunks.end(), fault.hunks.begin(), fault.hunks.end());
        }
        if (together.sentences.size() > 1) all.push_back(together);
    }
}

}  // namespace

std::string Mistake::step() const {
    const std::string full = file.filename().string();
    return full.substr(0, full.find('.'));
}

std::string Mistake::title() const {
    return (kind == Kind::right ? "right " : kind == Kind::unseen ? "unseen " : "") + name;
}

std::vector<Mistake> read_mistakes(const fs::path& file) {
    const std::string text = read_text(file);
    const Lines lines = split_lines(is_hidden(text) ? revealed(text) : text);
    const auto where = [&](std::size_t line) {
        return file.filename().string() + ":" + std::to_string(line);
    };
    std::vector<Mistake> all;
    Mistake mistake;
    bool in_head = false;
    const auto finish = [&](std::size_t line) {
        if (mistake.name.empty()) return;
        std::erase_if(mistake.hunks, [](const Hunk& h) { return h.before.empty() && h.after.empty(); });
        require_changes(mistake, where(line));
        add_alternatives(all, mistake);
    };
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].starts_with("#   ") && in_head && !mistake.sentences.empty()) {
            mistake.sentences.front() += " " + std::string(trimmed(lines[i].substr(1)));
        } else if (lines[i].starts_with("# ")) {
            finish(i);
            mistake = begun(file, lines[i], where(i + 1));
            mistake.hunks.push_back({i + 2, {}, {}});
            in_head = true;
        } else if (mistake.name.empty()) {
            throw Error(where(i + 1) + ": an answer begins like: # wrong_axis: what the learner reads");
        } else if (lines[i].empty()) {
            mistake.hunks.push_back({i + 2, {}, {}});
        } else {
            in_head = false;
            add_line(mistake.hunks.back(), lines[i], where(i + 1));
        }
    }
    finish(lines.size());
    add_combinations(all);
    return all;
}

std::string with_mistake(const std::string& solution, const Mistake& mistake) {
    const Lines lines = solution_lines(solution);
    Lines wrong;
    auto from = lines.begin();
    const auto place_of = [&](const Hunk& hunk, auto begin) {
        return std::search(begin, lines.end(), hunk.before.begin(), hunk.before.end());
    };
    std::vector<Hunk> hunks = mistake.hunks;
    if (mistake.sentences.size() > 1)  // faults, in whatever order
        std::stable_sort(hunks.begin(), hunks.end(), [&](const Hunk& a, const Hunk& b) {
            return place_of(a, lines.begin()) < place_of(b, lines.begin());
        });
    for (const Hunk& hunk : hunks) {
        const std::string where = mistake.file.filename().string() + ":" + std::to_string(hunk.line) + ": ";
        const auto at = place_of(hunk, lines.begin());
        if (at == lines.end())
            throw Error(where + "the solution of " + mistake.step() + " has no lines \"" +
                        std::string(trimmed(hunk.before.front())) + (hunk.before.size() > 1 ? " …\"" : "\""));
        if (place_of(hunk, at + 1) != lines.end())
            throw Error(where + "these lines stand in the solution of " + mistake.step() +
                        " more than once; add a line around them");
        if (at < from) throw Error(where + "hunks follow the order of the solution and do not overlap");
        wrong.insert(wrong.end(), from, at);
        wrong.insert(wrong.end(), hunk.after.begin(), hunk.after.end());
        from = at + static_cast<std::ptrdiff_t>(hunk.before.size());
    }
    wrong.insert(wrong.end(), from, lines.end());
    return join_lines(wrong);
}

}  // namespace tfs::steps
