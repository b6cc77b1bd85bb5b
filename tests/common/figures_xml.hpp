// tests/common/figures_xml.hpp · reading the SVG of a figure back, strictly
#pragma once

#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/terminal/display.hpp"

namespace tfs::test {

// An element: its name, its attributes, the text directly in it, and what it contains.
struct Element {
    std::string name;
    std::map<std::string, std::string> attributes = {};
    std::string text = {};
    std::vector<Element> children = {};

    std::string operator[](const std::string& attribute) const {
        const auto found = attributes.find(attribute);
        return found == attributes.end() ? "" : found->second;
    }
    double number(const std::string& attribute) const { return std::stod(attributes.at(attribute)); }

    // All elements of this class below this one, in their order.
    std::vector<const Element*> all(const std::string& of_class) const {
        std::vector<const Element*> found;
        for (const Element& child : children) {
            if ((" " + child["class"] + " ").find(" " + of_class + " ") != std::string::npos)
                found.push_back(&child);
            for (const Element* below : child.all(of_class)) found.push_back(below);
        }
        return found;
    }
};

// Throws std::runtime_error, with the place, where the text is no well-formed XML of elements, attributes in double
// quotes, text and the named entities, in valid UTF-8 without characters that XML forbids.
class XmlReader {
  public:
    static Element root_of(std::string_view text) {
        for (std::string_view rest = text; !rest.empty();) {
            const Utf8Character next = first_character(rest);
            const bool space = next.code == '\n' || next.code == '\t';
            if (!next.valid || (next.code < 0x20 && !space) || next.code == 0xFFFE || next.code == 0xFFFF)
                throw std::runtime_error("a character that XML can't hold");
            rest.remove_prefix(next.bytes);
        }
        XmlReader reader{text};
        Element root = reader.element();
        if (reader.rest_ != "\n") reader.fail("text after the root");
        return root;
    }

  private:
    explicit XmlReader(std::string_view text) : rest_(text) {}
    std::string_view rest_;

    [[noreturn]] void fail(const std::string& why) const {
        throw std::runtime_error(fmt::format("{} at {}", why, rest_.substr(0, 40)));
    }
    bool takes(std::string_view expected) {
        if (!rest_.starts_with(expected)) return false;
        rest_.remove_prefix(expected.size());
        return true;
    }
    void expect(std::string_view expected) {
        if (!takes(expected)) fail(fmt::format("expected {}", expected));
    }
    std::string name() {
        const std::size_t end = rest_.find_first_of(" \n=/>");
        if (end == 0 || end == std::string_view::npos) fail("expected a name");
        const std::string found(rest_.substr(0, end));
        rest_.remove_prefix(end);
        return found;
    }
    std::string text_until(char end) {
        std::string found;
        while (!rest_.empty() && rest_[0] != end) {
            if (rest_[0] == '<' || rest_.starts_with("]]>")) fail("a bare <");
            if (rest_[0] == '&') {
                found += entity();
            } else {
                found += rest_[0];
                rest_.remove_prefix(1);
            }
        }
        return found;
    }
    char entity() {
        for (const auto& [name, character] :
             {std::pair{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&#10;", '\n'}})
            if (takes(name)) return character;
        fail("an unknown entity");
    }
    Element element() {
        expect("<");
        Element one{name()};
        for (;;) {
            while (takes(" ") || takes("\n")) {
            }
            if (takes("/>")) return one;
            if (takes(">")) break;
            const std::string attribute = name();
            expect("=\"");
            if (!one.attributes.emplace(attribute, text_until('"')).second) fail("an attribute twice");
            expect("\"");
        }
        for (;;) {
            one.text += text_until('<');
            if (takes("</")) break;
            one.children.push_back(element());
        }
        expect(one.name + ">");
        return one;
    }
};

}  // namespace tfs::test
