// tests/common/figures_xml.cpp · a small strict reader of XML
#include "tests/common/figures_xml.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "common/terminal/display.hpp"

namespace tfs::test {

namespace {

class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {
        for (std::string_view rest = text; !rest.empty();) {
            const Utf8Character next = first_character(rest);
            const bool space = next.code == '\n' || next.code == '\t';
            if (!next.valid || (next.code < 0x20 && !space) || next.code == 0xFFFE || next.code == 0xFFFF)
                fail("a character that XML can't hold");
            rest.remove_prefix(next.bytes);
        }
    }

    Element document() {
        Element root = element();
        skip_space();
        if (at_ != text_.size()) fail("text after the root");
        return root;
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;

    [[noreturn]] void fail(const std::string& why) const {
        throw std::runtime_error(fmt::format("{} at {}: {}", why, at_, text_.substr(at_, 40)));
    }

    bool takes(std::string_view expected) {
        if (!text_.substr(at_).starts_with(expected)) return false;
        at_ += expected.size();
        return true;
    }

    void expect(std::string_view expected) {
        if (!takes(expected)) fail(fmt::format("expected {}", expected));
    }

    void skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    }

    std::string name() {
        const std::size_t end =
            text_.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-", at_);
        if (end == at_ || end == std::string_view::npos) fail("expected a name");
        const std::string found(text_.substr(at_, end - at_));
        at_ = end;
        return found;
    }

    std::string text_until(char end) {
        std::string found;
        while (at_ < text_.size() && text_[at_] != end) {
            if (text_[at_] == '<' || (end == '<' && text_.substr(at_).starts_with("]]>"))) fail("a bare <");
            found += text_[at_] == '&' ? entity() : text_[at_++];
        }
        return found;
    }

    char entity() {
        for (const auto& [name, character] : {std::pair{"&lt;", '<'},
                                              {"&gt;", '>'},
                                              {"&amp;", '&'},
                                              {"&quot;", '"'},
                                              {"&apos;", '\''},
                                              {"&#10;", '\n'}})
            if (takes(name)) return character;
        fail("an unknown entity");
    }

    Element element() {
        expect("<");
        Element one{name()};
        for (skip_space(); !takes(">"); skip_space()) {
            if (takes("/>")) return one;
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
        expect(one.name);
        expect(">");
        return one;
    }
};

bool has_class(const Element& element, std::string_view wanted) {
    const auto found = element.attributes.find("class");
    return found != element.attributes.end() &&
           (" " + found->second + " ").find(fmt::format(" {} ", wanted)) != std::string::npos;
}

void collect(const Element& element, std::string_view wanted, std::vector<const Element*>& found) {
    for (const Element& child : element.children) {
        if (has_class(child, wanted)) found.push_back(&child);
        collect(child, wanted, found);
    }
}

}  // namespace

std::vector<const Element*> Element::all(std::string_view of_class) const {
    std::vector<const Element*> found;
    collect(*this, of_class, found);
    return found;
}

std::string Element::title() const {
    for (const Element& child : children)
        if (child.name == "title") return child.text;
    return {};
}

double Element::number(const std::string& attribute) const { return std::stod(attributes.at(attribute)); }

Element read_xml(std::string_view text) { return Reader(text).document(); }

}  // namespace tfs::test
