// tools/blas/kernels.cpp · which kernels OpenBLAS took, and which better ones this processor can run
//
// A build of OpenBLAS for many processors chooses its kernels when it is loaded. A processor that is newer than the library it
// may take for an old one. OPENBLAS_CORETYPE names the kernels to load: the runner behind ./tutorial sets it to those that are
// named as better here.
#include <cstdio>
#include <string>
#include <string_view>

#include "tools/blas/processor.hpp"

// Of OpenBLAS alone, and absent (null) with another BLAS.
extern "C" {
__attribute__((weak)) char* openblas_get_corename(void);
__attribute__((weak)) char* openblas_get_config(void);
}

namespace {

// Whether kernels of this name use less of a processor than AVX2. A name that is not known here is newer.
bool are_old(std::string_view kernels) {
    for (const char* old :
         {"generic", "Unknown",   "Katmai",       "Coppermine",  "Northwood",  "Prescott",
          "Banias",  "Atom",      "Core2",        "Penryn",      "Dunnington", "Nehalem",
          "Athlon",  "Opteron",   "Opteron_SSE3", "Barcelona",   "Nano",       "Sandybridge",
          "Bobcat",  "Bulldozer", "Piledriver",   "Steamroller", "Excavator"})
        if (kernels == old) return true;
    return false;
}

// The best that this processor can run; empty where it can run none of these.
const char* best_for(const tfs::blas::Processor& processor) {
    if (processor.avx512) return "SkylakeX";
    if (processor.avx2) return processor.amd ? "Zen" : "Haswell";
    return "";
}

}  // namespace

int main() {
    if (openblas_get_corename == nullptr || openblas_get_config == nullptr) {
        std::printf("library another BLAS than OpenBLAS\n");
        return 0;
    }
    const std::string config = openblas_get_config(), kernels = openblas_get_corename();
    const bool chooses = config.find("DYNAMIC_ARCH") != std::string::npos;
    std::printf("library %s\n", config.substr(0, config.find(' ', config.find(' ') + 1)).c_str());
    std::printf("kernels %s\n", kernels.c_str());
    std::printf("better %s\n", chooses && are_old(kernels) ? best_for(tfs::blas::this_processor()) : "");
}
