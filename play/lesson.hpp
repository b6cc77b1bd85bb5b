// play/lesson.hpp · a text of the repository as a piece of a page
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>

namespace tfs::play {

// Where what is in a text leads. Paths are those from the root of the repository.
struct Links {
    // The address of a file or folder that is shown, at this mark in it.
    std::function<std::string(const std::string& path, const std::string& mark)> page;
    // The address of a picture that does not become a part of the page; where there is none, its words stand there.
    std::function<std::string(const std::string& path)> picture = [](const std::string&) {
        return std::string();
    };
};

// As HTML: Markdown, with its drawings in place; code as it is; of a folder the list of what is shown there. Shown are lessons and
// documents (.md), and the code that they name; a link to anything else is none. Empty where `path` is not shown, and where it ends
// with a slash. Formulas stay TeX: <x-equation>, which KaTeX draws in the browser.
[[nodiscard]] std::string text_html(const std::filesystem::path& root, const std::string& path,
                                    const Links& links);

// "01_attention" and "lesson" or "deeper" where this is a text of a chapter; else both are empty.
[[nodiscard]] std::pair<std::string, std::string> chapter_of(const std::string& path);

// The HTML with what `change` makes of each piece that begins and ends so.
[[nodiscard]] std::string with_each(const std::string& html, const std::string& begin, const std::string& end,
                                    const std::function<std::string(const std::string&)>& change);

// What stands between the quotes after `name="`.
[[nodiscard]] std::string attribute(const std::string& tag, const std::string& name);

[[nodiscard]] std::string read(const std::filesystem::path& file);
[[nodiscard]] std::string escaped(const std::string& text);

}  // namespace tfs::play
