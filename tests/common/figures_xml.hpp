// tests/common/figures_xml.hpp · reading the SVG of a figure back, strictly
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tfs::test {

// An element: its name, its attributes, the text directly in it, and what it contains.
struct Element {
    std::string name;
    std::map<std::string, std::string> attributes = {};
    std::string text = {};
    std::vector<Element> children = {};

    // All elements of this class below this one, in their order.
    std::vector<const Element*> all(std::string_view of_class) const;
    std::string title() const;  // the text of its <title>
    double number(const std::string& attribute) const;
};

// The root. Throws std::runtime_error, with the place, where the text is no well-formed XML of elements, attributes in double
// quotes, text and the five named entities, in valid UTF-8 without characters that XML forbids.
Element read_xml(std::string_view text);

}  // namespace tfs::test
