// tools/verdict/channel.cpp
#include "tools/verdict/channel.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace tfs::verdict {

std::string Outcome::waits_for() const {
    constexpr std::string_view not_started_prefix = "not started: step ";
    for (const Failure& failure : failures) {
        const std::string& message = failure.message;
        const std::size_t at = message.find(not_started_prefix);
        if (at == std::string::npos) continue;
        const std::size_t begin = at + not_started_prefix.size();
        return message.substr(begin, message.find_first_of("\"\n", begin) - begin);
    }
    return {};
}

bool Outcome::not_started() const { return !step.empty() && waits_for().ends_with(" " + step); }

bool Outcome::failed() const { return !passed && !left_out && waits_for().empty(); }

std::string in_words(std::string test_name) {
    std::replace(test_name.begin(), test_name.end(), '_', ' ');
    return test_name;
}

namespace {

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '\\' || c == '\n' || c == '\t') result += '\\';
        result += c == '\n' ? 'n' : c == '\t' ? 't' : c;
    }
    return result;
}

std::string unescaped(std::string_view text) {
    std::string result;
    while (true) {
        const std::size_t at = text.find('\\');
        result += text.substr(0, at);
        if (at == std::string_view::npos || at + 1 == text.size()) return result;
        const char c = text[at + 1];
        result += c == 'n' ? '\n' : c == 't' ? '\t' : c;
        text.remove_prefix(at + 2);
    }
}

std::vector<std::string> fields_of(std::string_view line) {
    std::vector<std::string> fields;
    while (true) {
        const std::size_t end = std::min(line.find('\t'), line.size());
        fields.push_back(unescaped(line.substr(0, end)));
        if (end == line.size()) return fields;
        line.remove_prefix(end + 1);
    }
}

// One NaN is like another.
std::uint32_t bits_of(float value) {
    return std::bit_cast<std::uint32_t>(std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value);
}

void read_event(Record& record, const std::vector<std::string>& fields) {
    const std::string& kind = fields[0];
    const std::string field = fields.size() > 1 ? fields[1] : "";
    std::vector<Outcome>& tests = record.outcomes;
    if (kind == "plan") record.planned = std::strtoul(field.c_str(), nullptr, 10);
    if (kind == "start" && fields.size() == 3) {
        Outcome test;
        test.step = field;
        test.name = fields[2];
        tests.push_back(test);
    }
    if (kind == "failure" && !tests.empty() && fields.size() == 7)
        tests.back().failures.push_back({field, fields[2], fields[3], fields[4],
                                         std::strtoul(fields[5].c_str(), nullptr, 10), fields[6] == "last"});
    if (kind == "end" && !tests.empty()) {
        tests.back().finished = true;
        tests.back().passed = field == "passed";
        tests.back().left_out = field == "left out";
    }
    if (kind == "cause") record.crash_cause = field;
    if (kind == "done") record.done = true;
    if (kind == "ended" && fields.size() == 3)
        record.ending = {
            static_cast<Ending::Kind>(std::atoi(field.c_str())), std::atoi(fields[2].c_str()), {}};
}

}  // namespace

void Channel::write(const std::vector<std::string_view>& fields) const {
    if (descriptor_ < 0) return;
    std::string line;
    for (const std::string_view field : fields) line += (line.empty() ? "" : "\t") + escaped(field);
    line += '\n';
    for (std::string_view rest = line; !rest.empty();) {
        const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
        if (written <= 0) return;  // nobody reads any more
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
}

void Channel::plan(std::size_t tests) const { write({"plan", std::to_string(tests)}); }
void Channel::start(std::string_view step, std::string_view test) const {
    write({"start", step, test});
    if (!is_open()) return;
    std::printf("%c%.*s\n", mark, static_cast<int>(test.size()), test.data());
    std::fflush(stdout);
}
void Channel::failure(const Failure& failure) const {
    write({"failure", failure.message, failure.where, failure.exception, failure.came,
           std::to_string(failure.number), failure.last ? "last" : ""});
}
void Channel::end(std::string_view result) const { write({"end", result}); }
void Channel::cause(std::string_view likely_cause) const { write({"cause", likely_cause}); }
void Channel::done() const { write({"done"}); }

bool Record::all_passed() const {
    return done && planned > 0 && outcomes.size() == planned &&
           std::all_of(outcomes.begin(), outcomes.end(),
                       [](const Outcome& test) { return test.finished && (test.passed || test.left_out); });
}

const Outcome* Record::interrupted() const {
    return outcomes.empty() || outcomes.back().finished ? nullptr : &outcomes.back();
}

Record read_record(std::string_view events) {
    Record record;
    while (true) {
        const std::size_t end = events.find('\n');
        if (end == std::string_view::npos) return record;  // the rest of a line that was never finished
        read_event(record, fields_of(events.substr(0, end)));
        events.remove_prefix(end + 1);
    }
}

std::string event_of(const Ending& ending) {
    return "ended\t" + std::to_string(static_cast<int>(ending.kind)) + "\t" + std::to_string(ending.code) +
           "\n";
}

std::string in_text(const Came& came) {
    if (came.shape.empty()) return came.text.empty() ? "" : "= " + came.text;
    char tolerance[64];
    std::snprintf(tolerance, sizeof tolerance, "%g %g ", came.relative, came.absolute);
    std::string text = tolerance + came.shape + " ";
    for (const float value : came.values)
        for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[bits_of(value) >> shift & 15];
    return text;
}

Came came_of(std::string_view text) {
    Came came;
    if (text.starts_with("= ")) came.text = text.substr(2);
    if (!came.text.empty()) return came;
    const std::size_t shape = text.find('('), end = text.find(") ");
    if (shape == std::string_view::npos || end == std::string_view::npos) return came;
    std::sscanf(std::string(text.substr(0, shape)).c_str(), "%lf %lf", &came.relative, &came.absolute);
    came.shape = text.substr(shape, end + 1 - shape);
    for (std::size_t i = end + 2; i + 8 <= text.size(); i += 8) {
        std::uint32_t bits = 0;
        std::from_chars(text.data() + i, text.data() + i + 8, bits, 16);
        came.values.push_back(std::bit_cast<float>(bits));
    }
    return came;
}

}  // namespace tfs::verdict
