// common/program/section.cpp · what is asked of a section, and what it answers
#include "common/program/section.hpp"

#include <fmt/format.h>

#include "common/base/errors.hpp"

namespace tfs {

namespace {

template <class Type>
const Type& value_of(const Request& request, const std::string& flag) {
    const auto found = request.values.find(flag);
    if (found == request.values.end())
        throw ValueError(fmt::format("the section {} reads {}, but does not list it", request.section, flag));
    return std::get<Type>(found->second);
}

}  // namespace

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

}  // namespace tfs
