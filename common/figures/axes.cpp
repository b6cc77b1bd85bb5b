// common/figures/axes.cpp · what stands around what is drawn: titles, legends, panels side by side, round numbers along an axis
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>

#include "common/figures/drawing.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

std::vector<std::string> title_lines(const std::string& title) { return wrap(title, 78); }

// The round number next to x, 1, 2, 5 or 10 times a power of ten: the nearest one, or the smallest that is not below.
double nice(double x, bool nearest) {
    const double power = std::pow(10.0, std::floor(std::log10(x)));
    const double fraction = x / power;
    const double one = nearest ? 1.5 : 1.0, two = nearest ? 3.0 : 2.0, five = nearest ? 7.0 : 5.0;
    return power * (fraction <= one ? 1.0 : fraction <= two ? 2.0 : fraction <= five ? 5.0 : 10.0);
}

std::vector<double> powers_of_ten(double low, double high) {
    const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9)),
              last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    const int step = 1 + (last - first) / 8;
    std::vector<double> powers;
    for (int i = first; i <= last; i += step) powers.push_back(std::pow(10.0, i));
    if (powers.size() < 3) {  // too few: 1, 2 and 5 of each decade
        powers.clear();
        for (int i = first - 1; i <= last + 1; ++i)
            for (const double factor : {1.0, 2.0, 5.0})
                if (const double tick = factor * std::pow(10.0, i);
                    tick >= low * 0.999 && tick <= high * 1.001)
                    powers.push_back(tick);
    }
    return powers;
}

// 1, 2, 4 …, where these are the first and the last value, too.
std::vector<double> powers_of_two(double low, double high) {
    std::vector<double> powers;
    const auto is_power = [](double value) { return std::exp2(std::round(std::log2(value))) == value; };
    if (is_power(low) && is_power(high) && high <= 256.0 * low)
        for (double tick = low; tick <= high; tick *= 2.0) powers.push_back(tick);
    return powers;
}

// "10⁻⁷", "1", "10"; what is no power of ten as it is.
std::string power_of_ten(double value) {
    constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const long power = std::lround(std::log10(value));
    if (std::abs(std::pow(10.0, static_cast<double>(power)) / value - 1.0) > 1e-6 || power == 0 || power == 1)
        return short_number(value);
    std::string text = power < 0 ? "10⁻" : "10";
    for (const char digit : std::to_string(std::labs(power))) text += digits[digit - '0'];
    return text;
}

}  // namespace

Grid grid_of(std::size_t panels, std::size_t per_row, double gap) {
    Grid grid{.panels = panels, .per_row = std::min(per_row, panels), .gap = gap};
    const auto across = static_cast<double>(grid.per_row);
    grid.width = (figure_width - 2 * margin - gap * (across - 1)) / across;
    return grid;
}

Box Grid::place(std::size_t index) const {
    const auto across = static_cast<double>(index % per_row), down = static_cast<double>(index / per_row);
    return {left + across * (width + gap), top + down * (height + gap), width, height};
}

double Grid::figure_height() const { return place(panels - 1).bottom() + margin; }

double draw_title(Canvas& canvas, const std::string& title) {
    if (title.empty()) return margin;
    double y = margin + 12.0;
    for (const std::string& line : title_lines(title)) {
        canvas.text({margin, y}, line, {.classes = "title"});
        y += 22.0;
    }
    return y;
}

double title_width(const std::string& title) {
    double width = 0.0;
    // 17 pixels, and bold letters are wider.
    for (const std::string& line : title_lines(title)) width = std::max(width, text_width(line, 19.0));
    return std::min(figure_width, width + 2 * margin);
}

double draw_head(Canvas& canvas, const std::string& title, const std::vector<LegendEntry>& entries,
                 double full_width) {
    constexpr double row = 19.0, longest = 300.0;
    const double top = draw_title(canvas, title);
    if (entries.size() < 2) return top;
    double x = margin, y = top + 6.0;
    for (const LegendEntry& entry : entries) {
        const double mark = entry.line ? 24.0 : 12.0;
        const std::string name = fitted(entry.name, 13.0, longest);
        const double width = mark + 7.0 + text_width(name, 13.0) + 20.0;
        if (x > margin && x + width > full_width - margin) x = margin, y += row;
        canvas.open("key", {{"series", entry.name}});
        if (entry.line)
            canvas.path({{x, y}, {x + mark, y}},
                        {.colour = entry.colour, .width = 2.4, .dashes = entry.dashes});
        else
            canvas.rectangle({x, y - 6.0, mark, mark}, entry.colour, 2.0);
        canvas.text({x + mark + 7.0, y + 4.0}, name);
        canvas.close();
        x += width;
    }
    return y + row + 4.0;
}

