// play/recorded.cpp · a request to the program for each answer, one after the other: some tell times
#include "play/recorded.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "play/lesson.hpp"

namespace tfs::play {

namespace {

constexpr const char* begin_html =
    R"(<p>These answers of the chapter's program are recorded{}. <code>./tutorial play {}</code> answers to any text, with any options, on your own code.</p>
{}<p class="state" id="state" role="status" data-answers="{}">They need JavaScript.</p>
)";
constexpr const char* section_html = R"(<section aria-labelledby="{0}"><h2 id="{0}">{1}</h2>
<div class="answer" data-section="{0}"></div></section>
)";

bool reads_text(const Json& section, const std::string& flag) {
    const Json& options = section["options"];
    return std::find(options.begin(), options.end(), flag) != options.end();
}

Json answer_to(Programs& programs, const std::string& chapter, const std::vector<std::string>& words) {
    Answer answer(programs.take(chapter), words);
    std::optional<Answer::Line> line;
    while (!line || !line->last) line = answer.next(std::chrono::seconds(1));
    const Json said = Json::parse(line->text);
    if (said.contains("result")) return said["result"];
    throw std::runtime_error(fmt::format("the program of chapter {} answers to {}: {}", chapter,
                                         fmt::join(words, " "), said["error"].get<std::string>()));
}

// One for each text where the section reads one, else one; the title that it has with them.
std::string answer_all(Recorded& recorded, Programs& programs, const std::string& chapter,
                       const Json& section, const Json& texts) {
    const std::string id = section["id"], flag = texts["flag"];
    const bool reads = reads_text(section, flag);
    Json result;
    for (const std::string text : reads ? texts["texts"] : Json{""}) {
        std::vector<std::string> words{"--section", id};
        if (reads) words.push_back(flag + "=" + text);
        result = answer_to(programs, chapter, words);
        recorded.answers[id].push_back(result["html"]);
    }
    (void)with_each(result["html"], "<figure id=\"", ">", [&](const std::string& figure) {
        recorded.drawn[attribute(figure, "id")] = id;
        return figure;
    });
    return result["title"];
}

std::string choice_of(const Json& texts) {
    std::string choice = "<div class=\"controls\"><label>text <select id=\"choice\">";
    for (const std::string text : texts["texts"]) choice += "<option>" + escaped(text) + "</option>";
    return choice + "</select></label></div>\n";
}

}  // namespace

Recorded recorded_answers(Programs& programs, const std::string& chapter, const Json& texts) {
    Recorded recorded;
    std::map<std::string, std::string> parts;  // by level
    const std::string number = chapter.substr(0, 2);
    const Json sections = Json::parse(programs.list(chapter))["sections"];
    for (const Json& section : sections) {
        const std::string id = section["id"], level = section["level"];
        if (level == "experiment" || section["slow"] == true)
            parts["experiment"] +=
                fmt::format("<li>{}: <code>./tutorial run {} -- --section {}</code></li>\n",
                            escaped(section["title"]), number, id);
        else
            parts[level] += fmt::format(section_html, id,
                                        escaped(answer_all(recorded, programs, chapter, section, texts)));
    }
    const bool some = std::any_of(sections.begin(), sections.end(),
                                  [&](const Json& one) { return reads_text(one, texts["flag"]); });
    recorded.html = fmt::format(begin_html, some ? ", for the texts of the list" : "", number,
                                some ? choice_of(texts) : "", chapter) +
                    parts["always"];
    for (const auto& [level, heading] :
         {std::pair("deeper", "Deeper"), std::pair("experiment", "Small trainings, not recorded")})
        if (!parts[level].empty())
            recorded.html += fmt::format("<h2 class=\"part\">{}</h2>\n{}", heading, parts[level]);
    return recorded;
}

}  // namespace tfs::play
