// play/lesson.cpp · Markdown by md4c; <img> becomes the figure itself, so that pointing at it works
#include "play/lesson.hpp"

#include <fmt/format.h>
#include <md4c-html.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

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

// What is there, of which files and folders are shown. Empty for anything else.
fs::path shown(const fs::path& root, const std::string& path) {
    constexpr std::array folders{"chapters", "common", "docs", "exercises", "solutions", "tests", "bench"};
    const fs::path asked = fs::path(path).lexically_normal();
    if (asked.empty() || asked.is_absolute()) return {};
    const std::string first = asked.begin()->string();
    const bool in_folder = std::find(folders.begin(), folders.end(), first) != folders.end();
    if (!in_folder && asked != "README.md") return {};
    std::error_code absent;
    const fs::path found = fs::canonical(root / asked, absent);  // a link may lead elsewhere
    return absent || found != fs::canonical(root, absent) / asked ? fs::path() : found;
}

// The names of what is shown in a folder, in their order; those of folders end with "/".
std::vector<std::string> names_in(const fs::path& root, const std::string& path) {
    std::vector<std::string> names;
    const fs::path folder = shown(root, path);
    if (folder.empty() || !fs::is_directory(folder)) return names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string(), inner = path + "/" + name;
        if (!shown_file(root, inner).empty()) names.push_back(name);
        if (entry.is_directory() && !names_in(root, inner).empty()) names.push_back(name + "/");
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

fs::path shown_file(const fs::path& root, const std::string& path) {
    constexpr std::array endings{".md", ".hpp", ".cpp", ".svg"};
    const fs::path file = shown(root, path);
    const bool may = std::find(endings.begin(), endings.end(), file.extension().string()) != endings.end();
    return may && fs::is_regular_file(file) ? file : fs::path();
}

std::string folder_html(const fs::path& root, const std::string& path) {
    const std::string last = fs::path(path).filename().string();
    std::string items;
    for (const std::string& name : names_in(root, path))
        items +=
            fmt::format("<li><a href=\"{0}/{1}\"><code>{1}</code></a></li>\n", escaped(last), escaped(name));
    return items.empty() ? "" : fmt::format("<h1>{}</h1>\n<ul>\n{}</ul>\n", escaped(path), items);
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
