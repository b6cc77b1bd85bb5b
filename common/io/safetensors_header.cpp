// common/io/safetensors_header.cpp · every way in which a header can lie, refused with a sentence
#include "common/io/safetensors_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "common/base/errors.hpp"
#include "common/terminal/display.hpp"

namespace tfs {
namespace {

using Json = nlohmann::json;  // finds a name in logarithmic time; the ordered one compares them all

// The JSON library calls these functions while it reads; false ends the reading. It has a parser with a callback, too, but
// that one walks over all earlier entries whenever an object ends.
class NameWatcher {
  public:
    explicit NameWatcher(std::filesystem::path path) : path_(std::move(path)) {}

    std::vector<std::string> outermost;

    bool start_object(std::size_t) {
        names_.emplace_back();
        return deeper();
    }
    bool key(std::string& name) {
        if (!names_.back().insert(name).second)
            refuse_file(path_, "the name " + in_quotes(name) + " occurs twice");
        if (names_.size() == 1) outermost.push_back(name);
        return true;
    }
    bool end_object() {
        names_.pop_back();
        --depth_;
        return true;
    }
    bool start_array(std::size_t) { return deeper(); }
    bool end_array() {
        --depth_;
        return true;
    }
    bool null() { return true; }
    bool boolean(bool) { return true; }
    bool number_integer(Json::number_integer_t) { return true; }
    bool number_unsigned(Json::number_unsigned_t) { return true; }
    bool number_float(Json::number_float_t, const std::string&) { return true; }
    bool string(std::string&) { return true; }
    bool binary(Json::binary_t&) { return true; }
    bool parse_error(std::size_t, const std::string&, const Json::exception&) { return false; }

  private:
    bool deeper() {
        constexpr std::size_t most = 8;
        if (++depth_ > most) refuse_file(path_, "the header is nested too deeply");
        return true;
    }

