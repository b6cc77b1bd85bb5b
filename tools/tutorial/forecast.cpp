// tools/tutorial/forecast.cpp · what a build is going to compile, and how long that takes
#include "tools/tutorial/forecast.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "tools/tutorial/process.hpp"

namespace tfs::tutorial {

namespace {

// What a command took on average in earlier builds, in seconds. A line of the log is "start end time output hash", with
// tabs between, in milliseconds; of an output the last line counts.
double seconds_of_one(const std::string& ninja_log) {
    std::map<std::string, double> seconds;
    for (const std::string& line : steps::split_lines(ninja_log)) {
        std::istringstream fields(line);
        long long start, end, time;
        std::string output;
        if (fields >> start >> end >> time >> output)
            seconds[output] = static_cast<double>(end - start) / 1000;
    }
    if (seconds.empty()) return 1;
    double sum = 0;
    for (const auto& [output, own] : seconds) sum += own;
    return sum / static_cast<double>(seconds.size());
}

// "chapter 03", "chapters 00 and 01", "chapters 00 to 06", "chapters 01, 04, 07"; empty where there is none.
std::string chapters_in(const steps::Tutorial& tutorial, const std::vector<Edge>& edges) {
    std::vector<std::string> numbers;
    int first = 0, last = 0;
    for (const steps::Chapter& chapter : tutorial.chapters) {
        const bool named = std::any_of(edges.begin(), edges.end(), [&](const Edge& edge) {
            return edge.what.find(chapter.folder) != std::string::npos;
        });
        if (!named) continue;
        if (numbers.empty()) first = chapter.number;
        last = chapter.number;
        numbers.push_back(chapter.padded());
    }
    const auto count = static_cast<int>(numbers.size());
    if (count == 0) return "";
    if (count == 1) return "chapter " + numbers[0];
    if (count == 2) return fmt::format("chapters {}", fmt::join(numbers, " and "));
    if (count == last - first + 1) return fmt::format("chapters {} to {}", numbers.front(), numbers.back());
    return fmt::format("chapters {}", fmt::join(numbers, ", "));
}

std::string what_is_compiled(const steps::Tutorial& tutorial, const std::vector<Edge>& edges) {
    const bool common = std::any_of(edges.begin(), edges.end(), [](const Edge& edge) {
        return edge.what.find(" common/") != std::string::npos;
    });
    const std::string chapters = chapters_in(tutorial, edges), layer = common ? "the tensor layer" : "";
    if (layer.empty() && chapters.empty()) return "what it needs";
    return layer + (layer.empty() || chapters.empty() ? "" : " and ") + chapters;
}

// "about 40 s", "about 3 min"
std::string about(double seconds) {
    return seconds < 90 ? fmt::format("about {:.0f} s", 5 * std::round(seconds / 5))
                        : fmt::format("about {:.0f} min", seconds / 60);
}

}  // namespace

std::string forecast(const steps::Tutorial& tutorial, const std::vector<Edge>& edges,
                     const std::string& ninja_log) {
    const auto count = static_cast<double>(edges.size());
    const double seconds = count * seconds_of_one(ninja_log) / std::min<double>(processors(), count);
    if (edges.empty() || seconds < 5) return "";
    return fmt::format("compiling {} once: {}", what_is_compiled(tutorial, edges), about(seconds));
}

}  // namespace tfs::tutorial
