// tools/steps/tutorial.cpp
#include "tools/steps/tutorial.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

namespace tfs::steps {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The files and folders in a folder, by name; none where it does not exist. Without what systems and editors leave beside them.
std::vector<fs::path> entries(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(folder, absent))
        if (!is_left_by_others(entry.path())) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

bool is_step_source(const fs::path& file) {
    const std::string name = file.filename().string();
    return name.ends_with(".cpp") && !name.ends_with(".fast.cpp");
}

// The heading of a lesson; empty where there is none.
std::string title_of(const fs::path& lesson) {
    std::error_code absent;
    if (!fs::is_regular_file(lesson, absent)) return {};
    for (const std::string& line : split_lines(read_text(lesson)))
        if (line.starts_with("# ")) return std::string(trimmed(line.substr(2)));
    return {};
}

Step read_step(const Tutorial& tutorial, const Chapter& chapter, const fs::path& file) {
    const std::string where = fs::relative(file, tutorial.root).string();
    const Lines lines = split_lines(read_text(file));
    const auto banner = parse_banner(lines.empty() ? "" : lines[0]);
    if (!banner)
        throw Error(where + ":1: the first line must be like \"// Step 1.1 · softmax · ●○○ · 10 min\"");
    if (banner->chapter != chapter.number)
        throw Error(where + ":1: step " + banner->id() + " stands in the folder of chapter " +
                    std::to_string(chapter.number));
    if (banner->name != file.stem())
        throw Error(where + ":1: the step is called " + banner->name + ", the file is not");
    Step step;
    static_cast<Banner&>(step) = *banner;
    step.folder = chapter.folder;
    return step;
}

void read_steps(const Tutorial& tutorial, Chapter& chapter) {
    for (const fs::path& file : entries(tutorial.root / "solutions" / chapter.folder))
        if (is_step_source(file)) chapter.steps.push_back(read_step(tutorial, chapter, file));
    std::sort(chapter.steps.begin(), chapter.steps.end(),
              [](const Step& a, const Step& b) { return a.number < b.number; });
    for (std::size_t i = 0; i < chapter.steps.size(); ++i) {
        const Step& step = chapter.steps[i];
        if (step.number == static_cast<int>(i) + 1) continue;
        if (i > 0 && chapter.steps[i - 1].number == step.number)
            throw Error("the steps " + chapter.steps[i - 1].name + " and " + step.name + " are both " +
                        step.id());
        throw Error("step " + std::to_string(chapter.number) + "." + std::to_string(i + 1) +
                    " is missing: " + step.solution().string() + " says it is " + step.id());
    }
}

// Where the text of "2. like this" begins; 0 where the line is no item.
std::size_t item_text(std::string_view line) {
    const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
    if (digits == 0 || !line.substr(digits).starts_with(". ")) return 0;
    return std::min(line.find_first_not_of(' ', digits + 1), line.size());
}

}  // namespace

std::string Banner::id() const { return std::to_string(chapter) + "." + std::to_string(number); }

std::string Banner::difficulty_shown() const {
    std::string shown;
    for (int i = 1; i <= 3; ++i) shown += i <= difficulty ? "●" : "○";
    return shown;
}

std::string Banner::time_shown() const {
    return std::to_string(minutes) + (optional ? " min, optional" : " min");
}

std::optional<Banner> parse_banner(std::string_view line) {
    const std::string text(line);
    Banner banner;
    char name[101], circles[16];
    if (std::sscanf(text.c_str(), "// Step %4d.%4d · %100[A-Za-z0-9_] · %15[●○] · %4d", &banner.chapter,
                    &banner.number, name, circles, &banner.minutes) != 5)
        return {};
    banner.name = name;
    for (std::string_view rest = circles; rest.starts_with("●"); rest.remove_prefix(3)) ++banner.difficulty;
    banner.optional = text.ends_with(", optional");
    const bool right =
        banner.chapter >= 0 && banner.number > 0 && banner.minutes > 0 && banner.difficulty > 0;
    const std::string written = "// Step " + banner.id() + " · " + banner.name + " · " +
                                banner.difficulty_shown() + " · " + banner.time_shown();
    return right && text == written ? std::optional(banner) : std::nullopt;
}

