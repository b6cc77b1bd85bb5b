// play/pages.cpp · one page after the other, as links lead to them; answers and the index of the search are compressed
#include "play/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <stdexcept>
#include <utility>

#include "play/lesson.hpp"
#include "play/news.hpp"
#include "play/recorded.hpp"

namespace tfs::play {

namespace fs = std::filesystem;

namespace {

constexpr const char* tutorial = "The Transformer, step by step, in C++";
constexpr const char* katex = "/usr/share/javascript/katex";

// All pages are in one folder.
std::string page_of(const std::string& path) {
    if (path == "README.md") return "index.html";
    if (const auto [chapter, page] = chapter_of(path); !chapter.empty())
        return chapter + (page == "lesson" ? "" : "_" + page) + ".html";
    std::string name = path.ends_with(".md") ? path.substr(0, path.size() - 3) : path;
    std::replace(name.begin(), name.end(), '/', '-');
    return name + ".html";
}

std::string link(const std::string& address, const std::string& words, const std::string& more = "") {
    return fmt::format("<a href=\"{}\"{}>{}</a>", address, more, words);
}

// What a reader sees of it.
std::string words_of(std::string html) {
    for (const auto& [begin, end] : {std::pair("<svg", "</svg>"), std::pair("<", ">")})
        html = with_each(html, begin, end, [](const std::string&) { return " "; });
    return html;
}

// Each word once, in small letters.
std::string words_once(const std::string& text) {
    std::set<std::string> words;
    std::string word, all;
    for (const char c : text + " ") {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80 || std::isalnum(byte) || c == '_')
            word += static_cast<char>(byte < 0x80 ? std::tolower(byte) : c);
        else
            words.insert(std::exchange(word, ""));
    }
    for (const std::string& one : words) all += one + " ";
    return all;
}

class Pages {
  public:
    Pages(const fs::path& root, const Json& chapters, const fs::path& folder)
        : root_(root), chapters_(chapters), folder_(folder) {}

    void record(Programs& programs, const std::string& chapter);
    // All pages, but those of answers.
    void write_texts();
    void write_files();

  private:
    fs::path root_;
    Json chapters_;
    fs::path folder_;
    std::map<std::string, Recorded> recorded_;  // by chapter
    std::vector<std::string> paths_;            // of what has a page, in the order in which links led to it
    Json index_ = Json::array();

    void write(const std::string& file, const std::string& text);
    void pack(const std::string& name, const Json& json);
    std::string title_of(const std::string& chapter) const;
    std::string navigation(const std::string& file, const std::string& chapter) const;
    std::string neighbours(const std::string& chapter) const;
    void write_page(const std::string& file, const std::string& title, const std::string& body,
                    const std::string& chapter);
    void write_text(const std::string& path);
    void add_to_index(const std::string& file, const std::string& title, const std::string& html);
};

void Pages::write(const std::string& file, const std::string& text) {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream stream(folder_ / file, std::ios::binary);
    if (!(stream << text).flush()) throw std::runtime_error("can't write " + (folder_ / file).string());
}

// A script that hands this to pages.js.
void Pages::pack(const std::string& name, const Json& json) {
    write("plain", in_a_line(json));
    const std::string packed =
        Child({"sh", "-c", "gzip -9n <\"$0\" | base64 | tr -d '\\n'", (folder_ / "plain").string()}, root_)
            .read_all();
    fs::remove(folder_ / "plain");
    if (packed.empty()) throw std::runtime_error("gzip or base64 is missing");
    write("files/" + name + ".js", fmt::format("packed('{}', '{}');\n", name, packed));
}

std::string Pages::title_of(const std::string& chapter) const {
    for (const Json& one : chapters_)
        if (one["name"] == chapter) return chapter.substr(0, 2) + " " + escaped(one["title"]);
    return {};
}

// --- a page

std::string Pages::navigation(const std::string& file, const std::string& chapter) const {
    const auto item = [&](const std::string& address, const std::string& words) {
        return link(address, words, address == file ? " aria-current=\"page\"" : "");
    };
    std::string items = "<li>" + item("index.html", "Start") + "</li>\n";
    for (const Json& one : chapters_) {
        const std::string name = one["name"];
        items +=
            "<li>" + link(name + ".html", title_of(name), name == chapter ? " aria-current=\"true\"" : "");
        if (name == chapter) {
            items += "<span class=\"pages\">" + item(name + ".html", "lesson");
            if (fs::exists(root_ / "chapters" / name / "deeper.md"))
                items += item(name + "_deeper.html", "deeper");
            if (recorded_.contains(name)) items += item(name + "_live.html", "recorded");
            items += "</span>";
        }
        items += "</li>\n";
    }
    return items + "<li class=\"own\">" + item("docs-overview.html", "In ten minutes") + "</li>\n<li>" +
           item("docs-glossary.html", "Glossary") + "</li>\n<li>" + item("docs.html", "All documents") +
           "</li>\n";
}

std::string Pages::neighbours(const std::string& chapter) const {
    std::string links;
    for (std::size_t i = 0; i < chapters_.size(); ++i) {
        if (chapters_[i]["name"] != chapter) continue;
        for (const auto& [words, other] : {std::pair("Previous", i - 1), std::pair("Next", i + 1)}) {
            if (other >= chapters_.size()) continue;
            const std::string name = chapters_[other]["name"];
            links += fmt::format("<span>{}: {}</span>", words, link(name + ".html", title_of(name)));
        }
    }
    return links.empty() ? "" : "<p class=\"neighbours\">" + links + "</p>\n";
}

void Pages::write_page(const std::string& file, const std::string& title, const std::string& body,
                       const std::string& chapter) {
    const bool formulas = body.find("<x-equation") != body.npos && fs::exists(katex);
    const char* const tags =
        "<link rel=\"stylesheet\" href=\"files/katex/katex.min.css\">\n"
        "<script defer src=\"files/katex/katex.min.js\"></script>\n";
    write(file, fmt::format(R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{0}</title>
<link rel="icon" href="data:,">
{1}<link rel="stylesheet" href="files/page.css">
<link rel="stylesheet" href="files/play.css">
<link rel="stylesheet" href="files/pages.css">
<script defer src="files/cells.js"></script>
<script defer src="files/finish.js"></script>
<script defer src="files/pages.js"></script>
</head>
<body>
<a class="skip" href="#page">Skip to the page</a>
<nav aria-label="Chapters"><h1>{2}</h1><button id="menu" type="button" aria-expanded="false" aria-controls="chapters">all pages</button>
<div role="search"><input id="search" type="search" placeholder="Search" aria-label="Search all pages" autocomplete="off"><p id="count" role="status"></p><ul id="found"></ul></div>
<ol id="chapters">
{3}</ol></nav>
<main id="page" tabindex="-1"><div class="text">
{4}{5}</div></main>
</body>
</html>
)",
                            title == tutorial ? title : title + " · " + tutorial, formulas ? tags : "",
                            tutorial, navigation(file, chapter), body, neighbours(chapter)));
}

