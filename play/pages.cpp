// play/pages.cpp · answers of programs, then one page after the other, as links lead to them
#include "play/pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "play/lesson.hpp"
#include "play/news.hpp"

namespace tfs::play {

namespace fs = std::filesystem;

namespace {

constexpr const char* katex = "/usr/share/javascript/katex";
constexpr const char* katex_tags = R"(<link rel="stylesheet" href="files/katex/katex.min.css">
<script defer src="files/katex/katex.min.js"></script>
)";

constexpr const char* begin_html =
    R"(<p>These answers of the chapter's program are recorded{}. <code>./tutorial play {}</code> answers to any text, with any options, on your own code.</p>
{}<p class="state" id="state" role="status" data-answers="{}">They need JavaScript.</p>
)";
constexpr const char* choice_html =
    R"(<div class="controls"><label>text <select id="choice">{}</select></label></div>
)";
constexpr const char* section_html = R"(<section aria-labelledby="{0}"><h2 id="{0}">{1}</h2>
<div class="answer" data-section="{0}"></div></section>
)";

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream stream(file, std::ios::binary);
    if (!(stream << text).flush()) throw std::runtime_error("can't write " + file.string());
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

// --- answers

Json answer_to(Programs& programs, const std::string& chapter, const std::vector<std::string>& words) {
    Answer answer(programs.take(chapter), words);
    std::optional<Answer::Line> line;
    while (!line || !line->last) line = answer.next(std::chrono::seconds(1));
    const Json said = Json::parse(line->text);
    if (said.contains("result")) return said["result"];
    throw std::runtime_error(fmt::format("the program of chapter {} answers to {}: {}", chapter,
                                         fmt::join(words, " "), said["error"].get<std::string>()));
}

// What the program of a chapter answers.
struct Recorded {
    std::string html = {};          // a page: a list of texts, and an empty place for each section
    Json answers = Json::object();  // by section: pieces of HTML; of one that reads a text one for each text
    std::map<std::string, std::string> drawn = {};  // by figure: the section that draws it

    // Asks it with each text where it reads one, else once. The title that it has with them.
    std::string add(Programs& programs, const std::string& chapter, const Json& section, const Json& texts) {
        const std::string id = section["id"], flag = texts["flag"];
        const Json& options = section["options"];
        const bool reads = std::find(options.begin(), options.end(), flag) != options.end();
        Json result;
        for (const std::string text : reads ? texts["texts"] : Json{""}) {
            std::vector<std::string> words{"--section", id};
            if (reads) words.push_back(flag + "=" + text);
            result = answer_to(programs, chapter, words);
            answers[id].push_back(result["html"]);
        }
        const std::string last = result["html"];
        for (std::size_t at = 0; (at = last.find("<figure id=\"", at)) != last.npos; ++at)
            drawn[attribute(last.substr(at, last.find('>', at) - at), "id")] = id;
        return result["title"];
    }
};

Recorded recorded_answers(Programs& programs, const std::string& chapter, const Json& texts) {
    Recorded recorded;
    std::map<std::string, std::string> parts;  // by level
    const std::string number = chapter.substr(0, 2);
    const Json program = Json::parse(programs.list(chapter));
    for (const Json& section : program["sections"]) {
        const std::string id = section["id"], level = section["level"];
        if (level == "experiment" || section["slow"] == true)
            parts["experiment"] += fmt::format("<p>{}: <code>./tutorial run {} -- --section {}</code></p>\n",
                                               escaped(section["title"]), number, id);
        else
            parts[level] +=
                fmt::format(section_html, id, escaped(recorded.add(programs, chapter, section, texts)));
    }
    std::string choice;
    if (std::any_of(recorded.answers.begin(), recorded.answers.end(),
                    [](const Json& one) { return one.size() > 1; }))
        for (const std::string text : texts["texts"]) choice += "<option>" + escaped(text) + "</option>";
    recorded.html = fmt::format(begin_html, choice.empty() ? "" : ", for the texts of the list", number,
                                choice.empty() ? "" : fmt::format(choice_html, choice), chapter) +
                    parts["always"];
    for (const auto& [level, heading] :
         {std::pair("deeper", "Deeper"), std::pair("experiment", "Small trainings, not recorded")})
        if (!parts[level].empty())
            recorded.html += fmt::format("<h2 class=\"part\">{}</h2>\n{}", heading, parts[level]);
    return recorded;
}

