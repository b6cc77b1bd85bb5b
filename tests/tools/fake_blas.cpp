// tests/tools/fake_blas.cpp · an OpenBLAS and a processor that are what a test says, for tools/blas/kernels.cpp
//
//     FAKE_CONFIG       what the library says of itself
//     FAKE_PROCESSOR    words: amd avx2 avx512
//
// Without OPENBLAS_CORETYPE the library takes Prescott.
#include <cstdlib>
#include <string>

#include "tools/blas/processor.hpp"

namespace {

std::string variable(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr ? otherwise : value;
}

}  // namespace

extern "C" {

char* openblas_get_config() {
    static std::string text = variable("FAKE_CONFIG", "OpenBLAS 0.0.1 DYNAMIC_ARCH");
    return text.data();
}

char* openblas_get_corename() {
    static std::string name = variable("OPENBLAS_CORETYPE", "Prescott");
    return name.data();
}
}

namespace tfs::blas {

Processor this_processor() {
    const std::string words = " " + variable("FAKE_PROCESSOR", "") + " ";
    const auto has = [&](const char* word) { return words.find(word) != std::string::npos; };
    return {has(" amd "), has(" avx2 "), has(" avx512 ")};
}

}  // namespace tfs::blas
