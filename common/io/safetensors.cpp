// common/io/safetensors.cpp · reading and writing weight files
#include "common/io/safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "common/io/atomic_file.hpp"
#include "common/io/half.hpp"
#include "common/io/safetensors_header.hpp"

namespace tfs {
namespace {

using Json = nlohmann::ordered_json;  // keeps the order of the tensors

constexpr std::size_t length_bytes = 8;

// The length that the first 8 bytes state, little-endian.
std::uint64_t header_length(std::string_view bytes) {
    std::uint64_t length = 0;
    for (std::size_t i = length_bytes; i-- > 0;)
        length = (length << 8U) | static_cast<unsigned char>(bytes[i]);
    return length;
}

// The values are little-endian, as on every processor that this project is built for.
static_assert(std::endian::native == std::endian::little);

Tensor read_values(const SafetensorsEntry& entry, const char* bytes) {
    std::vector<float> values(entry.count);
    if (entry.dtype == "F32") {
        if (entry.count > 0) std::memcpy(values.data(), bytes, entry.count * sizeof(float));
    } else {
        for (std::size_t i = 0; i < entry.count; ++i) {
            std::uint16_t bits = 0;
            std::memcpy(&bits, bytes + 2 * i, sizeof bits);
            values[i] = entry.dtype == "F16" ? float_from_half(bits) : float_from_bfloat(bits);
        }
    }
    return Tensor::from(entry.shape, std::move(values));
}

}  // namespace

Parameters load_safetensors(const std::filesystem::path& path) {
    const std::string file = read_file(path);
    const std::string_view bytes = file;
    if (bytes.size() < length_bytes)
        refuse_file(path, fmt::format("is cut short: {} bytes, where the header's length alone takes 8",
                                      bytes.size()));
    const std::uint64_t length = header_length(bytes);
    if (length > bytes.size() - length_bytes) {
        refuse_file(path,
                    fmt::format("is cut short or no safetensors file: a header of {} bytes in a file of {}",
                                length, bytes.size()));
    }
    const std::size_t available = bytes.size() - length_bytes - length;
    const auto entries = read_safetensors_header(path, bytes.substr(length_bytes, length), available);

    Parameters parameters;
    const char* values = file.data() + length_bytes + length;
    for (const SafetensorsEntry& entry : entries)
        parameters.push_back({entry.name, read_values(entry, values + entry.begin)});
    return parameters;
}

void load_safetensors_into(const Parameters& parameters, const std::filesystem::path& path) {
    const Parameters loaded = load_safetensors(path);
    std::map<std::string, const Tensor*> by_name;
    for (const NamedTensor& entry : loaded) by_name[entry.name] = &entry.tensor;

    // All is checked before anything is changed; mutable_array() refuses what an operation made.
    std::set<std::string> wanted;
    std::vector<std::pair<std::span<const float>, float*>> copies;
    for (auto [name, tensor] : parameters) {
        if (!wanted.insert(name).second)
            throw ValueError("load: two parameters have the name " + in_quotes(name));
        const auto found = by_name.find(name);
        if (found == by_name.end()) refuse_file(path, "has no tensor " + in_quotes(name));
        const Tensor& source = *found->second;
        if (source.shape() != tensor.shape()) {
            refuse_file(path, fmt::format("{} has the shape {}, but the model needs {}", in_quotes(name),
                                          to_string(source.shape()), to_string(tensor.shape())));
        }
        copies.emplace_back(source.values(), tensor.mutable_array().data());
    }
    for (const NamedTensor& entry : loaded) {
        if (!wanted.contains(entry.name))
            refuse_file(path, "holds the tensor " + in_quotes(entry.name) + ", which the model doesn't have");
    }
    for (const auto& [values, target] : copies) std::copy(values.begin(), values.end(), target);
}

void save_safetensors(const std::filesystem::path& path, const Parameters& parameters,
                      const std::map<std::string, std::string>& metadata) {
    Json header = Json::object();
    if (!metadata.empty()) header["__metadata__"] = metadata;
    std::size_t offset = 0;
    for (const auto& [name, tensor] : parameters) {
        if (name == "__metadata__") throw ValueError("save: a tensor can't be named \"__metadata__\"");
        if (header.contains(name)) throw ValueError("save: two tensors have the name " + in_quotes(name));
        const std::size_t end = offset + tensor.size() * sizeof(float);
        header[name] = {{"dtype", "F32"}, {"shape", tensor.shape()}, {"data_offsets", {offset, end}}};
        offset = end;
    }

    std::string text;
    try {
        text = header.dump();
    } catch (const Json::exception&) {
        throw ValueError("save: a name or the metadata is not valid UTF-8");
    }
    // The values begin at a multiple of 8 bytes, as the format advises.
    text.resize((text.size() + 7) / 8 * 8, ' ');
    std::string bytes;
    bytes.reserve(length_bytes + text.size() + offset);
    for (std::size_t i = 0; i < length_bytes; ++i)
        bytes += static_cast<char>((text.size() >> (8 * i)) & 0xFFU);
    bytes += text;
    for (const NamedTensor& entry : parameters) {
        const auto values = entry.tensor.values();
        bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    }
    write_file_atomically(path, bytes);
}

}  // namespace tfs
