// tests/common/safetensors_test.cpp · weight files: what is written comes back, and what lies is refused
#include "common/io/safetensors.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <limits>

#include "common/io/atomic_file.hpp"
#include "common/io/safetensors_header.hpp"
#include "common/tensor/ops.hpp"
#include "common/terminal/display.hpp"
#include "tests/common/environment.hpp"
#include "tests/support/refusal.hpp"

namespace tfs {
namespace {

using test::refuses;
using test::ScratchFolder;

// A file of this header and these bytes of values; `length` is what its first 8 bytes say.
std::string file_of(const std::string& header, const std::string& values, std::uint64_t length) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>((length >> (8 * i)) & 0xFFU);
    return bytes + header + values;
}
std::string file_of(const std::string& header, const std::string& values) {
    return file_of(header, values, header.size());
}

std::string zeros(std::size_t count) { return std::string(count, '\0'); }

// What parse_safetensors says of these bytes; empty where it reads them.
std::string refusal_of(const std::string& bytes) {
    const auto [type, sentence] = test::thrown_by([&] { (void)parse_safetensors("bad", bytes); });
    EXPECT_TRUE(type.empty() || (type == "FileError" && sentence.starts_with("bad: ")))
        << type << ": " << sentence;
    return sentence;
}

struct BadFile {
    std::string bytes, reason;
};

void expect_refused(const std::vector<BadFile>& files) {
    for (const auto& [bytes, reason] : files)
        EXPECT_NE(refusal_of(bytes).find(reason), std::string::npos)
            << "must say \"" << reason << "\", and says \"" << refusal_of(bytes) << "\" of "
            << harmless(bytes);
}

std::string entry(const std::string& name, const std::string& shape, const std::string& offsets,
                  const std::string& dtype = "F32") {
    return '"' + name + R"(":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" +
           offsets + "}";
}
std::string one(const std::string& shape, const std::string& offsets, const std::string& dtype = "F32") {
    return "{" + entry("w", shape, offsets, dtype) + "}";
}

TEST(safetensors, returns_what_was_saved_in_the_same_order) {
    const ScratchFolder folder;
    const Parameters saved = {{"z.weight", Tensor::from({2, 3}, {1, -2, 3.5f, NAN, 1e-30f, INFINITY})},
                              {"a.scalar", Tensor::from({}, {7})},
                              {"empty", Tensor::zeros({0, 4})},
                              {"이름", Tensor::from({1}, {-0.0f})}};
    save_safetensors(folder / "weights", saved, {{"made by", "a test"}});
    const Parameters loaded = load_safetensors(folder / "weights");
    ASSERT_EQ(loaded.size(), saved.size());
    for (std::size_t i = 0; i < saved.size(); ++i) {
        EXPECT_EQ(loaded[i].name, saved[i].name);
        EXPECT_EQ(loaded[i].tensor.shape(), saved[i].tensor.shape());
        const auto a = saved[i].tensor.values(), b = loaded[i].tensor.values();
        EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0) << saved[i].name;
    }
    EXPECT_EQ(folder.file_count(), 1U);
}

TEST(safetensors, writes_the_layout_of_the_format) {
    const ScratchFolder folder;
    save_safetensors(folder / "weights", {{"w", Tensor::from({2}, {1.0f, 2.0f})}}, {{"k", "v"}});
    const std::string bytes = read_file(folder / "weights");
    const auto length = static_cast<std::size_t>(static_cast<unsigned char>(bytes[0]));
    EXPECT_EQ(length % 8, 0U);
    EXPECT_EQ(bytes.size(), 8 + length + 8);
    EXPECT_EQ(bytes.substr(8, 24), R"({"__metadata__":{"k":"v")");
    float first = 0.0f;
    std::memcpy(&first, bytes.data() + 8 + length, sizeof first);
    EXPECT_EQ(first, 1.0f);
}

