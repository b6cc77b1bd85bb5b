// play/recorded.cpp · a request to the program for each answer, one after the other: some tell times
#include "play/recorded.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "play/lesson.hpp"

namespace tfs::play {

namespace {

Json answer_to(Programs& programs, const std::string& chapter, const std::vector<std::string>& words) {
    Answer answer(programs.take(chapter), words);
    std::optional<Answer::Line> line;
    while (!line || !line->last) line = answer.next(std::chrono::seconds(1));
    const Json said = Json::parse(line->text);
    if (said.contains("result")) return said["result"];
    throw std::runtime_error(fmt::format("the program of chapter {} answers to {}: {}", chapter,
                                         fmt::join(words, " "), said["error"].get<std::string>()));
}

}  // namespace

Recorded recorded_answers(Programs& programs, const std::string& chapter, const Json& texts) {
    const std::string flag = texts["flag"], number = chapter.substr(0, 2);
    Recorded recorded;
    std::map<std::string, std::string> parts;  // by level
    bool some_read = false;
    const Json program = Json::parse(programs.list(chapter));
    for (const Json& section : program["sections"]) {
        const std::string id = section["id"], level = section["level"];
        if (level == "experiment" || section["slow"] == true) {
            parts["experiment"] +=
                fmt::format("<li>{}: <code>./tutorial run {} -- --section {}</code></li>\n",
                            escaped(section["title"]), number, id);
            continue;
        }
        const Json& options = section["options"];
        const bool reads = std::find(options.begin(), options.end(), flag) != options.end();
        some_read |= reads;
        Json& answers = recorded.answers[id];
        Json result;
        for (const std::string text : reads ? texts["texts"] : Json{""}) {
            std::vector<std::string> words{"--section", id};
            if (reads) words.push_back(flag + "=" + text);
            result = answer_to(programs, chapter, words);
            answers.push_back(result["html"]);
        }
        parts[level] += fmt::format(
            "<section aria-labelledby=\"{0}\"><h2 id=\"{0}\">{1}</h2>\n"
            "<div class=\"answer\" data-section=\"{0}\"></div></section>\n",
            id, escaped(result["title"]));
        (void)with_each(result["html"], "<figure id=\"", ">", [&](const std::string& figure) {
            recorded.drawn[attribute(figure, "id")] = id;
            return figure;
        });
    }
    std::string choice;
    for (const std::string text : texts["texts"]) choice += "<option>" + escaped(text) + "</option>";
    if (some_read)
        choice = "<div class=\"controls\"><label>A text <select id=\"choice\">" + choice +
                 "</select></label></div>\n";
    recorded.html = fmt::format(
        "<p>These answers of the chapter's program are recorded{}. <code>./tutorial play {}</code> answers "
        "to any text, with any "
        "options, on your own code.</p>\n{}<p class=\"state\" id=\"state\" role=\"status\" "
        "data-answers=\"{}\">"
        "They need JavaScript.</p>\n{}",
        some_read ? ", for the texts of the list" : "", number, some_read ? choice : "", chapter,
        parts["always"]);
    if (!parts["deeper"].empty()) recorded.html += "<h2 class=\"part\">Deeper</h2>\n" + parts["deeper"];
    if (!parts["experiment"].empty())
        recorded.html +=
            "<h2 class=\"part\">Small trainings, not recorded</h2>\n<ul>\n" + parts["experiment"] + "</ul>\n";
    return recorded;
}

}  // namespace tfs::play
