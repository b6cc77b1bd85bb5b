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

void Figures::save(const Figure& figure) {
    if (folder_.empty()) return;
    const std::string picture = svg(figure);
    write_file_atomically(folder_ / (name_of(figure) + ".svg"), picture);
    write_file_atomically(folder_ / (name_of(figure) + ".json"), json(figure));
    drawn_.push_back({picture, caption_of(figure)});
}

void Figures::finish(std::ostream& out, Page page) const {
    if (folder_.empty()) return;
    if (drawn_.empty()) {
        out << fmt::format("\nNo figure was drawn in {}\n", folder_.string());
        return;
    }
    page.figures = drawn_;
    write_file_atomically(folder_ / "index.html", html(page));
    out << fmt::format("\n{} figure{} on one page: {}\n", drawn_.size(), drawn_.size() == 1 ? "" : "s",
                       (folder_ / "index.html").string());
}

}  // namespace tfs