// The processor time of saving and loading so many tensors.
double seconds_for(const std::filesystem::path& file, int count) {
    Parameters parameters;
    for (int i = 0; i < count; ++i) parameters.push_back({"blocks." + std::to_string(i), Tensor::zeros({1})});
    const std::clock_t start = std::clock();
    save_safetensors(file, parameters);
    load_safetensors_into(parameters, file);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

TEST(safetensors, takes_time_that_does_not_grow_with_the_square_of_the_number_of_tensors) {
    const ScratchFolder folder;
    const double few = seconds_for(folder / "few", 2000), many = seconds_for(folder / "many", 32000);
    EXPECT_LT(many, 40.0 * few) << "16 times as many tensors";  // the square would be 256 times
}

TEST(safetensors, keeps_the_order_of_tensors_that_hold_nothing_and_saves_none_at_all) {
    const std::string bytes = format_safetensors({{"z", Tensor::zeros({0})}, {"a", Tensor::zeros({0, 2})}});
    EXPECT_EQ(parse_safetensors("file", bytes).tensors[0].name, "z");
    EXPECT_TRUE(parse_safetensors("file", format_safetensors({})).tensors.empty());
}

TEST(safetensors, widens_16_bits) {
    // 1, -2, the largest half, the smallest subnormal half, infinity
    const std::string halves("\x00\x3c\x00\xc0\xff\x7b\x01\x00\x00\x7c", 10), brain("\x80\x3f\x20\xc1", 4);
    const Tensor widened =
        parse_safetensors("half", file_of(one("[5]", "[0,10]", "F16"), halves)).tensors[0].tensor;
    EXPECT_EQ(std::move(Tensor(widened)).values(),
              (std::vector<float>{1.0f, -2.0f, 65504.0f, std::ldexp(1.0f, -24), INFINITY}));
    EXPECT_TRUE(std::signbit(float_from_half(0x8000)));
    EXPECT_TRUE(std::isnan(float_from_half(0x7e00)));
    const Tensor bfloat =
        parse_safetensors("bf16", file_of(one("[2]", "[0,4]", "BF16"), brain)).tensors[0].tensor;
    EXPECT_EQ(bfloat.at({0}), 1.0f);
    EXPECT_EQ(bfloat.at({1}), -10.0f);
}

TEST(safetensors, rounds_to_the_nearest_half) {
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float value = float_from_half(half);
        if (!std::isfinite(value)) continue;
        EXPECT_EQ(half_from_float(value), half) << "every half is its own nearest";
        const float next = float_from_half(static_cast<std::uint16_t>(half + 1));
        if (!std::isfinite(next) || std::signbit(value) != std::signbit(next)) continue;
        const float middle = value + (next - value) / 2;
        EXPECT_EQ(half_from_float(middle), half % 2 == 0 ? half : half + 1) << "a tie goes to the even one";
        EXPECT_EQ(half_from_float(std::nextafter(middle, value)), half);
        EXPECT_EQ(half_from_float(std::nextafter(middle, next)), half + 1);
    }
    EXPECT_EQ(half_from_float(1e9f), 0x7C00);
    EXPECT_EQ(half_from_float(-INFINITY), 0xFC00);
    EXPECT_TRUE(std::isnan(float_from_half(half_from_float(NAN))));
}

TEST(safetensors, writes_halves_and_metadata_and_reads_them_back) {
    const ScratchFolder folder;
    const Parameters parameters{{"w", Tensor::from({3}, {1.0f, 0.1f, -INFINITY})}};
    save_safetensors(folder / "half", parameters, {{"step", "7"}, {"rng", "a b"}}, Precision::f16);
    const WeightFile file = load_weight_file(folder / "half");
    EXPECT_EQ(file.metadata, (Metadata{{"step", "7"}, {"rng", "a b"}}));
    EXPECT_EQ(file.tensors[0].tensor.values()[0], 1.0f);
    EXPECT_NEAR(file.tensors[0].tensor.values()[1], 0.1f, 0.1f / 2048);
    EXPECT_EQ(file.tensors[0].tensor.values()[2], -INFINITY);
    EXPECT_EQ(format_safetensors(parameters, {}, Precision::f32).size() -
                  format_safetensors(parameters, {}, Precision::f16).size(),
              6U);
    const Parameters large{{"large", Tensor::from({1}, {7e4f})}};
    EXPECT_TRUE(refuses<ValueError>([&] { (void)format_safetensors(large, {}, Precision::f16); },
                                    {"large", "70000"}));
}

