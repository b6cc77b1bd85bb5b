// common/program/figures.cpp · writing figures, and saying where they are
#include "common/program/figures.hpp"

#include <fmt/format.h>

#include <ostream>

#include "common/base/errors.hpp"
#include "common/io/atomic_file.hpp"

namespace tfs {

Figures::Figures(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (!std::filesystem::is_directory(folder_, error)) {
        throw FileError(fmt::format("{}: the folder for figures can't be made ({})", folder_.string(),
                                    error ? error.message() : "something else has that name"));
    }
    const std::filesystem::path probe = temporary_name_beside(folder_ / "probe");
    try {
        write_file_atomically(probe, "");
    } catch (const FileError&) {  // it names the probe, of which nobody knows
        throw FileError(fmt::format("{}: no file can be made in this folder", folder_.string()));
    }
    std::filesystem::remove(probe, error);
}

void Figures::save(const Figure& figure) { save(std::vector<View>{{"", figure}}); }

void Figures::save(const std::vector<View>& views) {
    if (folder_.empty()) return;
    PageFigure drawn{name_of(views.at(0).figure), caption_of(views[0].figure), {}};
    std::vector<std::string> names;
    for (const View& view : views) {
        names.push_back(name_of(view.figure));
        drawn.views.push_back({view.name, svg(view.figure)});
        write_file_atomically(folder_ / (names.back() + ".svg"), drawn.views.back().svg);
        write_file_atomically(folder_ / (names.back() + ".json"), json(view.figure));
    }
    drawn_.push_back(drawn);
    names_.push_back(names);
}

void Figures::add_solutions(Page& page) const {
    std::error_code absent;
    const std::filesystem::path other = other_ / "index.html";
    if (!std::filesystem::exists(other, absent) || !has_settings(read_file(other), page.settings)) {
        page.about.push_back(
            "A run of the solutions with the same settings would stand beside this one, but there is none "
            "yet: give the same command without --mine first.");
        return;
    }
    page.about.push_back("A run of the solutions with the same settings stands beside it.");
    for (std::size_t i = 0; i < page.figures.size(); ++i) {
        for (std::size_t view = 0; view < names_[i].size(); ++view) {
            const std::filesystem::path file = other_ / names_[i][view], own = folder_ / names_[i][view];
            if (!std::filesystem::exists(file.string() + ".json", absent)) continue;
            const bool same =
                same_numbers(read_file(file.string() + ".json"), read_file(own.string() + ".json"));
            PageView& shown = page.figures[i].views[view];
            shown.solution = same ? shown.svg : read_file(file.string() + ".svg");
        }
    }
}

void Figures::finish(std::ostream& out, Page page) const {
    if (folder_.empty()) return;
    if (drawn_.empty()) {
        out << fmt::format("\nNo figure was drawn in {}\n", folder_.string());
        return;
    }
    page.figures = drawn_;
    if (!other_.empty()) add_solutions(page);
    write_file_atomically(folder_ / "index.html", html(page));
    out << fmt::format("\n{} figure{} on one page: {}\n", drawn_.size(), drawn_.size() == 1 ? "" : "s",
                       (folder_ / "index.html").string());
}

}  // namespace tfs