// --- pages

class Pages {
  public:
    Pages(const fs::path& root, const Json& chapters, const fs::path& folder)
        : root_(root), folder_(folder), chapters_(chapters) {}

    void record(Programs& programs, const std::vector<std::string>& names) {
        const Json texts = Json::parse(read(root_ / "play/texts.json"));
        for (const Json& chapter : chapters_) {
            const std::string name = name_of(chapter);
            if (std::find(names.begin(), names.end(), name) == names.end()) continue;
            recorded_[name] = recorded_answers(programs, name, texts[texts.contains(name) ? name : "other"]);
            pack(name + "_answers", recorded_[name].answers);
            say(title_of(chapter) + " is recorded");
        }
    }

    void write_texts() {
        paths_ = {"README.md", "docs", "docs/overview.md", "docs/glossary.md"};
        for (const Json& chapter : chapters_)
            for (const char* text : {"README.md", "deeper.md"})
                if (const std::string path = "chapters/" + name_of(chapter) + "/" + text;
                    fs::exists(root_ / path))
                    paths_.push_back(path);
        for (std::size_t i = 0; i < paths_.size(); ++i) write_text(std::string(paths_[i]));
        for (const Json& chapter : chapters_) {
            const std::string name = name_of(chapter), title = title_of(chapter) + ", recorded";
            if (const auto found = recorded_.find(name); found != recorded_.end())
                write_page(name + "_live.html", title, "<h1>" + title + "</h1>\n" + found->second.html, name);
        }
        pack("index", index_);
    }

    void write_files() const {
        std::vector<fs::path> files{"common/report/page.css", "common/report/cells.js"};
        for (const char* name : {"play.css", "pages.css", "finish.js", "pages.js"})
            files.push_back(fs::path("play/page") / name);
        for (const fs::path& file : files) write(folder_ / "files" / file.filename(), read(root_ / file));
        if (!fs::exists(katex)) return;
        const auto follow = fs::directory_options::follow_directory_symlink;
        for (const auto& entry : fs::recursive_directory_iterator(katex, follow))
            if (const std::string name = entry.path().lexically_relative(katex).string();
                name == "katex.min.js" || name == "katex.min.css" || name.ends_with(".woff2"))
                write(folder_ / "files/katex" / name, read(entry.path()));
    }

  private:
    fs::path root_, folder_;
    Json chapters_;
    std::map<std::string, Recorded> recorded_;  // by chapter
    std::vector<std::string> paths_;  // of all that has a page, in the order in which links led to it
    // For each heading its address, the title of its page, its words, and what is below it.
    Json index_ = Json::array();

    // A script that hands this to pages.js.
    void pack(const std::string& name, const Json& json) const {
        const fs::path plain = folder_ / "plain";
        write(plain, in_a_line(json));
        const std::string packed =
            Child({"sh", "-c", "gzip -9n <\"$0\" | base64 | tr -d '\\n'", plain.string()}, root_).read_all();
        fs::remove(plain);
        if (packed.empty()) throw std::runtime_error("gzip or base64 is missing");
        write(folder_ / "files" / (name + ".js"), fmt::format("packed('{}', '{}');\n", name, packed));
    }