TEST(safetensors, reads_what_is_unusual_but_valid) {
    const std::string swapped =
                          "{" + entry("second", "[1]", "[4,8]") + "," + entry("first", "[1]", "[0,4]") + "}",
                      field_names =
                          "{" + entry("dtype", "[1]", "[0,4]") + "," + entry("shape", "[1]", "[4,8]") + "}";
    EXPECT_EQ(parse_safetensors("file", file_of(swapped, zeros(8))).tensors[0].name, "first");
    for (const std::string& bytes :
         {file_of(field_names, zeros(8)), file_of(one("[1]", "[0,4]") + "   ", zeros(4)),
          file_of(R"({"__metadata__":{"a":"5","":""}})", ""),
          file_of(one("[0,2305843009213693951]", "[0,0]"), "")})
        EXPECT_EQ(refusal_of(bytes), "");
}

TEST(safetensors, refuses_a_missing_file_and_one_that_is_cut_short) {
    const ScratchFolder folder;
    EXPECT_TRUE(refuses<FileError>([&] { load_safetensors(folder / "gone.safetensors"); },
                                   {"gone.safetensors", "No such file"}));
    expect_refused({{"", "0 bytes"},
                    {"1234567", "7 bytes"},
                    {file_of("{}", "", 3), "header of 3 bytes"},
                    {file_of("{}", "", std::numeric_limits<std::uint64_t>::max()),
                     "header of 18446744073709551615 bytes"},
                    {file_of(one("[2]", "[0,8]"), zeros(7)), "outside of the 7 bytes"}});
    const std::string good = format_safetensors({{"a", Tensor::ones({2, 2})}, {"b", Tensor::ones({3})}});
    for (std::size_t size = 0; size < good.size(); ++size)
        EXPECT_NE(refusal_of(good.substr(0, size)), "") << size;
}

TEST(safetensors, refuses_a_header_that_is_no_json_object_alone) {
    const std::string header = one("[1]", "[0,4]");
    std::vector<BadFile> files{{file_of("", ""), "not valid JSON"},
                               {file_of("{\"w\":", ""), "not valid JSON"},
                               {file_of("{} {}", ""), "not valid JSON"},
                               {file_of("\xff\xfe{}", ""), "not valid JSON"},
                               {file_of("[]", ""), "not a JSON object"},
                               {file_of("3", ""), "not a JSON object"},
                               {file_of(std::string(100000, '['), ""), "nested too deeply"},
                               {file_of("{\"w\":3}", ""), "not described by a JSON object"},
                               {file_of(header + zeros(1), zeros(4)), "a NUL byte"},
                               {file_of(header + zeros(1) + "anything at all", zeros(4)), "a NUL byte"},
                               {file_of(zeros(8), ""), "a NUL byte"}};
    for (const char* before : {" ", "\n", "\t", "\xef\xbb\xbf"})
        files.push_back({file_of(before + header, zeros(4)), "must begin with {"});
    for (const char* behind : {"\n", "\t", " \r ", "\n  "})
        files.push_back({file_of(header + behind, zeros(4)), "nothing but spaces may follow"});
    expect_refused(files);
}

TEST(safetensors, refuses_a_header_that_is_longer_than_the_format_allows) {
    const std::string longest = "{}" + std::string(99'999'998, ' ');
    EXPECT_TRUE(read_safetensors_header("file", longest, 0).entries.empty());
    EXPECT_TRUE(refuses<FileError>([&] { read_safetensors_header("file", longest + ' ', 0); },
                                   {"file: a header of 100000001 bytes; the format allows 100000000"}));
}

TEST(safetensors, refuses_metadata_that_is_no_map_of_strings) {
    for (const char* metadata : {"5", "null", "\"text\"", "[]"})
        expect_refused(
            {{file_of(std::string(R"({"__metadata__":)") + metadata + "}", ""), "not a JSON object"}});
    for (const char* value : {"5", "null", "true", "{}", "[\"a\"]"})
        expect_refused({{file_of(std::string(R"({"__metadata__":{"key":)") + value + "}}", ""),
                         "\"key\" is not a string"}});
}