fs::path Step::solution() const { return fs::path("solutions") / folder / (name + ".cpp"); }
fs::path Step::fast_solution() const { return fs::path("solutions") / folder / (name + ".fast.cpp"); }
fs::path Step::exercise() const { return fs::path("exercises") / folder / (name + ".cpp"); }
fs::path Step::hints() const { return fs::path("chapters") / folder / "hints.md"; }
std::string Step::check_target() const { return "check_" + folder + "_" + name; }
std::string Step::sanitize_target() const { return "sanitize_" + folder + "_" + name; }
std::string Step::debug_target() const { return "debug_" + folder + "_" + name; }

std::vector<Step> Tutorial::steps() const {
    std::vector<Step> all;
    for (const Chapter& chapter : chapters) all.insert(all.end(), chapter.steps.begin(), chapter.steps.end());
    return all;
}

std::vector<fs::path> Tutorial::strays() const {
    std::vector<fs::path> found;
    const std::vector<Step> all = steps();
    for (const fs::path& folder : entries(root / "exercises")) {
        for (const fs::path& file : entries(folder)) {
            const fs::path shown = fs::path("exercises") / folder.filename() / file.filename();
            const bool known = std::any_of(all.begin(), all.end(),
                                           [&](const Step& step) { return step.exercise() == shown; });
            if (!known && file.extension() == ".cpp") found.push_back(shown);
        }
    }
    return found;
}

Tutorial read_tutorial(const fs::path& root) {
    Tutorial tutorial;
    tutorial.root = root;
    for (const fs::path& folder : entries(root / "chapters")) {
        const std::string name = folder.filename().string();
        const bool numbered = name.size() > 3 && is_digit(name[0]) && is_digit(name[1]) && name[2] == '_';
        if (!numbered || !fs::is_directory(folder)) continue;
        Chapter chapter;
        chapter.number = (name[0] - '0') * 10 + (name[1] - '0');
        chapter.folder = name;
        chapter.title = title_of(folder / "README.md");
        if (chapter.title.empty()) chapter.title = chapter.name();
        read_steps(tutorial, chapter);
        tutorial.chapters.push_back(std::move(chapter));
    }
    if (tutorial.chapters.empty()) throw Error("there are no chapters in " + (root / "chapters").string());
    std::map<std::string, std::string> id_of;
    for (const Step& step : tutorial.steps()) {
        const auto [other, is_new] = id_of.emplace(step.name, step.id());
        if (!is_new)
            throw Error("the steps " + other->second + " and " + step.id() + " are both called " + step.name);
    }
    return tutorial;
}

std::vector<std::string> hints_of(const Tutorial& tutorial, const Step& step) {
    std::vector<std::string> hints;
    const std::filesystem::path file = tutorial.root / step.hints();
    if (!std::filesystem::is_regular_file(file)) return hints;
    bool inside = false, fenced = false, open = false;  // of code, of a paragraph that goes on
    for (const std::string& line : split_lines(read_text(file))) {
        const std::string words{trimmed(line)};
        if (line.starts_with("## ")) {
            inside = trimmed(line.substr(3)) == step.name;
        } else if (const std::size_t text = item_text(line); inside && text > 0) {
            hints.push_back(line.substr(text));
            open = true;
        } else if (inside && !hints.empty()) {
            const bool fence = words.starts_with("```"), code = fenced || fence || indentation(line) > 6;
            hints.back() += open && !code && !words.empty() && !words.starts_with("- ")
                                ? ' ' + words
                                : '\n' + line.substr(std::min<std::size_t>(indentation(line), 3));
            fenced = fenced != fence;
            open = !code && !words.empty();
        }
    }
    for (std::string& hint : hints) hint.erase(hint.find_last_not_of(" \n") + 1);
    return hints;
}

}  // namespace tfs::steps
