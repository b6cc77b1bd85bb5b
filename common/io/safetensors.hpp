// common/io/safetensors.hpp · weight files in the safetensors format
//
// The format (github.com/huggingface/safetensors): 8 bytes, the length N of the header, little-endian · N
// bytes of JSON, {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end]}, …, "__metadata__":
// {…}} · the values. Offsets count from the end of the header; the tensors lie one after the other without
// gaps.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "common/nn/parameters.hpp"

namespace tfs {

using Metadata = std::map<std::string, std::string>;

// What a file holds.
struct WeightFile {
    Parameters tensors;
    Metadata metadata;  // "__metadata__" of the header
};

// Reads all tensors (F32, F16, BF16, converted to float32) in the order of their offsets. Throws FileError,
// with the file and the reason, where the file is missing, cut short, or contradicts itself.
Parameters load_safetensors(const std::filesystem::path& path);
// The same with the metadata.
WeightFile load_weight_file(const std::filesystem::path& path);

// The same of the bytes of a file; errors call it `name`.
WeightFile parse_safetensors(const std::filesystem::path& name, std::string_view bytes);

// Copies the file's tensors into parameters of the same names. Throws before anything is changed: FileError if names
// are missing or left over, or shapes differ, and lists them all (four of each kind, and how many more); ValueError
// where a name occurs twice or a tensor is the result of an operation.
void load_safetensors_into(Parameters parameters, const std::filesystem::path& path);
// The same of tensors that were read already; errors call the file `name`.
void copy_tensors_into(Parameters parameters, const Parameters& loaded, const std::filesystem::path& name);

// How many values are NaN or infinite. A file may hold them, as that of a model whose training diverged does, so loading
// accepts them; who loads a file asks and says so.
std::size_t count_not_finite(const Parameters& parameters);

enum class Precision { f32, f16 };  // f16: 11 bits of precision, up to 65504; half the bytes

// Writes all tensors: to a file beside `path`, which then takes its name, so that a failure leaves the
// old one. Throws FileError if it can't be written, ValueError if a name occurs twice, or a finite value is too large
// for f16.
void save_safetensors(const std::filesystem::path& path, const Parameters& parameters,
                      const Metadata& metadata = {}, Precision precision = Precision::f32);

// The bytes that save_safetensors writes.
std::string format_safetensors(const Parameters& parameters, const Metadata& metadata = {},
                               Precision precision = Precision::f32);

// Entries of a file that should be of some kind. Where one is missing or malformed, a FileError names the file, says that it
// is of another kind ("not the weights of a noun finder"), and names the entry.
class MetadataReader {
  public:
    MetadataReader(const WeightFile& loaded, std::filesystem::path file, std::string other_kind);

    const std::string& text(const std::string& name) const;
    // In decimal digits without leading zeros, from least to most.
    std::size_t count(const std::string& name, std::size_t least = 0, std::size_t most = SIZE_MAX) const;
    double real(const std::string& name) const;  // "inf" is one

    // Throws the FileError "FILE: not the weights of …" with what follows: ": 5 heads don't divide 64".
    [[noreturn]] void refuse(const std::string& why) const;

  private:
    Metadata metadata_;
    std::filesystem::path file_;
    std::string other_kind_;
};

// 16-bit floats, widened to 32 bits without any loss: bfloat16, and IEEE's half precision.
float float_from_bfloat(std::uint16_t bits);
float float_from_half(std::uint16_t bits);
// The nearest half; of two equally near ones that with an even last bit. What is too large becomes infinite.
std::uint16_t half_from_float(float value);

}  // namespace tfs
