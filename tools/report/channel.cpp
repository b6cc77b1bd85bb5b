// tools/report/channel.cpp · how a checklist tells the runner what its tests came to
#include "tools/report/channel.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace tfs::report {

namespace {

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '\\')
            result += "\\\\";
        else if (c == '\n')
            result += "\\n";
        else if (c == '\t')
            result += "\\t";
        else
            result += c;
    }
    return result;
}

std::string unescaped(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            result += text[i];
        } else {
            const char c = text[++i];
            result += c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
    }
    return result;
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
    if (kind == "failure" && !tests.empty()) tests.back().messages.push_back(field);
    if (kind == "came" && !tests.empty()) tests.back().came.push_back(field);
    if (kind == "threw" && !tests.empty()) tests.back().exception = field;
    if (kind == "end" && !tests.empty()) {
        tests.back().finished = true;
        tests.back().passed = field == "passed";
    }
    if (kind == "cause") record.crash_cause = field;
    if (kind == "done") record.done = true;
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
void Channel::failure(std::string_view message) const { write({"failure", message}); }
void Channel::came(std::string_view value) const { write({"came", value}); }
void Channel::threw(std::string_view type) const { write({"threw", type}); }
void Channel::end(bool passed) const { write({"end", passed ? "passed" : "failed"}); }
void Channel::cause(std::string_view likely_cause) const { write({"cause", likely_cause}); }
void Channel::done() const { write({"done"}); }

bool Record::all_passed() const {
    return done && planned > 0 && outcomes.size() == planned &&
           std::all_of(outcomes.begin(), outcomes.end(),
                       [](const Outcome& test) { return test.finished && test.passed; });
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

}  // namespace tfs::report
