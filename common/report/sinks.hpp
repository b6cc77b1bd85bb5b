// common/report/sinks.hpp · where a report goes: a terminal, a page, a JSON document
#pragma once

#include <iosfwd>
#include <string>

#include "common/report/report.hpp"
#include "common/terminal/terminal.hpp"

namespace tfs {

// Terminal: at most 110 columns; words in a table that don't fit go on below. Figures are not shown. Throws as print_map.
void print(std::ostream& out, const Report& report, Terminal style);

// A table alone.
void print(std::ostream& out, const Table& table);

// A text, wrapped and indented. Control characters are made visible.
void print(std::ostream& out, const Paragraph& paragraph);

// A heading: the text, underlined, after an empty line.
void print_heading(std::ostream& out, const std::string& title);

// Page: an item as HTML. A map becomes a picture; a Drawing is the business of the page (page.hpp) and gives nothing.
[[nodiscard]] std::string html(const Item& item);
// All of a report, with its figures.
[[nodiscard]] std::string html(const Report& report);

// The items as a JSON array, as docs/reports.md describes it. Throws as json() of figures.
[[nodiscard]] std::string json(const Report& report);

}  // namespace tfs
