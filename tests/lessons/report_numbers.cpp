// tests/lessons/report_numbers.cpp · reads a report as another program would
#include "tests/lessons/report_numbers.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "common/terminal/display.hpp"
#include "common/text/units.hpp"

namespace tfs::lessons_test {

namespace {

using Json = nlohmann::json;
using Texts = std::vector<std::string>;

std::string printed(const char* format, int digits, double value) {
    char text[400];
    std::snprintf(text, sizeof text, format, digits, value);
    return text;
}

std::string without_minus_zero(const std::string& text) {
    return text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos ? text.substr(1)
                                                                                       : text;
}

// "NaN", "inf" and "-inf" are texts in JSON.
std::string rounded(const Json& value, const Json& format) {
    if (value.is_string()) return value;
    const double number = value;
    const std::string notation = format["notation"], suffix = format.value("suffix", "");
    const int digits = format.value("digits", 0);
    std::string text;
    if (notation == "fixed" || notation == "ratio")
        text = without_minus_zero(printed("%.*f", digits, number));
    if (notation == "scientific") text = printed("%.*e", digits, number);
    if (notation == "significant") text = printed("%.*g", digits, number);
    if (notation == "text") text = printed("%.*g", 6, number);
    if (notation == "thousands")
        text = (number < 0 ? "-" : "") + with_separators(static_cast<std::size_t>(std::abs(number)));
    if (notation == "flops") text = in_flops(number);
    if (notation == "bytes") text = in_bytes(number);
    if (notation == "magnitude")
        text = std::abs(number) < std::pow(10.0, -digits)
                   ? "below 1e-" + std::to_string(digits)
                   : printed("%.*f", format.value("decimals", 3), number);
    if (text.empty()) throw std::runtime_error("no notation is called " + notation);
    return text + suffix;
}

// What is measured in several rounds: its median, written with three digits.
bool is_spread(const Json& value) { return value.is_object() && value.contains("median"); }

// The numbers of a row.
Texts texts_of_row(const Json& row, const Json& columns) {
    Texts texts;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const bool has_format = row[i].is_object() && row[i].contains("format");
        const Json& value = has_format ? row[i]["value"] : row[i];
        const Json& format = has_format ? row[i]["format"] : columns[i]["format"];
        if (value.is_null() || is_spread(value)) continue;
        if (value.is_string() && format["notation"] == "text") continue;
        texts.push_back(to_ascii(rounded(value, format)));
    }
    return texts;
}

std::string rounded_in_trace(double value) {
    const double size = std::abs(value);
    if (size >= 1000.0 || (size > 0.0 && size < 1e-3 && size >= 1e-6)) return printed("%.*e", 1, value);
    return size < 5e-4 ? "0.000" : printed("%.*f", 3, value);
}

Texts texts_of_trace(const Json& line) {
    if (line.contains("check")) return {to_ascii(line["check"].get<std::string>())};
    Texts texts;
    for (const char* part : {"min", "mean", "max"})
        if (line[part].is_number()) texts.push_back(rounded_in_trace(line[part]));
    return texts;
}

Texts texts_of_map(const Json& map, std::size_t row) {
    Texts texts;
    for (std::size_t column = 0; column < map["values"][row].size(); ++column) {
        const Json& value = map["values"][row][column];
        if (!map["allowed"].is_null() && !map["allowed"][row][column].get<bool>()) continue;
        if (value.is_number())
            texts.push_back(std::abs(value.get<double>()) < 0.005 ? "0.00" : printed("%.*f", 2, value));
    }
    return texts;
}

// The lines of the terminal, and how far they have been compared.
class Terminal {
  public:
    explicit Terminal(const Texts& lines) : lines_(lines) {}

    // Passes the next line that has all these texts, one after the other. False if there is none.
    bool pass_line(const Texts& texts) {
        if (texts.empty()) return true;
        for (std::size_t i = next_; i < lines_.size(); ++i) {
            if (!has_all(lines_[i], texts)) continue;
            next_ = i + 1;
            return true;
        }
        return false;
    }

    // Passes lines until all these words have come, one after the other. False if they don't.
    bool pass_words(const std::string& text) {
        std::istringstream wanted(to_ascii(text));
        std::string word;
        bool more = static_cast<bool>(wanted >> word);
        std::size_t i = next_;
        for (; more && i < lines_.size(); ++i) {
            std::istringstream line(lines_[i]);
            for (std::string there; more && line >> there;)
                if (there == word) more = static_cast<bool>(wanted >> word);
        }
        if (more) return false;
        next_ = i;
        return true;
    }

  private:
    const Texts& lines_;
    std::size_t next_ = 0;

    static bool is_digit(const std::string& line, std::size_t i) {
        return i < line.size() && std::isdigit(static_cast<unsigned char>(line[i])) != 0;
    }
    static bool has_all(const std::string& line, const Texts& texts) {
        std::size_t from = 0;
        for (const std::string& text : texts) {
            do {  // a number, not a piece of one
                from = line.find(text, from);
                if (from == std::string::npos) return false;
                from += text.size();
            } while (is_digit(line, from) || (from > text.size() && is_digit(line, from - text.size() - 1)));
        }
        return true;
    }
};

std::string in_one(const Texts& texts) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : "  ") + text;
    return all;
}

std::string first_missing_in(const Json& item, Terminal& terminal) {
    const std::string kind = item["kind"];
    if (kind == "paragraph" && !terminal.pass_words(item["text"])) return item["text"];
    if (kind == "tokens") {
        std::string text = item["prompt"];
        for (const Json& token : item["tokens"]) text += token["text"].get<std::string>();
        return terminal.pass_words(text) ? "" : text;
    }
    std::vector<Texts> lines;
    if (kind != "paragraph" && kind != "table" && kind != "trace" && kind != "map" && kind != "figure")
        throw std::runtime_error("no item is of the kind " + kind);
    if (kind == "table")
        for (const Json& row : item["rows"]) lines.push_back(texts_of_row(row, item["columns"]));
    if (kind == "trace")
        for (const Json& line : item["lines"]) lines.push_back(texts_of_trace(line));
    if (kind == "map")
        for (std::size_t row = 0; row < item["values"].size(); ++row)
            lines.push_back(texts_of_map(item, row));
    for (const Texts& texts : lines)
        if (!terminal.pass_line(texts)) return in_one(texts);
    return {};
}

}  // namespace

std::string first_difference_of_report(const std::string& run_json, const Texts& lines) {
    const Json run = Json::parse(run_json);
    Terminal terminal(lines);
    const auto underlined = [](const std::string& line) {
        return !line.empty() && line.find_first_not_of('-') == std::string::npos;
    };
    const auto headings = static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), underlined));
    if (headings != run["sections"].size())
        return std::to_string(headings) + " headings, " + std::to_string(run["sections"].size()) +
               " sections";
    for (const Json& section : run["sections"]) {
        if (!terminal.pass_words(section["title"])) return section["title"];
        if (section["report"].empty()) return section["id"].get<std::string>() + ": nothing";
        for (const Json& item : section["report"])
            if (const std::string missing = first_missing_in(item, terminal); !missing.empty())
                return section["id"].get<std::string>() + ": " + missing;
    }
    return {};
}

}  // namespace tfs::lessons_test
