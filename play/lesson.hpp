// play/lesson.hpp · a text of the repository as a piece of a page
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tfs::play {

// The file that a page may ask for: of the lessons and documents (.md), and of the code that they name. Empty for any other.
[[nodiscard]] std::filesystem::path shown_file(const std::filesystem::path& root, const std::string& path);

// The list of what play shows in a folder; links are relative to the folder above. Empty where it shows nothing there, and where
// `path` ends with a slash: the page asks without.
[[nodiscard]] std::string folder_html(const std::filesystem::path& root, const std::string& path);

// Markdown as HTML, with its pictures in place. Formulas stay TeX: <x-equation>, which the page's KaTeX draws.
[[nodiscard]] std::string lesson_html(const std::filesystem::path& file);

// Any other text, as it is.
[[nodiscard]] std::string source_html(const std::filesystem::path& file);

}  // namespace tfs::play
