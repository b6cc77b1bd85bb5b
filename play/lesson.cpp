// play/lesson.cpp · Markdown by md4c; <img> becomes the figure itself, so that pointing at it works
#include "play/lesson.hpp"

#include <md4c-html.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace tfs::play {

namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string escaped(const std::string& text) {
    std::string html;
    for (const char c : text)
        html += c == '<'   ? "&lt;"
                : c == '>' ? "&gt;"
                : c == '&' ? "&amp;"
                : c == '"' ? "&quot;"
                           : std::string(1, c);
    return html;
}

// What stands between the quotes after `name="`.
std::string attribute(const std::string& tag, const std::string& name) {
    const std::size_t at = tag.find(' ' + name + "=\"");
    if (at == tag.npos) return {};
    const std::size_t begin = at + name.size() + 3;
    return tag.substr(begin, tag.find('"', begin) - begin);
}

// <p><img src="figures/x.svg" alt="…"></p>. By hand: std::regex takes so much stack that each thread would keep it.
std::string with_figures(const std::string& html, const fs::path& folder) {
    std::string text;
    std::size_t last = 0;
    for (std::size_t begin = html.find("<img "); begin != html.npos; begin = html.find("<img ", last)) {
        text.append(html, last, begin - last);
        last = html.find('>', begin) + 1;  // md4c writes &gt; in an attribute
        const std::string tag = html.substr(begin, last - begin);
        const std::string source = attribute(tag, "src");
        if (!tag.starts_with("<img src=\"" + source + "\" alt=")) {  // HTML in the Markdown
            text += tag;
            continue;
        }
        const fs::path file = folder / source;
        const std::string svg = file.extension() == ".svg" ? read(file) : "";
        if (svg.empty())
            text += "<em>" + attribute(tag, "alt") + "</em>";
        else
            text += "<figure data-figure=\"" + escaped(file.stem().string()) + "\">" + svg + "</figure>";
    }
    return text.append(html, last);
}

}  // namespace

fs::path shown_file(const fs::path& root, const std::string& path) {
    constexpr std::array folders{"chapters", "common", "docs", "exercises", "solutions", "tests", "bench"};
    constexpr std::array endings{".md", ".hpp", ".cpp", ".svg"};
    const fs::path asked = fs::path(path).lexically_normal();
    if (asked.empty() || asked.is_absolute()) return {};
    const std::string first = asked.begin()->string(), ending = asked.extension().string();
    const bool in_folder = std::find(folders.begin(), folders.end(), first) != folders.end();
    if (!in_folder && asked != "README.md") return {};
    if (std::find(endings.begin(), endings.end(), ending) == endings.end()) return {};
    std::error_code absent;
    const fs::path file = fs::canonical(root / asked, absent);  // a link may lead elsewhere
    if (absent || file != fs::canonical(root, absent) / asked || !fs::is_regular_file(file)) return {};
    return file;
}

std::string lesson_html(const fs::path& file) {
    const std::string text = read(file);
    std::string html;
    const auto add = [](const MD_CHAR* piece, MD_SIZE size, void* to) {
        static_cast<std::string*>(to)->append(piece, size);
    };
    if (md_html(text.data(), static_cast<MD_SIZE>(text.size()), add, &html,
                MD_DIALECT_GITHUB | MD_FLAG_LATEXMATHSPANS, MD_HTML_FLAG_SKIP_UTF8_BOM) != 0)
        throw std::runtime_error(file.string() + " is no Markdown");
    return with_figures(html, file.parent_path());
}

std::string source_html(const fs::path& file) {
    return "<pre><code>" + escaped(read(file)) + "</code></pre>";
}

}  // namespace tfs::play
