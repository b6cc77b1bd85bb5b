// tools/tutorial/pages.cpp · linking pages, opening them, pictures in other formats
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "common/terminal/display.hpp"
#include "tools/steps/text.hpp"
#include "tools/tutorial/process.hpp"
#include "tools/tutorial/run_programs.hpp"

namespace tfs::tutorial {

namespace {

constexpr std::string_view overview_begin = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The Transformer, step by step, in C++: the last run of each chapter</title>
<style>
:root{--ink:#1c2733;--paper:#fff;--line:#d5dde5}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#10151b;--line:#26303a}}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,"Segoe UI","Noto Sans",sans-serif}
main{max-width:1000px;margin:0 auto;padding:32px 20px 64px}
h1{font-size:26px}
ul{list-style:none;margin:0;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(280px,1fr));gap:18px}
a{display:block;color:inherit;border:1px solid var(--line);border-radius:12px;padding:12px;text-decoration:none}
a:hover,a:focus{border-color:#2b6cb0}
img{display:block;width:100%;height:180px;object-fit:contain;background:#fff;border-radius:6px;margin-bottom:8px}
</style></head>
<body><main>
<h1>The Transformer, step by step, in C++: the last run of each chapter</h1>
<ul>
)";

// The name of the first figure on a page.
std::string first_figure(const std::string& page) {
    constexpr std::string_view mark = "<figure id=\"";
    const std::size_t begin = page.find(mark);
    if (begin == std::string::npos) return {};
    return page.substr(begin + mark.size(), page.find('"', begin + mark.size()) - begin - mark.size());
}

// "01 attention, your steps" for 01_attention_mine.
std::string title_of(std::string name) {
    for (const auto& [ending, words] :
         {std::pair("_mine_all", ", all your steps"), std::pair("_mine", ", your steps")})
        if (name.ends_with(ending))
            name.replace(name.size() - std::string_view(ending).size(), std::string::npos, words);
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::string card(const std::string& name, const std::string& page) {
    const std::string figure = first_figure(page);
    const std::string image =
        figure.empty() ? "" : fmt::format("<img src=\"{}/{}.svg\" alt=\"\">", name, figure);
    return fmt::format("<li><a href=\"{}/index.html\">{}{}</a></li>\n", name, image, title_of(name));
}

}  // namespace

fs::path write_overview(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        if (fs::exists(entry.path() / "index.html")) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    std::string text(overview_begin);
    for (const std::string& name : names) text += card(name, steps::read_text(folder / name / "index.html"));
    steps::write_text(folder / "index.html", text + "</ul>\n</main></body></html>\n");
    return folder / "index.html";
}

void open_in_browser(const fs::path& page) {
    for (const char* opener : {"xdg-open", "open", "wslview"}) {  // Linux, macOS, Windows' Linux
        if (const std::optional<fs::path> program = found_program(opener)) {
            (void)run({.words = {program->string(), page.string()}});
            return;
        }
    }
    fmt::print("--open found no xdg-open, open or wslview here; open the page in a browser yourself.\n");
}

void require_format(const std::string& format) {
    if (format.empty()) return;
    if (format != "pdf" && format != "png")
        throw Refusal(
            fmt::format("--format {}: must be pdf or png; the pictures are SVG without it.", format));
    if (!found_program("rsvg-convert"))
        throw Refusal(
            "--format needs rsvg-convert, which is not installed (Debian, Ubuntu: apt-get install "
            "librsvg2-bin); the pictures are SVG without it.");
}

void convert_pictures(const fs::path& folder, const std::string& format) {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".svg") continue;
        fs::path target = entry.path();
        target.replace_extension(format);
        // Twice as many pixels as the figure has: a slide shows it large.
        const verdict::Ending ending =
            run({.words = {"rsvg-convert", "--zoom", format == "png" ? "2" : "1", "--format", format,
                           "--output", target.string(), entry.path().string()}});
        if (exit_code(ending) != 0)
            throw Refusal(fmt::format("rsvg-convert can't make {}.", target.string()));
        ++count;
    }
    fmt::print("{} picture{} as {} in {}\n", count, count == 1 ? "" : "s", format, harmless(folder.string()));
}

}  // namespace tfs::tutorial
