// play/lesson.cpp · Markdown by md4c; <img> becomes the figure itself, so that pointing at it works
#include "play/lesson.hpp"

#include <fmt/format.h>
#include <md4c-html.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <vector>

#include "play/anchor.hpp"

namespace tfs::play {

namespace fs = std::filesystem;

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

std::string attribute(const std::string& tag, const std::string& name) {
    const std::size_t at = tag.find(' ' + name + "=\"");
    if (at == tag.npos) return {};
    const std::size_t begin = at + name.size() + 3;
    return tag.substr(begin, tag.find('"', begin) - begin);
}

// By hand: std::regex takes so much stack that each thread would keep it.
std::string with_each(const std::string& html, const std::string& begin, const std::string& end,
                      const std::function<std::string(const std::string&)>& change) {
    std::string text;
    std::size_t last = 0;
    for (std::size_t at = html.find(begin); at != html.npos; at = html.find(begin, last)) {
        text.append(html, last, at - last);
        last = std::min(html.find(end, at), html.size() - end.size()) + end.size();
        text += change(html.substr(at, last - at));
    }
    return text.append(html, last);
}

std::pair<std::string, std::string> chapter_of(const std::string& path) {
    const fs::path file(path), folder = file.parent_path();
    const bool lesson = file.filename() == "README.md";
    if (folder.parent_path() != "chapters" || !(lesson || file.filename() == "deeper.md")) return {};
    return {folder.filename().string(), lesson ? "lesson" : "deeper"};
}

namespace {

// What is there, of which files and folders are shown. Empty for anything else.
fs::path shown(const fs::path& root, const std::string& path) {
    constexpr std::array folders{"chapters", "common", "docs", "exercises", "solutions", "tests", "bench"};
    const fs::path asked = fs::path(path).lexically_normal();
    if (asked.empty() || asked.is_absolute()) return {};
    const std::string first = asked.begin()->string();
    const bool in_folder = std::find(folders.begin(), folders.end(), first) != folders.end();
    if (!in_folder && (asked.has_parent_path() || asked.extension() != ".md")) return {};
    std::error_code absent;
    const fs::path found = fs::canonical(root / asked, absent);  // a link may lead elsewhere
    return absent || found != fs::canonical(root, absent) / asked ? fs::path() : found;
}

fs::path shown_file(const fs::path& root, const std::string& path) {
    constexpr std::array endings{".md", ".hpp", ".cpp", ".svg"};
    const fs::path file = shown(root, path);
    const bool may = std::find(endings.begin(), endings.end(), file.extension().string()) != endings.end();
    return may && fs::is_regular_file(file) ? file : fs::path();
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

// The path of what a link in the file `from` names.
std::string resolved(const std::string& link, const std::string& from) {
    std::string path =
        link.empty() ? from : (fs::path(from).parent_path() / link).lexically_normal().string();
    if (path.ends_with('/')) path.pop_back();
    return path;
}

std::string with_links(const std::string& html, const fs::path& root, const std::string& from,
                       const Links& links) {
    return with_each(html, "<a href=\"", "</a>", [&](const std::string& link) {
        const std::string target = attribute(link, "href"), words = link.substr(link.find('>') + 1);
        if (target.find(':') != target.npos)
            return "<a target=\"_blank\" rel=\"noopener noreferrer\"" + link.substr(2);
        const std::size_t hash = std::min(target.find('#'), target.size());
        const std::string path = resolved(target.substr(0, hash), from);
        if (shown_file(root, path).empty() && names_in(root, path).empty())
            return words.substr(0, words.size() - std::string("</a>").size());
        const std::string mark = hash < target.size() ? target.substr(hash + 1) : "";
        return "<a href=\"" + links.page(path, mark) + "\">" + words;
    });
}

std::string with_anchors(std::string html) {
    for (const char* level : {"h1", "h2", "h3", "h4"})
        html = with_each(
            html, fmt::format("<{}>", level), fmt::format("</{}>", level), [&](const std::string& heading) {
                const auto nothing = [](const std::string&) { return std::string(); };
                const std::string words = with_each(with_each(heading, "<", ">", nothing), "&", ";", nothing);
                const std::string id = fmt::format(" id=\"{}\"", anchor_of(words));
                if (html.find(id) != html.npos) return heading;  // an entry of the glossary
                return heading.substr(0, 3) + id + heading.substr(3);
            });
    return html;
}

// <p><img src="figures/x.svg" alt="…"></p>; one with a width is HTML in the Markdown.
std::string with_pictures(const std::string& html, const fs::path& root, const std::string& from,
                          const Links& links) {
    return with_each(html, "<img ", ">", [&](const std::string& tag) {  // md4c writes &gt; in an attribute
        const std::string path = resolved(attribute(tag, "src"), from), alt = attribute(tag, "alt"),
                          width = attribute(tag, "width");
        const fs::path file = root / path;
        const std::string svg = width.empty() && file.extension() == ".svg" ? read(file) : "";
        if (!svg.empty())
            return fmt::format("<figure data-figure=\"{}\">{}</figure>", escaped(file.stem().string()), svg);
        const std::string address = links.picture(path);
        if (address.empty()) return width.empty() ? "<em>" + alt + "</em>" : tag;
        return fmt::format("<img src=\"{}\" alt=\"{}\"{}>", address, alt,
                           width.empty() ? "" : " width=\"" + width + "\"");
    });
}

std::string folder_html(const fs::path& root, const std::string& path, const Links& links) {
    std::string items;
    for (const std::string& name : names_in(root, path))
        items += fmt::format("<li><a href=\"{}\"><code>{}</code></a></li>\n",
                             links.page(resolved(name, path + "/"), ""), escaped(name));
    return items.empty() ? "" : fmt::format("<h1>{}</h1>\n<ul>\n{}</ul>\n", escaped(path), items);
}

std::string markdown_html(const std::string& text) {
    std::string html;
    const auto add = [](const MD_CHAR* piece, MD_SIZE size, void* to) {
        static_cast<std::string*>(to)->append(piece, size);
    };
    if (md_html(text.data(), static_cast<MD_SIZE>(text.size()), add, &html,
                MD_DIALECT_GITHUB | MD_FLAG_LATEXMATHSPANS, MD_HTML_FLAG_SKIP_UTF8_BOM) != 0)
        throw std::runtime_error("a text is no Markdown");
    return html;
}

}  // namespace

std::string text_html(const fs::path& root, const std::string& path, const Links& links) {
    const fs::path file = shown_file(root, path);
    if (file.empty()) return with_anchors(folder_html(root, path, links));
    const std::string text = read(file);
    if (file.extension() != ".md")
        return with_anchors(
            fmt::format("<h1>{}</h1>\n<pre><code>{}</code></pre>\n", escaped(path), escaped(text)));
    const std::string html = with_anchors(with_links(markdown_html(text), root, path, links));
    return with_pictures(html, root, path, links);
}

}  // namespace tfs::play
