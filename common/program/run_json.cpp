// common/program/run_json.cpp · docs/reports.md describes it all
#include "common/program/run_json.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "common/report/json_number.hpp"
#include "common/report/sinks.hpp"

namespace tfs {

namespace {

using Json = nlohmann::ordered_json;

// Of the documents' format: grows when a field changes its meaning or goes.
constexpr int report_version = 2;

const char* name_of(Level level) {
    return level == Level::always ? "always" : level == Level::deeper ? "deeper" : "experiment";
}

Json json_of(const Value& value) {
    return std::visit([](const auto& one) { return Json(one); }, value);
}

Json json_of(const CountOption& option) {
    return {{"type", "count"}, {"low", option.low}, {"high", option.high}};
}
Json json_of(const RealOption& option) {
    Json json{{"type", "real"}, {"low", option.low}, {"high", option.high}};
    if (option.above) json["above"] = true;
    return json;
}
Json json_of(const FlagOption&) { return {{"type", "flag"}}; }

Json json_of(const TextOption& option) {
    Json json{{"type", option.most > 0           ? "sentence"
                       : !option.choices.empty() ? "choice"
                       : option.file             ? "file"
                                                 : "text"}};
    if (option.most > 0) json["most_words"] = option.most;
    if (!option.choices.empty()) json["choices"] = option.choices;
    for (const auto& [kind, words] : option.words) json["words"][kind] = words;
    return json;
}

Json json_of(const Option& option) {
    Json json{{"flag", flag_of(option)}, {"default", json_of(default_of(option))}, {"help", help_of(option)}};
    json.update(std::visit([](const auto& one) { return json_of(one); }, option));
    return json;
}

Json json_of(const Values& values) {
    Json json = Json::object();
    for (const auto& [flag, value] : values) json[flag] = json_of(value);
    return json;
}

std::string in_a_line(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

// {"a": 1} with one more field, whose value is JSON already: to parse it would take as long as to compute it.
std::string with_field(const Json& object, const std::string& name, std::string value) {
    std::string text = in_a_line(object);
    text.pop_back();
    std::replace(value.begin(), value.end(), '\n', ' ');  // one line; those of strings are escaped
    return text + ",\"" + name + "\":" + value + "}";
}

}  // namespace

std::string run_json(const Chapter& chapter, const Values& values, const std::vector<SectionRun>& runs) {
    std::string sections;
    for (const SectionRun& run : runs)
        sections +=
            (sections.empty() ? "" : ",") +
            with_field({{"id", run.section.id}, {"title", run.title}, {"level", name_of(run.section.level)}},
                       "report", json(run.report));
    return with_field({{"version", report_version}, {"chapter", chapter.name}, {"options", json_of(values)}},
                      "sections", "[" + sections + "]");
}

std::string list_json(const Chapter& chapter) {
    Json options = Json::array(), sections = Json::array();
    for (const Option& option : options_of(chapter)) options.push_back(json_of(option));
    for (const Section& section : chapter.sections) {
        Json flags = Json::array();
        for (const Option& option : section.options) flags.push_back(flag_of(option));
        sections.push_back({{"id", section.id},
                            {"title", section.title},
                            {"level", name_of(section.level)},
                            {"slow", section.slow == Slow::yes},
                            {"options", flags}});
    }
    return in_a_line({{"version", report_version},
                      {"chapter", chapter.name},
                      {"description", chapter.description},
                      {"options", options},
                      {"sections", sections}});
}

std::vector<std::string> words_of_request(const std::string& line) {
    const Json words = Json::parse(line, nullptr, false);
    if (!words.is_array() ||
        !std::all_of(words.begin(), words.end(), [](const Json& word) { return word.is_string(); }))
        throw ValueError("a request is a JSON array of texts, the words of a command line");
    return words;
}

AnswerLines::AnswerLines() : descriptor_(::dup(STDOUT_FILENO)) { ::dup2(STDERR_FILENO, STDOUT_FILENO); }

void AnswerLines::tell(const Event& event) const {
    Json json{{"kind", event.kind}, {"text", event.text}};
    for (const auto& [name, value] : event.numbers) json[name] = json_number(value);
    say("event", in_a_line(json));
}

void AnswerLines::error(const std::string& sentence) const { say("error", in_a_line(Json(sentence))); }

void AnswerLines::result(const SectionRun& run, bool as_json) const {
    Report report;  // an answer comes at each key: small maps are many numbers, and in the HTML already
    const auto is_kept = [&](const Item& item) {
        const Drawing* one = std::get_if<Drawing>(&item);
        return as_json && !(one && std::holds_alternative<SmallMapsFigure>(one->views[0].figure));
    };
    std::copy_if(run.report.items.begin(), run.report.items.end(), std::back_inserter(report.items), is_kept);
    say("result",
        fmt::format("{{\"title\":{},\"html\":{}{}}}", in_a_line(Json(run.title)),
                    in_a_line(Json(html(run.report))), as_json ? ",\"report\":" + json(report) : ""));
}

// {"KIND":VALUE}, where the value is JSON already: answers have megabytes. What was printed before leaves its buffers before.
void AnswerLines::say(const char* kind, const std::string& json) const {
    std::cout.flush();
    std::fflush(nullptr);
    const std::string line = fmt::format("{{\"{}\":{}}}\n", kind, json);
    for (std::string_view text = line; !text.empty();) {
        const ssize_t count = ::write(descriptor_, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) ::_exit(0);  // nobody reads it any more
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

}  // namespace tfs
