// common/io/metadata.cpp · the metadata of a weight file, read with distrust
#include "common/io/metadata.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cstdlib>

#include "common/io/safetensors_header.hpp"

namespace tfs {

namespace {

// Whether all of the text is a whole number, which is then in `value`.
bool reads(const std::string& text, std::size_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

MetadataReader::MetadataReader(const WeightFile& loaded, std::filesystem::path file, std::string other_kind)
    : metadata_(loaded.metadata), file_(std::move(file)), other_kind_(std::move(other_kind)) {}

void MetadataReader::refuse(const std::string& why) const { refuse_file(file_, other_kind_ + why); }

const std::string& MetadataReader::text(const std::string& name) const {
    const auto found = metadata_.find(name);
    if (found == metadata_.end()) refuse(fmt::format(", whose metadata has \"{}\"", name));
    return found->second;
}

std::size_t MetadataReader::count(const std::string& name, std::size_t least, std::size_t most) const {
    const std::string& digits = text(name);
    std::size_t value = 0;
    const bool plain = digits == "0" || !digits.starts_with('0');
    if (!plain || !reads(digits, value) || value < least || value > most)
        refuse(fmt::format(": \"{}\" is no {}whole number", name, most < SIZE_MAX ? "small " : ""));
    return value;
}

double MetadataReader::real(const std::string& name) const {
    const std::string& digits = text(name);
    char* end = nullptr;
    const double value = std::strtod(digits.c_str(), &end);  // libc++ before 20 has no std::from_chars for it
    const bool begins = !digits.empty() && std::isspace(static_cast<unsigned char>(digits.front())) == 0;
    if (!begins || end != digits.c_str() + digits.size()) refuse(fmt::format(": \"{}\" is no number", name));
    return value;
}

}  // namespace tfs