void Pages::write_text(const std::string& path) {
    const auto address = [&](const std::string& to, const std::string& mark) {
        if (std::find(paths_.begin(), paths_.end(), to) == paths_.end()) paths_.push_back(to);
        return page_of(to) + (mark.empty() ? "" : "#" + mark);
    };
    const auto picture = [&](const std::string& from) {
        std::string name = "files/" + from;
        std::replace(name.begin() + 6, name.end(), '/', '-');
        write(name, read(root_ / from));
        return name;
    };
    std::string html = text_html(root_, path, {address, picture});
    const std::string file = page_of(path), chapter = chapter_of(path).first,
                      heading = html.substr(0, html.find("</h1>"));
    const std::string title = words_of(heading.substr(std::min(heading.find("<h1"), heading.size())));
    add_to_index(file, chapter.empty() ? title : title_of(chapter), html);
    if (const auto found = recorded_.find(chapter); found != recorded_.end())
        html = with_each(html, "<figure data-figure=\"", "</figure>", [&](std::string figure) {
            const auto& drawn = found->second.drawn;
            const auto section = drawn.find(attribute(figure, "data-figure"));
            if (section == drawn.end()) return figure;
            const std::string to = chapter + "_live.html#" + section->second;
            return figure.insert(figure.rfind("</figure>"), link(to, "recorded answers", " class=\"live\""));
        });
    write_page(file, title, html, chapter);
}

// For each heading its page, its mark, its words, and the words below it.
void Pages::add_to_index(const std::string& file, const std::string& title, const std::string& html) {
    for (std::size_t begin = html.find("<h"), end = 0; begin != html.npos; begin = end) {
        do end = html.find("<h", end == 0 ? begin + 1 : end + 1);
        while (end != html.npos && std::isdigit(static_cast<unsigned char>(html[end + 2])) == 0);
        const std::string part = html.substr(begin, end - begin), heading = part.substr(0, part.find("</h"));
        const std::string mark = attribute(heading, "id");
        index_.push_back({mark.empty() ? file : file + "#" + mark, title, words_of(heading),
                          words_once(words_of(part.substr(heading.size())))});
    }
}

// --- all of it

void Pages::record(Programs& programs, const std::string& chapter) {
    const Json texts = Json::parse(read(root_ / "play/texts.json"));
    Recorded& recorded = recorded_[chapter];
    recorded = recorded_answers(programs, chapter, texts.contains(chapter) ? texts[chapter] : texts["other"]);
    pack(chapter + "_answers", recorded.answers);
    say(title_of(chapter) + ": recorded");
}

void Pages::write_texts() {
    paths_ = {"README.md", "docs", "docs/overview.md", "docs/glossary.md"};
    for (const Json& one : chapters_) {
        const std::string folder = "chapters/" + one["name"].get<std::string>();
        paths_.push_back(folder + "/README.md");
        if (fs::exists(root_ / folder / "deeper.md")) paths_.push_back(folder + "/deeper.md");
    }
    for (std::size_t i = 0; i < paths_.size(); ++i) write_text(std::string(paths_[i]));
    for (const auto& [chapter, recorded] : recorded_) {
        const std::string title = title_of(chapter) + ", recorded";
        write_page(chapter + "_live.html", title, "<h1>" + title + "</h1>\n" + recorded.html, chapter);
    }
    pack("index", index_);
}

void Pages::write_files() {
    for (const char* file : {"play/page/play.css", "play/page/pages.css", "play/page/finish.js",
                             "play/page/pages.js", "common/report/page.css", "common/report/cells.js"})
        write("files/" + fs::path(file).filename().string(), read(root_ / file));
    if (!fs::exists(katex)) return;
    for (const char* file : {"katex.min.js", "katex.min.css"})
        write(std::string("files/katex/") + file, read(fs::path(katex) / file));
    for (const auto& font : fs::directory_iterator(fs::path(katex) / "fonts"))
        if (font.path().extension() == ".woff2")
            write("files/katex/fonts/" + font.path().filename().string(), read(font.path()));
}

}  // namespace

void write_pages(const fs::path& root, Programs& programs, const Json& chapters,
                 const std::vector<std::string>& recorded, const fs::path& folder) {
    Pages pages(root, chapters, folder);
    for (const std::string& chapter : recorded) pages.record(programs, chapter);
    pages.write_texts();
    pages.write_files();
}

}  // namespace tfs::play
