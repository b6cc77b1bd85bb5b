// tests/fuzz/text_fuzz.cpp · libFuzzer's entry: words and what is shown of them
//
// How to run it: CONTRIBUTING.md, "Fuzzing"
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "tests/fuzz/text_properties.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(bytes), size);
    const std::string wrong = tfs::test::wrong_with_text(input);
    if (!wrong.empty()) throw std::logic_error(wrong);  // libFuzzer keeps the input
    return 0;
}
