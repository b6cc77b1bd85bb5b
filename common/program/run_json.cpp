// common/program/run_json.cpp · runs and lists of sections as JSON
#include "common/program/run_json.hpp"

#include <nlohmann/json.hpp>

#include "common/report/sinks.hpp"

namespace tfs {

namespace {

using Json = nlohmann::ordered_json;

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

std::string text_of(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

}  // namespace

std::string run_json(const Chapter& chapter, const Values& values, const std::vector<SectionRun>& runs) {
    Json sections = Json::array();
    for (const SectionRun& run : runs)
        sections.push_back({{"id", run.section.id},
                            {"title", run.title},
                            {"level", name_of(run.section.level)},
                            {"report", Json::parse(json(run.report))}});
    return text_of({{"version", report_version},
                    {"chapter", chapter.name},
                    {"options", json_of(values)},
                    {"sections", sections}});
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
                            {"slow", section.slow},
                            {"options", flags},
                            {"session", static_cast<bool>(section.open)}});
    }
    return text_of({{"version", report_version},
                    {"chapter", chapter.name},
                    {"description", chapter.description},
                    {"options", options},
                    {"sections", sections}});
}

}  // namespace tfs
