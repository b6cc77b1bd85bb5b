// common/show/summary.cpp · the lines of a model's table, and large numbers as text
#include "common/show/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "common/show/named_shape.hpp"
#include "common/text/display.hpp"

namespace tfs {
namespace {

constexpr std::size_t flops_width = 11, bytes_width = 13;
constexpr std::size_t least_part_width = 24;
constexpr const char* cut = "~";  // stands for what is cut off: ASCII, as all of the table

// "blocks.attention.scores" as its three names.
std::vector<std::string> names_of(const std::string& path) {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        names.push_back(harmless(path.substr(begin, end - begin)));
        begin = end + 1;
    }
    return names;
}

std::string indented(const std::string& name, std::size_t depth) {
    return std::string(2 * depth, ' ') + name;
}

std::string times(const PartCost& part) {
    return part.repeated == 1 ? "" : fmt::format(" x {}", part.repeated);
}

std::string shape_text(const PartCost& part) {
    if (part.output.empty() && part.axes.empty()) return "";
    try {
        return named_shape(part.output, part.axes);
    } catch (const ShapeError& error) {
        throw ShapeError(fmt::format("summary of {}: {}", part.part, error.what()));
    }
}

// How wide the columns are. Names and shapes share what the numbers leave of the screen.
struct Columns {
    std::size_t part = 4, repeated = 0, shape = 6, count = 12;

    explicit Columns(const std::vector<PartCost>& parts) {
        for (const PartCost& one : parts) {
            const std::vector<std::string> names = names_of(one.part);
            for (std::size_t depth = 0; depth < names.size(); ++depth)
                part = std::max(part, display_width(indented(names[depth], depth)));
            repeated = std::max(repeated, times(one).size());
            shape = std::max(shape, display_width(shape_text(one)));
        }
        count = std::max(count, with_separators(total(parts).parameters).size() + 2);
        const std::size_t room = screen_columns - 2 - repeated - 2 - count - flops_width - bytes_width;
        shape = std::min(shape, room - std::min(part, least_part_width));
        part = std::min(part, room - shape);
    }
    std::size_t before_shape() const { return 2 + part + repeated + 2; }
    std::size_t width() const {  // without the two spaces on the left
        return part + repeated + 2 + shape + count + flops_width + bytes_width;
    }
};

std::string or_dash(std::size_t number, const std::string& text) { return number == 0 ? "-" : text; }

// The three numbers, below their names.
std::string numbers(const Columns& columns, std::size_t parameters, std::size_t flops, std::size_t bytes) {
    return fmt::format("{:>{}}{:>{}}{:>{}}\n", or_dash(parameters, with_separators(parameters)),
                       columns.count, or_dash(flops, in_flops(static_cast<double>(flops))), flops_width,
                       or_dash(bytes, in_bytes(static_cast<double>(bytes))), bytes_width);
}

// A line up to its numbers; a shape that is too long keeps the line for itself.
std::string line_head(const Columns& columns, const std::string& part, const std::string& repeated,
                      const std::string& shape) {
    std::string line = "  " + pad(truncate(part, columns.part, cut), columns.part) +
                       fmt::format("{:<{}}  ", repeated, columns.repeated);
    const bool fits = display_width(shape) <= columns.shape;
    if (!fits) {
        line += truncate(shape, screen_columns - columns.before_shape(), cut) + "\n" +
                std::string(columns.before_shape(), ' ');
    }
    return line + pad(fits ? shape : "", columns.shape);
}

// The names above a part that the part before it doesn't share.
void print_groups(std::ostream& out, const std::vector<std::string>& names,
                  const std::vector<std::string>& before) {
    std::size_t shared = 0;
    while (shared < before.size() && shared + 1 < names.size() && names[shared] == before[shared]) ++shared;
    for (std::size_t depth = shared; depth + 1 < names.size(); ++depth)
        out << "  " << truncate(indented(names[depth], depth), screen_columns - 2, cut) << '\n';
}

void print_part(std::ostream& out, const Columns& columns, const PartCost& part) {
    const std::vector<std::string> names = names_of(part.part);
    out << line_head(columns, indented(names.back(), names.size() - 1), times(part), shape_text(part))
        << numbers(columns, part.parameters, part.flops, part.bytes);
    if (part.note.empty()) return;
    for (const std::string& line : wrap(harmless(part.note), screen_columns - columns.before_shape()))
        out << std::string(columns.before_shape(), ' ') << line << '\n';
}

// 1234.5, 1000 and {"", "k", "M"}: "1.23 k". The next unit where rounding would show a whole one of it.
std::string scaled(double number, double step, const std::vector<const char*>& units) {
    std::size_t unit = 0;
    while (unit + 1 < units.size() && number >= (unit == 0 ? step - 0.5 : step - 0.005)) {
        number /= step;
        ++unit;
    }
    const std::string text = unit == 0 ? fmt::format("{:.0f}", number) : fmt::format("{:.2f}", number);
    return *units[unit] == '\0' ? text : text + " " + units[unit];
}

}  // namespace

std::string with_separators(std::size_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, ",");
    return digits;
}

std::string in_flops(double number) { return scaled(number, 1000.0, {"", "k", "M", "G", "T", "P", "E"}); }

std::string in_bytes(double bytes) {
    return scaled(bytes, 1024.0, {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"});
}

void print_summary(std::ostream& out, const std::vector<PartCost>& parts) {
    if (parts.empty()) throw ValueError("summary: the model has no part");
    const Columns columns(parts);
    out << line_head(columns, "part", "", "output")
        << fmt::format("{:>{}}{:>{}}{:>{}}\n", "parameters", columns.count, "FLOPs", flops_width, "bytes",
                       bytes_width);
    std::vector<std::string> before;
    for (const PartCost& part : parts) {
        const std::vector<std::string> names = names_of(part.part);
        print_groups(out, names, before);
        print_part(out, columns, part);
        before = names;
    }
    out << "  " << std::string(columns.width(), '-') << '\n';
    const TotalCost sum = total(parts);
    out << line_head(columns, "total", "", "") << numbers(columns, sum.parameters, sum.flops, sum.bytes);
    out << fmt::format("  the weights as float32: {}\n", in_bytes(4.0 * static_cast<double>(sum.parameters)));
}

}  // namespace tfs