    std::string navigation(const std::string& file, const std::string& chapter) const {
        const auto item = [&](const std::string& address, const std::string& words) {
            return link(address, words, address == file ? " aria-current=\"page\"" : "");
        };
        std::string items = "<li>" + item("index.html", "Start") + "</li>\n";
        for (const Json& one : chapters_) {
            const std::string name = name_of(one);
            const bool here = name == chapter;
            items += "<li>" + link(name + ".html", title_of(one), here ? " aria-current=\"true\"" : "");
            if (here) items += "<span class=\"pages\">" + item(name + ".html", "lesson");
            if (here && fs::exists(root_ / "chapters" / name / "deeper.md"))
                items += item(name + "_deeper.html", "deeper");
            if (here && recorded_.contains(name)) items += item(name + "_live.html", "recorded");
            items += here ? "</span></li>\n" : "</li>\n";
        }
        return items + "<li class=\"own\">" + item("docs-overview.html", "In ten minutes") + "</li>\n<li>" +
               item("docs-glossary.html", "Glossary") + "</li>\n<li>" + item("docs.html", "All documents") +
               "</li>\n";
    }

    // To the chapters before and after this one.
    std::string neighbours(const std::string& chapter) const {
        std::string links;
        for (std::size_t i = 0; i < chapters_.size(); ++i)
            for (const auto& [words, other] : {std::pair("Previous", i - 1), std::pair("Next", i + 1)})
                if (chapters_[i]["name"] == chapter && other < chapters_.size())
                    links +=
                        fmt::format("<span>{}: {}</span>", words,
                                    link(name_of(chapters_[other]) + ".html", title_of(chapters_[other])));
        return links.empty() ? "" : "<p class=\"neighbours\">" + links + "</p>\n";
    }

    void write_page(const std::string& file, const std::string& title, const std::string& body,
                    const std::string& chapter) const {
        const bool formulas = body.find("<x-equation") != body.npos && fs::exists(katex);
        write(folder_ / file,
              fmt::format(fmt::runtime(read(root_ / "play/page/pages.html")), fmt::arg("title", title),
                          fmt::arg("formulas", formulas ? katex_tags : ""), fmt::arg("body", body),
                          fmt::arg("navigation", navigation(file, chapter)),
                          fmt::arg("neighbours", neighbours(chapter))));
    }

    void add_to_index(const std::string& file, const std::string& title, const std::string& html) {
        for (std::size_t at = html.find("<h1"), next = at; at != html.npos; at = next) {
            do next = html.find("<h", next + 1);
            while (next != html.npos && html.compare(next + 3, 4, " id=") != 0);
            const std::string part = html.substr(at, next - at);
            const std::size_t end = part.find("</h");
            index_.push_back({file + "#" + attribute(part, "id"), title, words_of(part.substr(0, end)),
                              words_of(part.substr(end))});
        }
    }

    void write_text(const std::string& path) {
        const auto page = [&](const std::string& to, const std::string& mark) {
            if (std::find(paths_.begin(), paths_.end(), to) == paths_.end()) paths_.push_back(to);
            return page_of(to) + (mark.empty() ? "" : "#" + mark);
        };
        const auto picture = [&](const std::string& from) {
            const std::string to = "files/" + with_dashes(from);
            write(folder_ / to, read(root_ / from));
            return to;
        };
        std::string html = text_html(root_, path, {page, picture});
        const std::string file = page_of(path), chapter = chapter_of(path).first,
                          title = words_of(html.substr(0, html.find("</h1>")));
        add_to_index(file, title, html);
        if (const auto found = recorded_.find(chapter); found != recorded_.end())
            html = with_each(html, "<figure data-figure=\"", "</figure>", [&](std::string figure) {
                const auto& drawn = found->second.drawn;
                const auto section = drawn.find(attribute(figure, "data-figure"));
                if (section == drawn.end()) return figure;
                const std::string to = chapter + "_live.html#" + section->second;
                return figure.insert(figure.rfind("</figure>"),
                                     link(to, "recorded answers", " class=\"live\""));
            });
        write_page(file, title, html, chapter);
    }
};

}  // namespace

void write_pages(const fs::path& root, Programs& programs, const Json& chapters,
                 const std::vector<std::string>& recorded, const fs::path& folder) {
    Pages pages(root, chapters, folder);
    pages.record(programs, recorded);
    pages.write_texts();
    pages.write_files();
}

}  // namespace tfs::play