void draw_panel_title(Canvas& canvas, Point corner, const std::string& title, double width) {
    canvas.text({corner.x, corner.y + 13.0}, fitted(title, panel_title_size, width), {.classes = "panel"});
}

void Names::add(const std::string& name, Hue hue) {
    if ((*this)[name] < names.size()) return;
    names.push_back(name);
    hues.push_back(hue);
}

std::size_t Names::operator[](const std::string& name) const {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::vector<double> nice_numbers(double low, double high, int count) {
    if (!(low < high)) high = low + std::max(1.0, std::abs(low));
    const double step = nice(nice(high - low, false) / (count - 1), true);
    std::vector<double> numbers;
    const auto first = std::llround(std::floor(low / step + 1e-9)),
               last = std::llround(std::ceil(high / step - 1e-9));
    for (auto i = first; i <= last; ++i) numbers.push_back(static_cast<double>(i) * step);
    return numbers;
}

std::string short_number(double value, int digits) {
    return fmt::format("{:.{}g}", value == 0.0 ? 0.0 : value, digits);  // no -0
}

std::string number_in_json(double number) {
    constexpr double most_exact = 9007199254740992.0;  // 2^53: whole numbers up to here are doubles
    if (std::isnan(number)) return "null";
    if (std::isinf(number)) return number > 0.0 ? "\"inf\"" : "\"-inf\"";
    if (number == std::trunc(number) && std::abs(number) < most_exact)
        return std::to_string(static_cast<std::int64_t>(number));
    std::array<char, 32> digits{};
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::general, 6);
    return {digits.data(), end.ptr};
}

std::string numbers_in_json(std::span<const float> numbers) {
    std::string text;
    for (const float number : numbers) text += (text.empty() ? "" : ", ") + number_in_json(number);
    return text;
}

Axis::Axis(const std::vector<double>& values, double first, double last, bool logarithmic,
           const AxisManner& manner)
    : logarithmic_(logarithmic), first_(first), last_(last) {
    std::set<double> finite;
    for (const double value : values)
        if (std::isfinite(value)) finite.insert(value);
    if (manner.from_zero) finite.insert(0.0);
    low_ = *finite.begin();
    high_ = *finite.rbegin();
    if (low_ == high_) {
        low_ = logarithmic ? low_ / 2.0 : low_ - 0.5;
        high_ = logarithmic ? high_ * 2.0 : high_ + 0.5;
    }
    std::vector<double> at = !logarithmic ? nice_numbers(low_, high_)
                             : manner.at_values && finite.size() <= 10
                                 ? std::vector<double>(finite.begin(), finite.end())
                                 : powers_of_two(low_, high_);
    if (at.empty()) at = powers_of_ten(low_, high_);
    if (!logarithmic && !manner.tight) {
        low_ = at.front();
        high_ = at.back();
    }
    if (logarithmic && !manner.tight) {  // a little room beside the points
        const double room = std::pow(high_ / low_, 0.04);
        low_ /= room;
        high_ *= room;
    }
    for (const double tick : at)
        if (tick >= low_ - 1e-9 * (high_ - low_) && tick <= high_ + 1e-9 * (high_ - low_))
            ticks_.push_back({tick, short_number(tick)});
    // All in one notation: 10⁻⁵, 10⁻⁴, … 1.
    const bool raised = logarithmic && std::any_of(ticks_.begin(), ticks_.end(), [](const Tick& tick) {
                            return tick.label.find('e') != std::string::npos;
                        });
    if (!raised) return;
    for (Tick& tick : ticks_) tick.label = power_of_ten(tick.value);
}

double Axis::operator()(double value) const {
    const auto scaled = [this](double x) { return logarithmic_ ? std::log10(x) : x; };
    return std::lerp(first_, last_, (scaled(value) - scaled(low_)) / (scaled(high_) - scaled(low_)));
}

}  // namespace tfs
