// common/report/cost_table.cpp · the rows of a model's table
#include "common/report/cost_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/errors.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

namespace {

// "blocks.attention.scores" as its three names.
std::vector<std::string> names_of(const std::string& path) {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        names.push_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    return names;
}

std::string indented(const std::string& name, std::size_t depth) {
    return std::string(2 * depth, ' ') + name;
}

std::string shape_text(const PartCost& part) {
    if (part.output.empty() && part.axes.empty()) return "";
    try {
        return named_shape(part.output, part.axes);
    } catch (const ShapeError& error) {
        throw ShapeError(fmt::format("cost of {}: {}", part.part, error.what()));
    }
}

Cell or_dash(std::size_t number) { return number == 0 ? Cell("-") : Cell(number); }

// The names above a part that the part before it doesn't share.
void add_groups(Table& table, const std::vector<std::string>& names, const std::vector<std::string>& before) {
    std::size_t shared = 0;
    while (shared < before.size() && shared + 1 < names.size() && names[shared] == before[shared]) ++shared;
    for (std::size_t depth = shared; depth + 1 < names.size(); ++depth)
        table.add({indented(names[depth], depth), {}, {}, {}, {}, {}});
}

}  // namespace

Table cost_table(const std::vector<PartCost>& parts) {
    if (parts.empty()) throw ValueError("costs: the model has no part");
    Table table{
        .columns = {
            {"part"}, {""}, {"output"}, {"parameters", thousands()}, {"FLOPs", flops()}, {"bytes", bytes()}}};
    std::vector<std::string> before;
    for (const PartCost& part : parts) {
        const std::vector<std::string> names = names_of(part.part);
        add_groups(table, names, before);
        table.add({indented(names.back(), names.size() - 1),
                   part.repeated == 1 ? "" : fmt::format("x {}", part.repeated), shape_text(part),
                   or_dash(part.parameters), or_dash(part.flops), or_dash(part.bytes)});
        if (!part.note.empty()) table.add({{}, {}, part.note, {}, {}, {}});
        before = names;
    }
    const TotalCost sum = total(parts);
    table.add({"total", {}, {}, or_dash(sum.parameters), or_dash(sum.flops), or_dash(sum.bytes)});
    table.totals = 1;
    return table;
}

std::string size_of_weights(const std::vector<PartCost>& parts) {
    return "the weights as float32: " + in_bytes(4.0 * static_cast<double>(total(parts).parameters));
}

}  // namespace tfs
