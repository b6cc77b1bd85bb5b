// play/pages.cpp · one page after the other, as links lead to them; answers and the index of the search are compressed
#include "play/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <stdexcept>
#include <utility>

#include "play/lesson.hpp"
#include "play/news.hpp"
#include "play/recorded.hpp"

namespace tfs::play {

namespace fs = std::filesystem;

namespace {

constexpr const char* katex = "/usr/share/javascript/katex";
constexpr const char* katex_tags = R"(<link rel="stylesheet" href="files/katex/katex.min.css">
<script defer src="files/katex/katex.min.js"></script>
)";

struct Site {
    fs::path root, folder;
    Json chapters;
    std::map<std::string, Recorded> recorded = {};  // by chapter
    std::vector<std::string> paths = {};  // of all that has a page, in the order in which links led to it
    Json index = Json::
        array();  // for each heading its address, the title of its page, its words, and what is below it
};

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream stream(file, std::ios::binary);
    if (!(stream << text).flush()) throw std::runtime_error("can't write " + file.string());
}

// A script that hands this to pages.js.
void pack(const Site& site, const std::string& name, const Json& json) {
    const fs::path plain = site.folder / "plain";
    write(plain, in_a_line(json));
    const std::string packed =
        Child({"sh", "-c", "gzip -9n <\"$0\" | base64 | tr -d '\\n'", plain.string()}, site.root).read_all();
    fs::remove(plain);
    if (packed.empty()) throw std::runtime_error("gzip or base64 is missing");
    write(site.folder / "files" / (name + ".js"), fmt::format("packed('{}', '{}');\n", name, packed));
}

// All pages are in one folder, and files that they need in another.
std::string with_dashes(std::string path) {
    std::replace(path.begin(), path.end(), '/', '-');
    return path;
}
std::string page_of(const std::string& path) {
    if (path == "README.md") return "index.html";
    if (const auto [chapter, page] = chapter_of(path); !chapter.empty())
        return chapter + (page == "lesson" ? "" : "_" + page) + ".html";
    return with_dashes(path.ends_with(".md") ? path.substr(0, path.size() - 3) : path) + ".html";
}

std::string link(const std::string& address, const std::string& words, const std::string& more = "") {
    return fmt::format("<a href=\"{}\"{}>{}</a>", address, more, words);
}

std::string name_of(const Json& chapter) { return chapter["name"]; }
std::string title_of(const Json& chapter) {
    return name_of(chapter).substr(0, 2) + " " + escaped(chapter["title"]);
}

// What a reader sees of it.
std::string words_of(std::string html) {
    for (const auto& [begin, end] : {std::pair("<svg", "</svg>"), std::pair("<", ">")})
        html = with_each(html, begin, end, [](const std::string&) { return " "; });
    return html;
}

// --- a page

std::string navigation(const Site& site, const std::string& file, const std::string& chapter) {
    const auto item = [&](const std::string& address, const std::string& words) {
        return link(address, words, address == file ? " aria-current=\"page\"" : "");
    };
    std::string items = "<li>" + item("index.html", "Start") + "</li>\n";
    for (const Json& one : site.chapters) {
        const std::string name = name_of(one);
        const bool here = name == chapter;
        items += "<li>" + link(name + ".html", title_of(one), here ? " aria-current=\"true\"" : "");
        if (here) items += "<span class=\"pages\">" + item(name + ".html", "lesson");
        if (here && fs::exists(site.root / "chapters" / name / "deeper.md"))
            items += item(name + "_deeper.html", "deeper");
        if (here && site.recorded.contains(name)) items += item(name + "_live.html", "recorded");
        items += here ? "</span></li>\n" : "</li>\n";
    }
    return items + "<li class=\"own\">" + item("docs-overview.html", "In ten minutes") + "</li>\n<li>" +
           item("docs-glossary.html", "Glossary") + "</li>\n<li>" + item("docs.html", "All documents") +
           "</li>\n";
}

// To the chapters before and after this one.
std::string neighbours(const Json& chapters, const std::string& chapter) {
    std::string links;
    for (std::size_t i = 0; i < chapters.size(); ++i)
        for (const auto& [words, other] : {std::pair("Previous", i - 1), std::pair("Next", i + 1)})
            if (chapters[i]["name"] == chapter && other < chapters.size())
                links += fmt::format("<span>{}: {}</span>", words,
                                     link(name_of(chapters[other]) + ".html", title_of(chapters[other])));
    return links.empty() ? "" : "<p class=\"neighbours\">" + links + "</p>\n";
}

