// common/figures/gnuplot_text.cpp · the pieces that all gnuplot scripts are made of
#include <fmt/format.h>

#include <cmath>

#include "common/figures/figure_parts.hpp"
#include "common/text/utf8.hpp"

namespace tfs {

std::string gnuplot_string(std::string_view text) {
    std::string quoted = "'";
    while (!text.empty()) {
        const Utf8Character character = first_character(text);
        if (!character.valid) {
            quoted += '?';
        } else if (character.code < 0x20 || character.code == 0x7F) {
            quoted += ' ';
        } else if (text.front() == '\'') {
            quoted += "''";
        } else {
            quoted += text.substr(0, character.bytes);
        }
        text.remove_prefix(character.bytes);
    }
    return quoted + "'";
}

std::string gnuplot_head(const std::string& name, const std::string& title, FigureFormat format, double width,
                         double height) {
    const bool png = format == FigureFormat::png;
    const double scale = png ? 1.5 : 1.0;  // pixels for a point of the layout
    const std::string size =
        fmt::format("{:.0f},{:.0f}", std::ceil(width * scale), std::ceil(height * scale));
    const std::string terminal =
        png ? fmt::format("pngcairo size {} fontscale {} linewidth {} font 'Sans,11'", size, scale * 0.75,
                          scale)
            : fmt::format("svg size {} dynamic font 'sans-serif,11'", size);
    return fmt::format(
        "# {0}.gp · {1}\n# Change it and draw again: gnuplot {0}.gp\n"
        "if (!exists('picture')) picture = '{0}{2}'\n"
        "set terminal {3} enhanced background rgb 'white'\nset output picture\n"
        "set encoding utf8\nwidth = {4:.1f}\nheight = {5:.1f}\n\n",
        name, gnuplot_string(title), png ? ".png" : ".svg", terminal, width, height);
}

std::string gnuplot_label(int number, std::string_view text, double x, double y, std::string_view style) {
    return fmt::format("set label {} {} at screen {:.1f}/width, {:.1f}/height noenhanced {}\n", number,
                       gnuplot_string(text), x, y, style);
}

std::string gnuplot_title(std::string_view title, double height) {
    if (title.empty()) return "";
    return gnuplot_label(9, title, 18.0, height - 28.0, "left font ':Bold,14' tc rgb '#101010'");
}

std::string gnuplot_margins(double left, double right, double bottom, double top) {
    return fmt::format(
        "set lmargin at screen {:.1f}/width\nset rmargin at screen {:.1f}/width\n"
        "set bmargin at screen {:.1f}/height\nset tmargin at screen {:.1f}/height\n",
        left, right, bottom, top);
}

}  // namespace tfs