TEST(safetensors, refuses_dtypes_shapes_and_offsets_that_are_none) {
    for (const char* shape :
         {"[-1]", "[1.0]", "[1e2]", "[\"1\"]", "[null]", "[99999999999999999999999]", "[[1]]", "[true]"})
        expect_refused({{file_of(one(shape, "[0,4]"), zeros(4)), "whole numbers"}});
    expect_refused(
        {{file_of(one("[1]", "[0,8]", "F64"), zeros(8)), "F64"},
         {file_of(R"({"w":{"shape":[1],"data_offsets":[0,4]}})", zeros(4)), "no dtype"},
         {file_of(R"({"w":{"dtype":4,"shape":[1],"data_offsets":[0,4]}})", zeros(4)), "no dtype"},
         {file_of(one("1", "[0,4]"), zeros(4)), "no list \"shape\""},
         {file_of(one("[1]", "[-4,0]"), zeros(4)), "whole numbers"},
         {file_of(one("[1]", "[0]"), zeros(4)), "two data_offsets"},
         {file_of(one("[1]", "[0,4,8]"), zeros(4)), "two data_offsets"},
         {file_of(R"({"w":{"dtype":"F32","shape":[1]}})", zeros(4)), "data_offsets"},
         {file_of(one("[1]", "[4,8]"), zeros(4)), "outside of the 4 bytes"},
         {file_of(one("[1]", "[4,0]"), zeros(4)), "before it begins"},
         {file_of(one("[1]", "[18446744073709551612,18446744073709551615]"), zeros(4)), "outside"}});
}

TEST(safetensors, refuses_overlaps_gaps_and_trailing_bytes) {
    const auto two = [](const char* first, const char* second) {
        return "{" + entry("a", "[1]", first) + "," + entry("b", "[1]", second) + "}";
    };
    expect_refused({{file_of(two("[0,4]", "[0,4]"), zeros(4)), "\"b\" overlaps"},
                    {file_of(two("[0,4]", "[2,6]"), zeros(6)), "overlaps"},
                    {file_of(two("[0,4]", "[5,9]"), zeros(9)), "gap of 1 bytes before \"b\""},
                    {file_of(one("[1]", "[4,8]"), zeros(8)), "gap of 4 bytes"},
                    {file_of(one("[1]", "[0,4]"), zeros(5)), "1 bytes follow"},
                    {file_of("{}", "x"), "1 bytes follow"}});
}

TEST(safetensors, refuses_a_shape_that_does_not_fill_its_bytes) {
    // Products that overflow 64 bits, to 0 and to 4; and the same beside an axis of 0, wherever it stands.
    expect_refused({{file_of(one("[2]", "[0,4]"), zeros(4)), "takes 8 bytes"},
                    {file_of(one("[1]", "[0,8]"), zeros(8)), "takes 4 bytes"},
                    {file_of(one("[0]", "[0,4]"), zeros(4)), "takes 0 bytes"},
                    {file_of(one("[]", "[0,0]"), ""), "takes 4 bytes"},
                    {file_of(one("[4294967296,4294967296]", "[0,0]"), ""), "larger than the file"},
                    {file_of(one("[9223372036854775809,2]", "[0,8]"), zeros(8)), "larger than the file"},
                    {file_of(one("[0,4611686018427387904,4]", "[0,0]"), ""), "larger than 64 bits can count"},
                    {file_of(one("[4611686018427387904,4,0]", "[0,0]"), ""), "larger than 64 bits can count"},
                    {file_of(one("[0,2305843009213693952]", "[0,0]"), ""), "larger than 64 bits can count"}});
}

TEST(safetensors, refuses_names_that_occur_twice_and_shows_none_that_a_terminal_would_obey) {
    const auto twice = [](const std::string& name) {
        return file_of("{" + entry(name, "[1]", "[0,4]") + "," + entry(name, "[1]", "[4,8]") + "}", zeros(8));
    };
    const std::string name = R"(\u001b[2J\u202e\u009b)", seen = R"(\x1b[2J\xe2\x80\xae\xc2\x9b)";
    expect_refused(
        {{twice("w"), "\"w\" occurs twice"},
         {twice(name), '"' + seen + "\" occurs twice"},
         {file_of(R"({"w":{"dtype":"F32","dtype":"F16","shape":[1],"data_offsets":[0,4]}})", zeros(4)),
          "\"dtype\" occurs twice"},
         {file_of("{" + entry(name, "[1]", "[0,8]") + "}", zeros(8)), '"' + seen + '"'},
         {file_of(one("[1]", "[0,8]", name), zeros(8)), "the dtype \"" + seen + '"'}});
}

TEST(safetensors, keeps_the_old_file_where_saving_fails) {
    const ScratchFolder folder;
    const Tensor x = Tensor::ones({1});
    save_safetensors(folder / "file", {{"w", x}});
    const std::string before = read_file(folder / "file");
    const Parameters twice{{"w", x}, {"w", x}}, reserved{{"__metadata__", x}}, no_text{{"\xff", x}};
    test::expect_refused<ValueError>(
        {{[&] { save_safetensors(folder / "file", twice); }, {"\"w\""}},
         {[&] { save_safetensors(folder / "file", reserved); }, {"__metadata__"}},
         {[&] { save_safetensors(folder / "file", no_text); }, {"UTF-8"}}});
    EXPECT_EQ(read_file(folder / "file"), before);
    EXPECT_EQ(folder.file_count(), 1U);
}