void write_page(const Site& site, const std::string& file, const std::string& title, const std::string& body,
                const std::string& chapter) {
    const bool formulas = body.find("<x-equation") != body.npos && fs::exists(katex);
    write(site.folder / file,
          fmt::format(fmt::runtime(read(site.root / "play/page/pages.html")), fmt::arg("title", title),
                      fmt::arg("formulas", formulas ? katex_tags : ""), fmt::arg("body", body),
                      fmt::arg("navigation", navigation(site, file, chapter)),
                      fmt::arg("neighbours", neighbours(site.chapters, chapter))));
}

void add_to_index(Json& index, const std::string& file, const std::string& title, const std::string& html) {
    for (std::size_t at = html.find("<h1"), next = at; at != html.npos; at = next) {
        do next = html.find("<h", next + 1);
        while (next != html.npos && html.compare(next + 3, 4, " id=") != 0);
        const std::string part = html.substr(at, next - at);
        const std::size_t end = part.find("</h");
        index.push_back({file + "#" + attribute(part, "id"), title, words_of(part.substr(0, end)),
                         words_of(part.substr(end))});
    }
}

void write_text(Site& site, const std::string& path) {
    const auto page = [&](const std::string& to, const std::string& mark) {
        if (std::find(site.paths.begin(), site.paths.end(), to) == site.paths.end()) site.paths.push_back(to);
        return page_of(to) + (mark.empty() ? "" : "#" + mark);
    };
    const auto picture = [&](const std::string& from) {
        const std::string to = "files/" + with_dashes(from);
        write(site.folder / to, read(site.root / from));
        return to;
    };
    std::string html = text_html(site.root, path, {page, picture});
    const std::string file = page_of(path), chapter = chapter_of(path).first,
                      title = words_of(html.substr(0, html.find("</h1>")));
    add_to_index(site.index, file, title, html);
    if (const auto found = site.recorded.find(chapter); found != site.recorded.end())
        html = with_each(html, "<figure data-figure=\"", "</figure>", [&](std::string figure) {
            const auto& drawn = found->second.drawn;
            const auto section = drawn.find(attribute(figure, "data-figure"));
            if (section == drawn.end()) return figure;
            const std::string to = chapter + "_live.html#" + section->second;
            return figure.insert(figure.rfind("</figure>"), link(to, "recorded answers", " class=\"live\""));
        });
    write_page(site, file, title, html, chapter);
}

void record(Site& site, Programs& programs, const std::vector<std::string>& names) {
    const Json texts = Json::parse(read(site.root / "play/texts.json"));
    for (const Json& chapter : site.chapters) {
        const std::string name = name_of(chapter);
        if (std::find(names.begin(), names.end(), name) == names.end()) continue;
        site.recorded[name] = recorded_answers(programs, name, texts[texts.contains(name) ? name : "other"]);
        pack(site, name + "_answers", site.recorded[name].answers);
        say(title_of(chapter) + " is recorded");
    }
}

void write_files(const Site& site) {
    std::vector<fs::path> files{"common/report/page.css", "common/report/cells.js"};
    for (const char* name : {"play.css", "pages.css", "finish.js", "pages.js"})
        files.push_back(fs::path("play/page") / name);
    for (const fs::path& file : files) write(site.folder / "files" / file.filename(), read(site.root / file));
    if (!fs::exists(katex)) return;
    const auto follow = fs::directory_options::follow_directory_symlink;
    for (const auto& entry : fs::recursive_directory_iterator(katex, follow))
        if (const std::string name = entry.path().lexically_relative(katex).string();
            name == "katex.min.js" || name == "katex.min.css" || name.ends_with(".woff2"))
            write(site.folder / "files/katex" / name, read(entry.path()));
}

}  // namespace

void write_pages(const fs::path& root, Programs& programs, const Json& chapters,
                 const std::vector<std::string>& recorded, const fs::path& folder) {
    Site site{root, folder, chapters};
    record(site, programs, recorded);
    site.paths = {"README.md", "docs", "docs/overview.md", "docs/glossary.md"};
    for (const Json& chapter : chapters)
        for (const char* text : {"README.md", "deeper.md"})
            if (const std::string path = "chapters/" + name_of(chapter) + "/" + text; fs::exists(root / path))
                site.paths.push_back(path);
    for (std::size_t i = 0; i < site.paths.size(); ++i) write_text(site, std::string(site.paths[i]));
    for (const Json& chapter : chapters) {
        const std::string name = name_of(chapter), title = title_of(chapter) + ", recorded";
        if (const auto found = site.recorded.find(name); found != site.recorded.end())
            write_page(site, name + "_live.html", title, "<h1>" + title + "</h1>\n" + found->second.html,
                       name);
    }
    pack(site, "index", site.index);
    write_files(site);
}

}  // namespace tfs::play
