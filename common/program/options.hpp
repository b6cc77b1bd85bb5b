// common/program/options.hpp · the options that the chapters' programs share: where to draw, the sentence, the sizes
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "common/figures/figure.hpp"
#include "common/program/program.hpp"
#include "common/text/words.hpp"

namespace tfs {

// How a program shows what it computes.
struct ShowOptions {
    std::string plots;  // a folder for the figures; empty: none are drawn
    bool svg = false;
    bool ascii = false;
};

// --plots, --svg and --ascii: the last ones of every program.
void add_show_options(Program& program, ShowOptions& options);

// The figures of a program: a folder of them, or nothing where no folder was asked for.
class Figures {
  public:
    explicit Figures(const ShowOptions& options);

    void save(const HeatMapFigure& figure);
    void save(const LineFigure& figure);
    void save(const BarFigure& figure);
    void save(const FlowFigure& figure);
    void report(std::ostream& out) const;  // after an empty line; as FigureFolder::report

  private:
    std::optional<FigureFolder> folder_;
};

// The words of the option `flag`, harmless for a terminal. Throws ValueError, which names it, where there are none or more than `most`.
Tokens tokens_of_text(const std::string& text, std::size_t most, const std::string& flag = "--text");

// ValueError where the value of a flag is not in low … high.
void require_between(const std::string& flag, std::size_t value, std::size_t low, std::size_t high);

// ValueError where --heads is 0 or does not divide --d-model.
void require_heads(std::size_t heads, std::size_t d_model);

}  // namespace tfs
