// common/program/figure_folder.hpp · the figures of a program's run, as files in a folder
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "common/figures/figure.hpp"
#include "common/report/sinks.hpp"

namespace tfs {

// Every figure NAME leaves two files: NAME.json with its numbers, and the picture NAME.svg, drawn from them. At the end of the
// run index.html shows them all.
class FigureFolder {
  public:
    // Makes the folder where it is missing. FileError if no file can be made in it: found out now, not after minutes of
    // computing.
    explicit FigureFolder(std::filesystem::path folder);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    // Views of one figure: the page shows one at a time, with the name and the caption of the first. An older file of the same
    // name is replaced only when the new one is complete. ValueError if the run has drawn another figure of this name; FileError
    // if one can't be written; else as svg().
    [[nodiscard]] PageFigure write(const std::vector<View>& views);

    // Writes the page; without figures there is none. Where another run lies in the folder `beside`, with the same settings, its
    // figures stand beside the own ones. Returns a line behind an empty one that says where the page is.
    [[nodiscard]] std::string finish(Page page, const std::filesystem::path& beside = {}) const;

  private:
    std::filesystem::path path_;
    std::set<std::string> names_;

    void add_solutions(Page& page, const std::filesystem::path& beside) const;
};

}  // namespace tfs
