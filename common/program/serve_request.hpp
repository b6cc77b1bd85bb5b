// common/program/serve_request.hpp · a line that a serving program reads: docs/reports.md describes them all
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "common/program/chapter.hpp"

namespace tfs {

using Json = nlohmann::ordered_json;

// In one line, whatever is in it.
[[nodiscard]] std::string dumped(const Json& json);

// One of: run a section, open a session of it, a step of a session, close a session, cancel a request, list the sections.
struct ServeRequest {
    enum class Kind { run, open, step, close, cancel, list };
    Kind kind = Kind::run;
    Json id = nullptr;              // of the answers; of the request that `cancel` ends
    std::string section = {};       // of run and open
    std::size_t session = 0;        // of step and close
    Json options = Json::object();  // {"--heads": 2}
    bool html = false;              // the report as HTML, too
    bool report = true;             // the report as JSON
};

// Throws ValueError, a sentence, for a line that is no request.
[[nodiscard]] ServeRequest parse_serve_request(const std::string& line);

// The id of a line that is no request, as far as it can be read.
[[nodiscard]] Json id_in(const std::string& line);

// The values that a section reads: those of `options`, else the defaults. Throws ValueError for an option that the section has
// not, a value of another type or out of range, and values that don't fit together.
[[nodiscard]] Values values_for(const Chapter& chapter, const Section& section, const Json& options);

// ValueError, which lists them, if there is no section of this id.
[[nodiscard]] const Section& section_named(const Chapter& chapter, const std::string& id);

}  // namespace tfs
