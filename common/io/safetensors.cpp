// common/io/safetensors.cpp · reading and writing weight files
#include "common/io/safetensors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "common/io/atomic_file.hpp"
#include "common/io/safetensors_header.hpp"
#include "common/terminal/display.hpp"

namespace tfs {
namespace {

using Json = nlohmann::json;

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

// The JSON header of a file that holds these tensors one after the other. It is put together as text, because a JSON object
// that keeps the order compares each new name with all others.
std::string header_text(const Parameters& parameters, const Metadata& metadata, Precision precision) try {
    std::string text = "{";
    const auto add = [&](const std::string& name, const std::string& value) {
        text += fmt::format("{}{}:{}", text.size() > 1 ? "," : "", Json(name).dump(), value);
    };
    if (!metadata.empty()) add("__metadata__", Json(metadata).dump());
    std::set<std::string> names;
    std::size_t offset = 0;
    for (const auto& [name, tensor] : parameters) {
        if (name == "__metadata__") throw ValueError("save: a tensor can't be named \"__metadata__\"");
        if (!names.insert(name).second)
            throw ValueError("save: two tensors have the name " + in_quotes(name));
        const bool half = precision == Precision::f16;
        const std::size_t end = offset + tensor.size() * (half ? 2 : 4);
        add(name, fmt::format(R"({{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", half ? "F16" : "F32",
                              fmt::join(tensor.shape(), ","), offset, end));
        offset = end;
    }
    return text + "}";
} catch (const Json::exception&) {
    throw ValueError("save: a name or the metadata is not valid UTF-8");
}

void append_values(std::string& bytes, const NamedTensor& entry, Precision precision) {
    const auto values = entry.tensor.values();
    if (precision == Precision::f32) {
        bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
        return;
    }
    for (const float value : values) {
        const std::uint16_t half = half_from_float(value);
        if (std::isfinite(value) && !std::isfinite(float_from_half(half)))
            throw ValueError(fmt::format("save: {} has the value {}, which is too large for 16 bits",
                                         in_quotes(entry.name), value));
        bytes += static_cast<char>(half & 0xFFU);
        bytes += static_cast<char>(half >> 8U);
    }
}

// What keeps a file's tensors from being a model's parameters: names, or sentences that begin with one.
struct Misfits {
    std::vector<std::string> missing, unexpected, reshaped;
};

// "2 tensors missing ("a", "b"), 1 unexpected ("c")", four of each kind and how many more; empty where all fits.
std::string in_words(const Misfits& misfits) {
    std::string words;
    const auto add = [&](const std::vector<std::string>& found, const char* kind, const char* between) {
        if (found.empty()) return;
        const std::size_t shown = std::min<std::size_t>(found.size(), 4);
        const char* const noun = !words.empty() ? "" : found.size() == 1 ? " tensor" : " tensors";
        words += fmt::format("{}{}{} {} ({}", words.empty() ? "" : ", ", found.size(), noun, kind, found[0]);
        for (std::size_t i = 1; i < shown; ++i) words += between + found[i];
        if (shown < found.size()) words += fmt::format("{}and {} more", between, found.size() - shown);
        words += ")";
    };
    add(misfits.missing, "missing", ", ");
    add(misfits.unexpected, "unexpected", ", ");
    add(misfits.reshaped, "of another shape", "; ");
    return words;
}

// Whether all of the text is a whole number, which is then in `value`.
bool reads(const std::string& text, std::size_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

// bfloat16 is the upper half of a float32.
float float_from_bfloat(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

// IEEE half precision: 1 sign, 5 exponent (bias 15), 10 fraction bits. Exponent 0 holds the subnormals,
// fraction * 2^-24.
float float_from_half(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16U;
    const std::uint32_t exponent = (bits >> 10U) & 0x1FU;
    const std::uint32_t fraction = bits & 0x3FFU;
    if (exponent == 0)
        return std::copysign(std::ldexp(static_cast<float>(fraction), -24), sign != 0 ? -1.0f : 1.0f);
    // Infinity and NaN keep all bits of the exponent set.
    const std::uint32_t wide = exponent == 31 ? 255U : exponent + (127U - 15U);
    return std::bit_cast<float>(sign | (wide << 23U) | (fraction << 13U));
}

std::uint16_t half_from_float(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16U) & 0x8000U);
    const float size = std::abs(value);
    if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7E00U);
    if (size >= 65520.0f) return static_cast<std::uint16_t>(sign | 0x7C00U);
    // Below 2^-14 the steps are 2^-24: adding 0.5 leaves just those bits, rounded by the processor.
    if (size < 0x1p-14f)
        return static_cast<std::uint16_t>(
            sign | (std::bit_cast<std::uint32_t>(size + 0.5f) - std::bit_cast<std::uint32_t>(0.5f)));
    const std::uint32_t whole = bits & 0x7FFFFFFFU;
    const std::uint32_t rounded = whole + 0xFFFU + ((whole >> 13U) & 1U);
    return static_cast<std::uint16_t>(sign | ((rounded - ((127U - 15U) << 23U)) >> 13U));
}

Parameters load_safetensors(const std::filesystem::path& path) { return load_weight_file(path).tensors; }

WeightFile load_weight_file(const std::filesystem::path& path) {
    return parse_safetensors(path, read_file(path));
}

WeightFile parse_safetensors(const std::filesystem::path& path, std::string_view bytes) {
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
    WeightFile file;
    const SafetensorsHeader header =
        read_safetensors_header(path, bytes.substr(length_bytes, length), available);
    file.metadata = header.metadata;

    const char* values = bytes.data() + length_bytes + length;
    for (const SafetensorsEntry& entry : header.entries)
        file.tensors.push_back({entry.name, read_values(entry, values + entry.begin)});
    return file;
}

void load_safetensors_into(Parameters parameters, const std::filesystem::path& path) {
    copy_tensors_into(std::move(parameters), load_safetensors(path), path);
}

void copy_tensors_into(Parameters parameters, const Parameters& loaded, const std::filesystem::path& path) {
    std::map<std::string, const Tensor*> in_file;
    for (const NamedTensor& entry : loaded) in_file[entry.name] = &entry.tensor;

    std::set<std::string> wanted;
    Misfits misfits;
    for (const auto& [name, tensor] : parameters) {
        if (!wanted.insert(name).second)
            throw ValueError("load: two parameters have the name " + in_quotes(name));
        const auto found = in_file.find(name);
        if (found == in_file.end()) {
            misfits.missing.push_back(in_quotes(name));
        } else if (const Shape& shape = found->second->shape(); shape != tensor.shape()) {
            misfits.reshaped.push_back(fmt::format("{}: {} in the file, {} in the model", in_quotes(name),
                                                   to_string(shape), to_string(tensor.shape())));
        }
    }
    for (const NamedTensor& entry : loaded)
        if (!wanted.contains(entry.name)) misfits.unexpected.push_back(in_quotes(entry.name));
    if (const std::string misfit = in_words(misfits); !misfit.empty())
        throw FileError(fmt::format("{} doesn't fit the model: {}", harmless(path.string()), misfit));

    // mutable_array() refuses what an operation made: it is asked of all before the first is changed.
    std::vector<std::pair<std::span<const float>, float*>> copies;
    for (auto& [name, tensor] : parameters)
        copies.emplace_back(in_file.at(name)->values(), tensor.mutable_array().data());
    for (const auto& [values, target] : copies) std::copy(values.begin(), values.end(), target);
}

std::size_t count_not_finite(const Parameters& parameters) {
    std::size_t count = 0;
    for (const NamedTensor& parameter : parameters) {
        const auto values = parameter.tensor.values();
        count += static_cast<std::size_t>(
            std::count_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); }));
    }
    return count;
}

void save_safetensors(const std::filesystem::path& path, const Parameters& parameters,
                      const Metadata& metadata, Precision precision) {
    write_file_atomically(path, format_safetensors(parameters, metadata, precision));
}

std::string format_safetensors(const Parameters& parameters, const Metadata& metadata, Precision precision) {
    std::string text = header_text(parameters, metadata, precision);
    // The values begin at a multiple of 8 bytes, as the format advises.
    text.resize((text.size() + 7) / 8 * 8, ' ');
    if (text.size() > longest_header)
        throw ValueError(
            fmt::format("save: a header of {} bytes; the format allows {}", text.size(), longest_header));
    std::string bytes;
    bytes.reserve(length_bytes + text.size() + sizeof(float) * count_parameters(parameters));
    for (std::size_t i = 0; i < length_bytes; ++i)
        bytes += static_cast<char>((text.size() >> (8 * i)) & 0xFFU);
    bytes += text;
    for (const NamedTensor& entry : parameters) append_values(bytes, entry, precision);
    return bytes;
}

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