    std::filesystem::path path_;
    std::vector<std::set<std::string>> names_;  // of each object that is open
    std::size_t depth_ = 0;
};

// The names of the outermost object in their order, seen before a parser keeps one of two equal ones. FileError if the text is
// not valid JSON, is nested too deeply to mean anything here, or where a name occurs twice in one object.
std::vector<std::string> header_names(const std::filesystem::path& path, std::string_view text) {
    NameWatcher watcher(path);
    if (!Json::sax_parse(text, &watcher)) refuse_file(path, "the header is not valid JSON");
    return watcher.outermost;
}

std::size_t bytes_per_value(const std::string& dtype) {
    if (dtype == "F32") return 4;
    if (dtype == "F16" || dtype == "BF16") return 2;
    return 0;
}

// JSON allows white space around the object, and this reader skips a byte-order mark. The format allows only spaces, and
// only after the object.
void require_plain_ends(const std::filesystem::path& path, std::string_view header) {
    if (header.front() != '{')
        refuse_file(path, "the header must begin with {, without a byte-order mark or white space");
    if (header.back() != '}') refuse_file(path, "nothing but spaces may follow the header's last }");
}

// "__metadata__" maps strings to strings.
std::map<std::string, std::string> read_metadata(const std::filesystem::path& path, const Json& metadata) {
    if (!metadata.is_object()) refuse_file(path, "\"__metadata__\" is not a JSON object");
    for (const auto& [name, value] : metadata.items()) {
        if (!value.is_string())
            refuse_file(path, fmt::format("\"__metadata__\": {} is not a string", in_quotes(name)));
    }
    return metadata.get<std::map<std::string, std::string>>();
}

// A list of non-negative integers. JSON's -1, 2.0, 1e3 and "2" are none.
std::vector<std::size_t> sizes_of(const std::filesystem::path& path, const std::string& name,
                                  const Json& tensor, const char* field) {
    const auto found = tensor.find(field);
    if (found == tensor.end() || !found->is_array())
        refuse_file(path, fmt::format("{} has no list \"{}\"", in_quotes(name), field));
    std::vector<std::size_t> sizes;
    for (const Json& size : *found) {
        if (!size.is_number_unsigned()) {
            refuse_file(
                path, fmt::format("\"{}\" of {} must hold whole numbers from 0 on", field, in_quotes(name)));
        }
        sizes.push_back(size.get<std::size_t>());
    }
    return sizes;
}

// The number of values of a shape that the file has room for. Where an axis is 0, the product of the others must still
// stay within 63 bits, because a reader that multiplies the axes in their order would overflow.
std::size_t count_values(const std::filesystem::path& path, const SafetensorsEntry& entry, std::size_t width,
                         std::size_t available) {
    const auto larger_than = [&](const char* what) {
        refuse_file(path, fmt::format("{} of shape {} is larger than {}", in_quotes(entry.name),
                                      to_string(entry.shape), what));
    };
    const bool empty = std::find(entry.shape.begin(), entry.shape.end(), std::size_t{0}) != entry.shape.end();
    const std::size_t most =
        empty ? static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) / width : available;
    std::size_t count = 1;
    for (const std::size_t size : entry.shape) {
        if (size == 0) continue;
        if (size > most / count) larger_than(empty ? "64 bits can count" : "the file");
        count *= size;
    }
    return empty ? 0 : count;
}

// Where the values lie, from their offsets.
void read_offsets(const std::filesystem::path& path, SafetensorsEntry& entry, const Json& tensor,
                  std::size_t available) {
    const std::string name = in_quotes(entry.name);
    const std::vector<std::size_t> offsets = sizes_of(path, entry.name, tensor, "data_offsets");
    if (offsets.size() != 2) refuse_file(path, name + " needs two data_offsets, begin and end");
    entry.begin = offsets[0];
    entry.end = offsets[1];
    if (entry.begin > entry.end) {
        refuse_file(path, fmt::format("{} ends at {}, before it begins at {}", name, entry.end, entry.begin));
    }
    if (entry.end > available) {
        refuse_file(path, fmt::format("{} ends at {}, outside of the {} bytes that the file holds", name,
                                      entry.end, available));
    }
}

SafetensorsEntry read_entry(const std::filesystem::path& path, const std::string& name, const Json& tensor,
                            std::size_t available) {
    if (!tensor.is_object()) refuse_file(path, in_quotes(name) + " is not described by a JSON object");
    SafetensorsEntry entry;
    entry.name = name;
    const auto dtype = tensor.find("dtype");
    if (dtype == tensor.end() || !dtype->is_string()) refuse_file(path, in_quotes(name) + " has no dtype");
    entry.dtype = dtype->get<std::string>();
    const std::size_t width = bytes_per_value(entry.dtype);
    if (width == 0)
        refuse_file(path, fmt::format("{} has the dtype {}; F32, F16 and BF16 can be read", in_quotes(name),
                                      in_quotes(entry.dtype)));

    entry.shape = sizes_of(path, name, tensor, "shape");
    read_offsets(path, entry, tensor, available);
    const std::size_t bytes = entry.end - entry.begin;
    entry.count = count_values(path, entry, width, available);
    // count <= available here, so that the product below stays within 64 bits
    if (entry.count * width != bytes) {
        refuse_file(path, fmt::format("{} of shape {} and dtype {} takes {} bytes, but its offsets span {}",
                                      in_quotes(name), to_string(entry.shape), entry.dtype,
                                      entry.count * width, bytes));
    }
    return entry;
}

// The tensors must fill the bytes after the header: in order, without gaps, to the end.
void require_contiguous(const std::filesystem::path& path, const std::vector<SafetensorsEntry>& entries,
                        std::size_t available) {
    std::size_t expected = 0;
    for (const SafetensorsEntry& entry : entries) {
        if (entry.begin < expected)
            refuse_file(path, fmt::format("{} overlaps the tensor before it", in_quotes(entry.name)));
        if (entry.begin > expected)
            refuse_file(path, fmt::format("there is a gap of {} bytes before {}", entry.begin - expected,
                                          in_quotes(entry.name)));
        expected = entry.end;
    }
    if (expected != available)
        refuse_file(path, fmt::format("{} bytes follow the last tensor", available - expected));
}

}  // namespace

SafetensorsHeader read_safetensors_header(const std::filesystem::path& path, std::string_view header,
                                          std::size_t available) {
    if (header.size() > longest_header) {
        refuse_file(path,
                    fmt::format("a header of {} bytes; the format allows {}", header.size(), longest_header));
    }
    // The JSON library takes a NUL for the end of the text.
    if (header.find('\0') != std::string_view::npos) refuse_file(path, "the header holds a NUL byte");
    const std::string_view text = header.substr(0, header.find_last_not_of(' ') + 1);
    const std::vector<std::string> names = header_names(path, text);
    const Json json = Json::parse(text);
    if (!json.is_object()) refuse_file(path, "the header is not a JSON object");
    require_plain_ends(path, text);

    SafetensorsHeader result;
    for (const std::string& name : names) {
        if (name == "__metadata__")
            result.metadata = read_metadata(path, json.at(name));
        else
            result.entries.push_back(read_entry(path, name, json.at(name), available));
    }
    // By both offsets: an empty tensor comes before its neighbour.
    std::stable_sort(result.entries.begin(), result.entries.end(),
                     [](const SafetensorsEntry& a, const SafetensorsEntry& b) {
                         return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
                     });
    require_contiguous(path, result.entries, available);
    return result;
}

void refuse_file(const std::filesystem::path& path, const std::string& reason) {
    throw FileError(fmt::format("{}: {}", harmless(path.string()), reason));
}

std::string in_quotes(const std::string& name) { return '"' + truncate(harmless(name), 61) + '"'; }

}  // namespace tfs
