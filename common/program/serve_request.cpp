// common/program/serve_request.cpp · requests from JSON, with a sentence for each thing that can be wrong
#include "common/program/serve_request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/base/errors.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

std::string shown(const std::string& text) { return harmless(truncate(text, 60)); }

std::string text_in(const Json& json, const char* name) {
    const Json& value = json.at(name);
    if (!value.is_string()) throw ValueError(fmt::format("\"{}\" must be a text", name));
    return value.get<std::string>();
}

std::size_t session_in(const Json& json, const char* name) {
    const Json& value = json.at(name);
    if (!value.is_number_unsigned())
        throw ValueError(fmt::format("\"{}\" must be the number of a session", name));
    return value.get<std::size_t>();
}

void require_known(const Json& json) {
    constexpr std::array known{"id",     "section", "open",    "step", "close",
                               "cancel", "list",    "options", "html", "report"};
    for (const auto& [name, value] : json.items())
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw ValueError(fmt::format("\"{}\" is no part of a request; there are: {}", shown(name),
                                         fmt::join(known, ", ")));
}

// Which of its kinds a request is of.
ServeRequest::Kind kind_of(const Json& json) {
    using Kind = ServeRequest::Kind;
    constexpr std::array<std::pair<const char*, Kind>, 6> kinds{{{"section", Kind::run},
                                                                 {"open", Kind::open},
                                                                 {"step", Kind::step},
                                                                 {"close", Kind::close},
                                                                 {"cancel", Kind::cancel},
                                                                 {"list", Kind::list}}};
    std::optional<Kind> found;
    for (const auto& [name, kind] : kinds) {
        if (!json.contains(name)) continue;
        if (found)
            throw ValueError("a request asks for one thing: section, open, step, close, cancel or list");
        found = kind;
    }
    if (!found) throw ValueError("a request asks for a section, or open, step, close, cancel or list");
    return *found;
}

// Whether brackets stand in brackets so often that functions which go through them would exhaust the stack.
bool is_deep(const std::string& line) {
    std::size_t depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (quoted && line[i] == '\\')
            ++i;
        else if (line[i] == '"')
            quoted = !quoted;
        else if (!quoted && (line[i] == '[' || line[i] == '{') && ++depth > 8)
            return true;
        else if (!quoted && (line[i] == ']' || line[i] == '}') && depth > 0)
            --depth;
    }
    return false;
}

Json parsed(const std::string& line) {
    if (is_deep(line))
        throw ValueError("the line has brackets in brackets in brackets: no request is like that");
    Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded() || !json.is_object()) throw ValueError("the line is no JSON object");
    return json;
}

bool is_id(const Json& json) { return json.is_number_integer() || json.is_string(); }

Value value_from(const Option& option, const Json& json) {
    const std::string& flag = flag_of(option);
    const auto refuse = [&](const char* wanted) {
        throw ValueError(fmt::format("{} needs {}, not {}", flag, wanted,
                                     shown(json.dump(-1, ' ', false, Json::error_handler_t::replace))));
    };
    if (std::holds_alternative<CountOption>(option)) {
        if (!json.is_number_unsigned()) refuse("a whole number, 0 or more");
        return json.get<std::size_t>();
    }
    if (std::holds_alternative<RealOption>(option)) {
        if (!json.is_number()) refuse("a number");
        return json.get<double>();
    }
    if (std::holds_alternative<FlagOption>(option)) {
        if (!json.is_boolean()) refuse("true or false");
        return json.get<bool>();
    }
    if (!json.is_string()) refuse("a text");
    return json.get<std::string>();
}

}  // namespace

std::string dumped(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

Json id_in(const std::string& line) {
    if (is_deep(line)) return nullptr;
    const Json json = Json::parse(line, nullptr, false);
    return json.is_object() && json.contains("id") && is_id(json["id"]) ? json["id"] : Json(nullptr);
}

ServeRequest parse_serve_request(const std::string& line) {
    const Json json = parsed(line);
    require_known(json);
    ServeRequest request;
    request.kind = kind_of(json);
    using Kind = ServeRequest::Kind;
    if (request.kind == Kind::cancel) {
        request.id = json["cancel"];
        if (!is_id(request.id)) throw ValueError("\"cancel\" must be the id of a request");
        return request;
    }
    if (!json.contains("id") || !is_id(json["id"]))
        throw ValueError(
            "a request needs an \"id\", a whole number or a text, by which its answers are known");
    request.id = json["id"];
    if (request.kind == Kind::run) request.section = text_in(json, "section");
    if (request.kind == Kind::open) request.section = text_in(json, "open");
    if (request.kind == Kind::step) request.session = session_in(json, "step");
    if (request.kind == Kind::close) request.session = session_in(json, "close");
    if (json.contains("options")) request.options = json["options"];
    if (!request.options.is_object())
        throw ValueError("\"options\" must be an object such as {\"--seed\": 2}");
    request.html = json.contains("html") && json["html"] == true;
    request.report = !json.contains("report") || json["report"] != false;
    return request;
}

const Section& section_named(const Chapter& chapter, const std::string& id) {
    std::vector<std::string> ids;
    for (const Section& section : chapter.sections) {
        if (section.id == id) return section;
        ids.push_back(section.id);
    }
    throw ValueError(fmt::format("there is no section {}; there are: {}", shown(id), fmt::join(ids, ", ")));
}

Values values_for(const Chapter& chapter, const Section& section, const Json& options) {
    Request all;
    for (const Option& option : options_of(chapter)) all.values[flag_of(option)] = default_of(option);
    Values values;
    for (const Option& option : section.options) values[flag_of(option)] = default_of(option);
    for (const auto& [flag, json] : options.items()) {
        const auto option =
            std::find_if(section.options.begin(), section.options.end(),
                         [&wanted = flag](const Option& one) { return flag_of(one) == wanted; });
        if (option == section.options.end()) {
            std::vector<std::string> flags;
            for (const Option& one : section.options) flags.push_back(flag_of(one));
            throw ValueError(fmt::format("the section {} has no option {}; it has: {}", section.id,
                                         shown(flag),
                                         flags.empty() ? "none" : fmt::format("{}", fmt::join(flags, ", "))));
        }
        if (const TextOption* text = std::get_if<TextOption>(&*option);
            text && text->file && json != text->value)
            throw ValueError(fmt::format("{} names a file, which a request may not", flag));
        values[flag] = value_from(*option, json);
        require_fit(*option, values[flag]);
        all.values[flag] = values[flag];
    }
    if (chapter.check) chapter.check(all);
    return values;
}

}  // namespace tfs
