// tests/common/figure_rules_test.cpp · what the figures of all lessons must hold: sizes, contrasts, names
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "common/figures/drawing.hpp"
#include "common/figures/figure.hpp"
#include "common/io/atomic_file.hpp"
#include "tests/common/figures_xml.hpp"

namespace tfs::test {
namespace {

namespace fs = std::filesystem;

constexpr const char *white_paper = "#ffffff", *dark_paper = "#131a22";

// Contrast of two colours by WCAG 2.1, from 1 to 21.
double contrast(const std::string& one, const std::string& other) {
    const auto light = [](const std::string& colour) {
        double sum = 0.05;
        constexpr double shares[] = {0.2126, 0.7152, 0.0722};
        for (std::size_t i = 0; i < 3; ++i) {
            const double part = std::stoi(colour.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
            sum += shares[i] * (part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
        }
        return sum;
    };
    return std::max(light(one), light(other)) / std::min(light(one), light(other));
}

std::vector<Hue> all_hues() {
    std::vector<Hue> hues;
    for (int i = 0; i <= static_cast<int>(Hue::post_norm); ++i) hues.push_back(static_cast<Hue>(i));
    return hues;
}

TEST(figure_colours, each_can_be_seen_on_white_and_on_dark_paper) {
    for (const Hue hue : all_hues())
        for (const std::size_t count : {1U, 3U, 7U})
            for (const std::string& colour : colours_of(std::vector<Hue>(count, hue)))
                for (const std::string paper : {white_paper, dark_paper})
                    EXPECT_GE(contrast(colour, paper), 3.0)
                        << colour << " of hue " << static_cast<int>(hue) << " on " << paper;
}

TEST(figure_colours, a_text_on_any_of_them_can_be_read) {
    for (const std::string& colour : colours_of(all_hues()))
        EXPECT_GE(contrast(colour, is_dark(colour) ? "#ffffff" : "#000000"), 4.5) << colour;
    for (const ColourScale scale :
         {ColourScale::probability, ColourScale::diverging, ColourScale::sequential})
        for (double place = 0.0; place <= 1.0; place += 0.05) {
            const std::string colour = colour_at(scale, place);
            EXPECT_GE(contrast(colour, is_dark(colour) ? "#ffffff" : "#000000"), 4.5) << colour;
        }
}

TEST(figure_colours, free_ones_are_told_apart_by_all_eyes_as_long_as_there_are_enough) {
    const std::vector<std::string> colours = colours_of(std::vector<Hue>(4));
    for (std::size_t i = 0; i < colours.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_FALSE(look_alike(colours[i], colours[j])) << colours[i] << " and " << colours[j];
    EXPECT_TRUE(look_alike("#14897d", "#848b94")) << "teal and grey, for eyes without green cones";
    EXPECT_FALSE(look_alike("#1f70c1", "#d55e00"));
}

// --- the pictures themselves

struct Written {
    std::string text, classes;
    double x, y, size;
    std::string anchor;
    bool turned;
};

double size_of(const Element& text, const std::string& classes) {
    if (const auto style = text.attributes.find("style"); style != text.attributes.end())
        return std::stod(style->second.substr(style->second.find(':') + 1));
    return classes.find("title") != std::string::npos   ? 17.0
           : classes.find("panel") != std::string::npos ? 14.0
           : classes.find("small") != std::string::npos ? 12.0
                                                        : 13.0;
}

// All texts but the numbers in cells, whose places are those of their rows.
void collect(const Element& element, std::vector<Written>& all) {
    const std::string classes = element["class"];
    if (classes == "cells") return;
    if (element.name == "text")
        all.push_back({element.text, classes, element.number("x"), element.number("y"),
                       size_of(element, classes), element["text-anchor"],
                       element.attributes.contains("transform")});
    for (const Element& child : element.children) collect(child, all);
}

// The first two texts of which one lies on the other, or nothing.
std::string texts_on_another(const std::vector<Written>& texts) {
    const auto box = [](const Written& text) {
        const double wide = 0.8 * text_width(text.text, text.size);
        const double left = text.x - (text.anchor == "middle" ? wide / 2 : text.anchor == "end" ? wide : 0.0);
        return Box{left, text.y - 0.65 * text.size, wide, 0.6 * text.size};
    };
    for (std::size_t i = 0; i < texts.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const Box a = box(texts[i]), b = box(texts[j]);
            const bool apart =
                a.right() <= b.left || b.right() <= a.left || a.bottom() <= b.top || b.bottom() <= a.top;
            if (!texts[i].turned && !texts[j].turned && !apart) return texts[i].text + " on " + texts[j].text;
        }
    return {};
}

class figure_rules : public testing::TestWithParam<fs::path> {};

TEST_P(figure_rules, texts_are_large_enough_inside_the_picture_and_apart) {
    const Element root = XmlReader::root_of(read_file(GetParam()));
    const double width = root.number("width"), height = root.number("height");
    EXPECT_LE(width, figure_width);
    EXPECT_EQ(root["viewBox"], "0 0 " + root["width"] + " " + root["height"])
        << "drawn smaller than its texts were meant";
    std::vector<Written> texts;
    collect(root, texts);
    for (const Written& text : texts) {
        EXPECT_GE(text.size, 12.0) << text.text;
        if (text.turned) continue;
        const double wide = 0.93 * text_width(text.text, text.size);  // it guesses rather too much
        const double left = text.x - (text.anchor == "middle" ? wide / 2 : text.anchor == "end" ? wide : 0.0);
        EXPECT_GE(left, 0.0) << text.text;
        EXPECT_LE(left + wide, width) << text.text;
        EXPECT_GE(text.y - text.size, -1.0) << text.text;
        EXPECT_LE(text.y, height) << text.text;
    }
    EXPECT_EQ(texts_on_another(texts), "");
}

std::vector<fs::path> figures_of_all_lessons() {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(fs::path(TFS_SOURCE_DIR) / "chapters"))
        if (entry.path().extension() == ".svg") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

INSTANTIATE_TEST_SUITE_P(all, figure_rules, testing::ValuesIn(figures_of_all_lessons()),
                         [](const auto& picture) {
                             const fs::path folder = picture.param.parent_path().parent_path().filename();
                             std::string name = folder.string() + "_" + picture.param.stem().string();
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace tfs::test
