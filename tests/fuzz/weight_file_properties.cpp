// tests/fuzz/weight_file_properties.cpp · the rules of the format once more, and the way back
#include "tests/fuzz/weight_file_properties.hpp"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/io/safetensors.hpp"
#include "common/terminal/display.hpp"

namespace tfs::test {
namespace {

using HeaderJson = nlohmann::json;

// The bytes of the values where shape and dtype are valid; a product that overflows is none.
bool fills(const HeaderJson& tensor, std::uint64_t bytes) {
    __extension__ using Wide = unsigned __int128;
    Wide product = tensor.at("dtype") == "F32" ? 4 : 2;
    bool empty = false;
    for (const HeaderJson& axis : tensor.at("shape")) {
        if (!axis.is_number_unsigned()) return false;
        const auto size = axis.get<std::uint64_t>();
        empty = empty || size == 0;
        product *= size == 0 ? 1 : size;
        if (product >> 63U != 0) return false;
    }
    return (empty ? 0 : product) == bytes;
}

// What is wrong with the text of a header for that many bytes of values.
std::string wrong_with_header(std::string_view header, std::uint64_t available) {
    if (header.size() > 100'000'000) return "the header is too long";
    if (header.empty() || header[0] != '{') return "the header does not begin with {";
    if (header.find('\0') != std::string_view::npos) return "the header holds a NUL byte";
    if (header[header.find_last_not_of(' ')] != '}') return "the header does not end with } and spaces";
    std::map<std::uint64_t, std::uint64_t> spans;  // from begin to end
    const HeaderJson json = HeaderJson::parse(header);
    for (const auto& [name, tensor] : json.items()) {
        if (name == "__metadata__") {
            if (!tensor.is_object()) return "the metadata is no object";
            for (const HeaderJson& value : tensor)
                if (!value.is_string()) return "the metadata is not all text";
            continue;
        }
        const auto begin = tensor.at("data_offsets").at(0).get<std::uint64_t>();
        const auto end = tensor.at("data_offsets").at(1).get<std::uint64_t>();
        if (tensor.at("data_offsets").size() != 2 || end < begin) return "there are no two offsets";
        if (!fills(tensor, end - begin)) return "a shape does not fill its bytes";
        if (begin == end) continue;  // an empty tensor stands between others
        if (!spans.emplace(begin, end).second) return "two tensors begin at one place";
    }
    std::uint64_t reached = 0;
    for (const auto& [begin, end] : spans) {
        if (begin != reached) return "there is a gap or an overlap";
        reached = end;
    }
    return reached == available ? "" : "the tensors do not end with the file";
}

std::string wrong_with_accepted(std::string_view bytes) {
    std::uint64_t length = 0;
    if (bytes.size() < sizeof length) return "the file has no length";
    std::memcpy(&length, bytes.data(), sizeof length);
    if (length > bytes.size() - sizeof length) return "the header is longer than the file";
    return wrong_with_header(bytes.substr(sizeof length, length), bytes.size() - sizeof length - length);
}

std::string wrong_with_way_back(const Parameters& parameters) {
    const Parameters again = parse_safetensors("again", format_safetensors(parameters)).tensors;
    if (again.size() != parameters.size()) return "a tensor was lost on the way back";
    for (std::size_t i = 0; i < again.size(); ++i) {
        const auto before = parameters[i].tensor.values(), after = again[i].tensor.values();
        if (again[i].name != parameters[i].name || again[i].tensor.shape() != parameters[i].tensor.shape() ||
            (!before.empty() && std::memcmp(before.data(), after.data(), before.size_bytes()) != 0))
            return fmt::format("tensor {} is another one on the way back", i);
    }
    return "";
}

}  // namespace

WeightFileVerdict judge_weight_file(std::string_view bytes) try {
    const Parameters parameters = parse_safetensors("file", bytes).tensors;
    const std::string invalid = wrong_with_accepted(bytes);
    return {true, invalid.empty() ? wrong_with_way_back(parameters) : invalid};
} catch (const FileError& error) {
    const std::string text = error.what();
    if (text.rfind("file: ", 0) != 0) return {false, "the error does not begin with the name: " + text};
    return {false, harmless(text) == text ? "" : "the error holds control characters"};
} catch (const std::exception& error) {
    return {false, std::string("another exception: ") + error.what()};
}

}  // namespace tfs::test
