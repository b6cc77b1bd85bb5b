// common/figures/page.hpp · one page of a program's run: its figures, what to see in them, and what it printed
#pragma once

#include <string>
#include <vector>

namespace tfs {

struct PageFigure {
    std::string svg;
    std::string caption = {};  // what to see; empty: none
};

struct Page {
    std::string title;  // "01 attention"
    std::string about;  // "your run of ./tutorial run 1 · seed 1"
    std::vector<PageFigure> figures = {};
    std::string transcript = {};  // what the program printed, without a terminal's colours
};

// The text of an HTML file that needs nothing but itself. Readable without JavaScript. With it, pointing at a cell or at the
// label of a row or column lights the row or column in all maps of its figure; a click keeps it, the arrow keys move it,
// Escape ends it.
std::string html(const Page& page);

// A terminal's text without its colours: ESC [ … m.
std::string without_colours(const std::string& text);

}  // namespace tfs
