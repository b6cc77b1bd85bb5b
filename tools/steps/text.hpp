// tools/steps/text.hpp · text files and their lines
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tfs::steps {

namespace fs = std::filesystem;

// A file or folder that is not as it must be: what() is one sentence.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

using Lines = std::vector<std::string>;

// The lines of a text, without their ends ("\n" or "\r\n") and without a byte order mark at the beginning. The last line need not
// have an end.
Lines split_lines(std::string_view text);
std::string join_lines(const Lines& lines);

// The whole file. Error where it can't be read.
std::string read_text(const fs::path& file);

// Writes the file beside its place and renames it, so that an interrupted write leaves no half of a file. Makes the folders
// that it needs. A file that has this text already is left untouched, with its time. Error where it can't be written.
void write_text(const fs::path& file, std::string_view text);

// Whether an editor saved the file as UTF-16, which no compiler reads.
bool is_utf16(std::string_view text);

// Whether a file or folder is none of ours, but was left by a system or an editor: ._softmax.cpp, .#softmax.cpp, "softmax 2.cpp".
bool is_left_by_others(const fs::path& file);

// The line without the white space at its begin and end.
std::string_view trimmed(std::string_view line);

std::size_t indentation(std::string_view line);

}  // namespace tfs::steps
