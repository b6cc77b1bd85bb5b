// common/report/page.hpp · one page of a program's run: what its sections show, and figures beside those of the solutions
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace tfs {

struct PageView {
    std::string name;  // what the reader chooses: "layer 1"
    std::string svg;
    std::string file = {};  // its name without an ending
    // The figure of a run on the solutions, `svg` where it is the same; empty: there is none.
    std::string solution = {};
};

struct PageFigure {
    std::string name;             // of its file, by which a link finds it on the page
    std::string caption;          // what to see; empty: none
    std::vector<PageView> views;  // of more than one the page shows one at a time
};

// A piece of HTML, or a figure.
using PagePart = std::variant<std::string, PageFigure>;

struct Page {
    std::string title;                    // "01 attention"
    std::vector<std::string> about = {};  // paragraphs: "./tutorial run 1 · seed 1"
    std::string settings = {};            // what decides what is computed, see has_settings()
    std::vector<PagePart> parts = {};
};

// The text of an HTML file that needs nothing but itself. Readable without JavaScript. With it, pointing at a cell or at the
// label of a row or column lights the row or column in all maps of its figure; a click keeps it, the arrow keys move it,
// Escape ends it. Where a figure differs from the solution's, both stand side by side.
std::string html(const Page& page);

// A figure as it stands on a page.
std::string html(const PageFigure& figure);

// Whether this text is the page of a run with these settings.
bool has_settings(const std::string& html, const std::string& settings);

}  // namespace tfs