TEST(load_safetensors_into, copies_by_name) {
    const ScratchFolder folder;
    save_safetensors(folder / "file", {{"b", Tensor::full({2}, 2)}, {"a", Tensor::full({1}, 1)}});
    const Parameters parameters = {{"a", Tensor::zeros({1})}, {"b", Tensor::zeros({2})}};
    load_safetensors_into(parameters, folder / "file");
    EXPECT_EQ(parameters[0].tensor.item(), 1.0f);
    EXPECT_EQ(parameters[1].tensor.values()[1], 2.0f);
}

TEST(load_safetensors_into, changes_nothing_where_names_or_shapes_disagree_and_lists_them) {
    const ScratchFolder folder;
    save_safetensors(folder / "file", {{"a", Tensor::full({1}, 1)}, {"b", Tensor::full({2}, 2)}});
    Parameters parameters = {{"a", Tensor::zeros({1})}};
    const auto load = [&] { load_safetensors_into(parameters, folder / "file"); };
    EXPECT_TRUE(refuses<FileError>(load, {"/file doesn't fit the model: 1 tensor unexpected (\"b\")"}));
    parameters.push_back({"b", Tensor::zeros({3})});
    EXPECT_TRUE(
        refuses<FileError>(load, {": 1 tensor of another shape (\"b\": (2) in the file, (3) in the model)"}));
    parameters[1] = {"c", Tensor::zeros({2})};
    EXPECT_TRUE(refuses<FileError>(load, {": 1 tensor missing (\"c\"), 1 unexpected (\"b\")"}));
    parameters.push_back({"b", Tensor::zeros({})});
    parameters.push_back({"d", Tensor::zeros({})});
    EXPECT_TRUE(
        refuses<FileError>(load, {": 2 tensors missing (\"c\", \"d\"), 1 of another shape (\"b\": (2) in"}));
    EXPECT_EQ(parameters[0].tensor.item(), 0.0f);
}

TEST(load_safetensors_into, lists_four_of_a_kind_and_how_many_more) {
    const ScratchFolder folder;
    Parameters parameters, others;
    for (const char* const name : {"a", "b", "c", "d", "e", "f"}) {
        parameters.push_back({name, Tensor::zeros({2})});
        others.push_back({name, Tensor::zeros({3})});
    }
    const auto load = [&] { load_safetensors_into(parameters, folder / "file"); };
    save_safetensors(folder / "file", {});
    EXPECT_TRUE(refuses<FileError>(load, {": 6 tensors missing (\"a\", \"b\", \"c\", \"d\", and 2 more)"}));
    save_safetensors(folder / "file", others);
    EXPECT_TRUE(
        refuses<FileError>(load, {"the model; \"d\": (3) in the file, (2) in the model; and 2 more)"}));
    parameters.resize(2);
    EXPECT_TRUE(refuses<FileError>(
        load, {": 4 tensors unexpected (\"c\", \"d\", \"e\", \"f\"), 2 of another shape"}));
}

TEST(load_safetensors_into, changes_nothing_where_a_tensor_cant_be_changed) {
    const ScratchFolder folder;
    save_safetensors(folder / "file", {{"a", Tensor::full({1}, 1)}, {"b", Tensor::full({1}, 2)}});
    const Parameters parameters{{"a", Tensor::zeros({1})}, {"b", Tensor::zeros({1}) + 1.0f}};
    EXPECT_TRUE(refuses<ValueError>([&] { load_safetensors_into(parameters, folder / "file"); },
                                    {"result of an operation"}));
    EXPECT_EQ(parameters[0].tensor.item(), 0.0f);
}

TEST(count_not_finite, counts_nan_and_infinities) {
    EXPECT_EQ(count_not_finite({{"a", Tensor::from({3}, {NAN, 1.0f, -INFINITY})},
                                {"b", Tensor::from({2}, {3e38f, 1e-45f})},
                                {"d", Tensor::zeros({0})}}),
              2U);
}

}  // namespace
}  // namespace tfs
