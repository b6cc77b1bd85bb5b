// common/program/figure_folder.cpp · writing figures, and saying where they are
#include "common/program/figure_folder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/errors.hpp"
#include "common/figures/figure.hpp"
#include "common/io/atomic_file.hpp"

namespace tfs {

namespace {

// Whether two files of numbers are the same but for rounding. One that can't be read is not.
bool same_numbers(const std::string& one, const std::string& other) {
    try {
        return figure_difference(one, other, {.share = 1e-4}).empty();
    } catch (const FileError&) {
        return false;
    }
}

}  // namespace

FigureFolder::FigureFolder(std::filesystem::path folder) : path_(std::move(folder)) {
    std::error_code error;
    std::filesystem::create_directories(path_, error);
    if (!std::filesystem::is_directory(path_, error)) {
        throw FileError(fmt::format("{}: the folder for figures can't be made ({})", path_.string(),
                                    error ? error.message() : "something else has that name"));
    }
    const std::filesystem::path probe = temporary_name_beside(path_ / "probe");
    try {
        write_file_atomically(probe, "");
    } catch (const FileError&) {  // it names the probe, of which nobody knows
        throw FileError(fmt::format("{}: no file can be made in this folder", path_.string()));
    }
    std::filesystem::remove(probe, error);
}

PageFigure FigureFolder::write(const std::vector<View>& views) {
    PageFigure drawn{name_of(views.at(0).figure), caption_of(views[0].figure), {}};
    for (const View& view : views) {
        const std::string& name = name_of(view.figure);
        if (!names_.insert(name).second)
            throw ValueError(fmt::format("two figures of a run are called {}", name));
        // The picture is drawn from the file of its numbers: who has that file can draw it again.
        const std::string numbers = json(view.figure);
        drawn.views.push_back({view.name, svg(figure_from_json(numbers)), name});
        write_file_atomically(path_ / (name + ".json"), numbers);
        write_file_atomically(path_ / (name + ".svg"), drawn.views.back().svg);
    }
    return drawn;
}

void FigureFolder::add_solutions(Page& page, const std::filesystem::path& beside) const {
    std::error_code absent;
    const std::filesystem::path other = beside / "index.html";
    if (!std::filesystem::exists(other, absent) || !has_settings(read_file(other), page.settings)) {
        page.about.push_back(
            "A run of the solutions with the same settings would stand beside this one, but there is none "
            "yet: give the same command without --mine first.");
        return;
    }
    page.about.push_back("A run of the solutions with the same settings stands beside it.");
    for (PagePart& part : page.parts) {
        if (std::holds_alternative<std::string>(part)) continue;
        for (PageView& view : std::get<PageFigure>(part).views) {
            const std::string numbers = view.file + ".json";
            if (!std::filesystem::exists(beside / numbers, absent)) continue;
            view.solution = same_numbers(read_file(beside / numbers), read_file(path_ / numbers))
                                ? view.svg
                                : read_file(beside / (view.file + ".svg"));
        }
    }
}

std::string FigureFolder::finish(Page page, const std::filesystem::path& beside) const {
    const auto count = std::count_if(page.parts.begin(), page.parts.end(), [](const PagePart& part) {
        return std::holds_alternative<PageFigure>(part);
    });
    if (count == 0) return fmt::format("\nNo figure was drawn in {}\n", path_.string());
    if (!beside.empty()) add_solutions(page, beside);
    write_file_atomically(path_ / "index.html", html(page));
    return fmt::format("\n{} figure{} on one page: {}\n", count, count == 1 ? "" : "s",
                       (path_ / "index.html").string());
}

}  // namespace tfs
