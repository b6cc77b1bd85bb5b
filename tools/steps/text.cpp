// tools/steps/text.cpp · text files and their lines
#include "tools/steps/text.hpp"

#include <unistd.h>

#include <fstream>
#include <iterator>

namespace tfs::steps {

Lines split_lines(std::string_view text) {
    Lines lines;
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // some editors put it before UTF-8
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.emplace_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string join_lines(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    return text;
}

std::string read_text(const fs::path& file) {
    std::error_code absent;
    std::ifstream in(file, std::ios::binary);
    // A folder can be opened, but reading it throws.
    if (!in || fs::is_directory(file, absent)) throw Error(file.string() + " can't be read");
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bool is_utf16(std::string_view text) {
    return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") ||
           text.substr(0, 2).find('\0') != std::string_view::npos;
}

bool is_left_by_others(const fs::path& file) {
    const std::string name = file.filename().string();
    return name.starts_with('.') || name.find(' ') != std::string::npos;
}

void write_text(const fs::path& file, std::string_view text) {
    std::error_code failure;
    if (fs::is_regular_file(file, failure) && fs::file_size(file, failure) == text.size() &&
        read_text(file) == text)
        return;
    failure.clear();
    if (file.has_parent_path()) fs::create_directories(file.parent_path(), failure);
    const fs::path part = file.string() + ".part" + std::to_string(::getpid());
    {
        std::ofstream out(part, std::ios::binary);
        out << text;
        out.close();
        if (!out) failure = std::make_error_code(std::errc::io_error);
    }
    if (!failure) fs::rename(part, file, failure);
    if (!failure) return;
    std::error_code ignored;
    fs::remove(part, ignored);
    throw Error(file.string() + " can't be written");
}

std::string_view trimmed(std::string_view line) {
    constexpr std::string_view white = " \t\r\n";
    const std::size_t begin = line.find_first_not_of(white);
    if (begin == std::string_view::npos) return {};
    return line.substr(begin, line.find_last_not_of(white) + 1 - begin);
}

std::size_t indentation(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

}  // namespace tfs::steps
