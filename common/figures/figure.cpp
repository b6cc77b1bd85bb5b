// common/figures/figure.cpp · the folder of figures: writes scripts and numbers, lets gnuplot draw, reports
#include "common/figures/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "common/base/errors.hpp"
#include "common/figures/figure_parts.hpp"
#include "common/io/atomic_file.hpp"
#include "common/text/utf8.hpp"

namespace tfs {
namespace {

const char* ending(FigureFormat format) { return format == FigureFormat::png ? ".png" : ".svg"; }

// Whether a character needs an East Asian font, and the language to ask for one.
const char* language_of(std::uint32_t code) {
    const bool hangul = (code >= 0x1100 && code <= 0x11FF) || (code >= 0x3130 && code <= 0x318F) ||
                        (code >= 0xAC00 && code <= 0xD7A3);
    if (hangul) return "ko";
    const bool kana = code >= 0x3040 && code <= 0x30FF;
    if (kana) return "ja";
    const bool han = (code >= 0x3400 && code <= 0x9FFF) || (code >= 0xF900 && code <= 0xFAFF);
    return han ? "zh-cn" : nullptr;
}

// Where there is no fc-list to ask, the fonts are trusted: gnuplot brings it along, so that gnuplot is
// missing too, and whoever draws from the script later may have them.
bool has_font_for(const std::string& language) {
    const ProcessResult fonts = run_process({"fc-list", ":lang=" + language, "family"}, ".");
    return fonts.missing || (fonts.exit_code == 0 && !fonts.output.empty());
}

void without_labels(HeatMapFigure& figure) {
    for (HeatMapPanel& panel : figure.panels) {
        panel.rows.clear();
        panel.columns.clear();
    }
}

// One sentence of what gnuplot said, which points at the place by lines of spaces and carets.
std::string in_one_line(const std::string& text) {
    std::string line;
    for (const char character : text) {
        const bool space = character == '\n' || character == ' ' || character == '\t' || character == '^';
        if (!space) {
            line += character;
        } else if (!line.empty() && line.back() != ' ') {
            line += ' ';
        }
    }
    return line.substr(0, 400);
}

}  // namespace

bool fonts_cover(const std::vector<HeatMapPanel>& panels) {
    std::vector<std::string> languages;
    const auto collect = [&](std::string_view text) {
        while (!text.empty()) {
            const Utf8Character character = first_character(text);
            const char* language = language_of(character.code);
            if (language != nullptr &&
                std::find(languages.begin(), languages.end(), language) == languages.end()) {
                languages.emplace_back(language);
            }
            text.remove_prefix(character.bytes);
        }
    };
    for (const HeatMapPanel& panel : panels) {
        for (const std::string& label : panel.rows) collect(label);
        for (const std::string& label : panel.columns) collect(label);
    }
    return std::all_of(languages.begin(), languages.end(), has_font_for);
}

FigureFolder::FigureFolder(std::filesystem::path folder, FigureFormat format, std::string gnuplot)
    : folder_(std::move(folder)), format_(format), gnuplot_(std::move(gnuplot)) {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (!std::filesystem::is_directory(folder_, error)) {
        throw FileError(fmt::format("{}: the folder for figures can't be made ({})", folder_.string(),
                                    error ? error.message() : "something else has that name"));
    }
    // Found out now, not after minutes of computing.
    const std::filesystem::path probe = temporary_name_beside(folder_ / "probe");
    try {
        write_file_atomically(probe, "");
    } catch (const FileError&) {  // it names the probe, of which nobody knows
        throw FileError(fmt::format("{}: no file can be made in this folder", folder_.string()));
    }
    std::filesystem::remove(probe, error);
}

void FigureFolder::save(const HeatMapFigure& figure) {
    require_drawable(figure);
    // An SVG is drawn with the fonts of whoever looks at it, so that its labels stay.
    if (format_ == FigureFormat::png && !fonts_cover(figure.panels)) {
        HeatMapFigure numbered = figure;
        without_labels(numbered);
        labels_replaced_ = true;
        write_files(figure.name, gnuplot_script(numbered, format_), figure_json(figure));
    } else {
        write_files(figure.name, gnuplot_script(figure, format_), figure_json(figure));
    }
}

void FigureFolder::save(const LineFigure& figure) {
    require_drawable(figure);
    write_files(figure.name, gnuplot_script(figure, format_), figure_json(figure));
}

void FigureFolder::save(const BarFigure& figure) {
    require_drawable(figure);
    write_files(figure.name, gnuplot_script(figure, format_), figure_json(figure));
}

void FigureFolder::save(const FlowFigure& figure) {
    require_drawable(figure);
    write_files(figure.name, gnuplot_script(figure, format_), figure_json(figure));
}

void FigureFolder::write_files(const std::string& name, const std::string& script, const std::string& json) {
    write_file_atomically(folder_ / (name + ".gp"), script);
    write_file_atomically(folder_ / (name + ".json"), json);
    scripts_.push_back(name + ".gp");

    // gnuplot draws beside the picture, which is replaced only by a whole one.
    const std::filesystem::path picture = folder_ / (name + ending(format_));
    const std::filesystem::path beside = temporary_name_beside(picture);
    const std::string output = fmt::format("picture = '{}'", beside.filename().string());
    const ProcessResult result = run_process({gnuplot_, "-d", "-e", output, name + ".gp"}, folder_);
    std::error_code error;
    if (result.missing) {
        gnuplot_missing_ = true;
        return;
    }
    if (result.exit_code != 0 || !std::filesystem::exists(beside, error)) {
        std::filesystem::remove(beside, error);
        throw FileError(fmt::format("{}: gnuplot failed with exit code {}: {}", picture.string(),
                                    result.exit_code, in_one_line(result.output)));
    }
    std::filesystem::rename(beside, picture, error);
    if (error) throw FileError(fmt::format("{}: can't be replaced ({})", picture.string(), error.message()));
    pictures_.push_back(picture.filename().string());
}

void FigureFolder::report(std::ostream& out) const {
    if (scripts_.empty()) {
        out << fmt::format("No figure was drawn in {}\n", folder_.string());
        return;
    }
    out << fmt::format("Figures in {}\n", folder_.string());
    for (const std::string& picture : pictures_) out << "  " << picture << '\n';
    if (gnuplot_missing_) {
        out << "  No pictures: gnuplot was not found. Install it (Debian: apt install gnuplot-nox) and run "
               "this again, or\n"
               "  draw them from the scripts, in that folder:\n";
        for (const std::string& script : scripts_) out << "    gnuplot " << script << '\n';
    } else {
        out << "  Beside each: its gnuplot script (.gp, change it and run gnuplot on it) and its numbers "
               "(.json).\n";
    }
    if (labels_replaced_) {
        out << "  Tokens are drawn as numbers: no font for their script was found (Debian, Korean: apt "
               "install fonts-nanum).\n";
    }
}

}  // namespace tfs
