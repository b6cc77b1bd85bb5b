// common/program/chapter.cpp · values of requests, titles, and a first Ctrl-C
#include "common/program/chapter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <ctime>

namespace tfs {

namespace {

template <class Type>
const Type& value_of(const Request& request, const std::string& flag) {
    const auto found = request.values.find(flag);
    if (found == request.values.end())
        throw ValueError(fmt::format("the section {} reads {}, but does not list it", request.section, flag));
    return std::get<Type>(found->second);
}

volatile std::sig_atomic_t interrupted = 0;
std::timespec first{};

// ./tutorial passes the signal on to its program, which has it from the keyboard already: what follows at once is the same
// Ctrl-C once more.
void note(int signal) {
    std::timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const auto since = static_cast<double>(now.tv_sec - first.tv_sec) +
                       1e-9 * static_cast<double>(now.tv_nsec - first.tv_nsec);
    if (interrupted != 0 && since > 0.5) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
        return;
    }
    if (interrupted == 0) first = now;
    interrupted = 1;
    std::signal(signal, note);
}

}  // namespace

void hold_interruptions() { std::signal(SIGINT, note); }
bool is_interrupted() { return interrupted != 0; }

std::size_t Request::operator[](const CountOption& option) const {
    return value_of<std::size_t>(*this, option.flag);
}
double Request::operator[](const RealOption& option) const { return value_of<double>(*this, option.flag); }
const std::string& Request::operator[](const TextOption& option) const {
    return value_of<std::string>(*this, option.flag);
}
bool Request::operator[](const FlagOption& option) const { return value_of<bool>(*this, option.flag); }

Tokens Request::words(const TextOption& option) const {
    return tokens_of_text((*this)[option], option.most, option.flag);
}

Sections joined(const std::vector<Sections>& tables) {
    Sections all;
    for (const Sections& table : tables) all.insert(all.end(), table.begin(), table.end());
    return all;
}

std::vector<Option> with(std::vector<Option> options, const Option& more) {
    options.push_back(more);
    return options;
}

std::string title_of(const Section& section, const Values& values) {
    std::string title = section.title;
    for (const auto& [flag, value] : values) {
        const std::string mark = "{" + flag.substr(2) + "}";
        if (const std::size_t at = title.find(mark); at != std::string::npos)
            title.replace(at, mark.size(), text_of(value));
    }
    return title;
}

Report part_or_gap(const std::function<Report()>& part) {
    try {
        return part();
    } catch (const NotImplemented& gap) {
        Report report;
        report.note(std::string(gap.what()) + "; this section ends here");
        return report;
    }
}

Report run_section(const Section& section, const Request& request) {
    return part_or_gap([&] { return section.run(request); });
}

std::vector<Option> options_of(const Chapter& chapter) {
    std::vector<Option> all;
    const auto add = [&](const std::vector<Option>& options) {
        for (const Option& option : options) {
            const bool known = std::any_of(all.begin(), all.end(), [&](const Option& other) {
                return flag_of(other) == flag_of(option);
            });
            if (!known && flag_of(option) != options::seed.flag) all.push_back(option);
        }
    };
    for (const Section& section : chapter.sections) add(section.options);
    add(chapter.options);
    all.emplace_back(options::seed);
    return all;
}

}  // namespace tfs
