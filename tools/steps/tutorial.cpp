// tools/steps/tutorial.cpp · what the tutorial consists of: its chapters, and their steps in order
#include "tools/steps/tutorial.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace tfs::steps {

namespace fs = std::filesystem;

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes digits from the front of the text; -1 where there are none or too many.
int take_number(std::string_view& text) {
    int value = 0;
    std::size_t count = 0;
    while (count < text.size() && is_digit(text[count])) value = value * 10 + (text[count++] - '0');
    text.remove_prefix(count);
    return count == 0 || count > 4 ? -1 : value;
}

bool take(std::string_view& text, std::string_view expected) {
    if (!text.starts_with(expected)) return false;
    text.remove_prefix(expected.size());
    return true;
}

std::string take_name(std::string_view& text) {
    std::size_t count = 0;
    while (count < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[count])) || text[count] == '_'))
        ++count;
    const std::string name(text.substr(0, count));
    text.remove_prefix(count);
    return name;
}

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

// "# 3 · Positional encoding" -> "Positional encoding"
std::string title_of(const fs::path& lesson, const std::string& folder) {
    std::error_code absent;
    if (fs::is_regular_file(lesson, absent)) {
        for (const std::string& line : split_lines(read_text(lesson))) {
            if (!line.starts_with("# ")) continue;
            std::string_view title = trimmed(std::string_view(line).substr(2));
            take(title, "Chapter ");
            if (take_number(title) >= 0)
                for (const std::string_view mark : {" ", "·", ":", "-", "—", "–", ".", " "})
                    take(title, mark);
            return std::string(trimmed(title));
        }
    }
    return folder.substr(std::min<std::size_t>(3, folder.size()));
}

Step read_step(const Tutorial& tutorial, const Chapter& chapter, const fs::path& file) {
    const std::string where = fs::relative(file, tutorial.root).string();
    const auto banner = parse_banner(first_line(file));
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
    Banner banner;
    if (!take(line, "// Step ")) return {};
    banner.chapter = take_number(line);
    if (!take(line, ".")) return {};
    banner.number = take_number(line);
    if (!take(line, " · ")) return {};
    banner.name = take_name(line);
    if (!take(line, " · ")) return {};
    while (take(line, "●")) ++banner.difficulty;
    int empty = 0;
    while (take(line, "○")) ++empty;
    if (!take(line, " · ")) return {};
    banner.minutes = take_number(line);
    const bool timed = take(line, " min");
    banner.optional = take(line, ", optional");
    const bool right = timed && line.empty() && banner.chapter >= 0 && banner.number > 0 &&
                       banner.minutes > 0 && !banner.name.empty() && banner.difficulty >= 1 &&
                       banner.difficulty + empty == 3;
    return right ? std::optional(banner) : std::nullopt;
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
        chapter.title = title_of(folder / "README.md", name);
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

}  // namespace tfs::steps
