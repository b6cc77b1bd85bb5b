// tools/blas/processor.hpp · what this processor can do, as far as kernels of BLAS differ by it
#pragma once

#include <string>

namespace tfs::blas {

struct Processor {
    std::string
        name;  // "GenuineIntel, family 6, model 207, stepping 2"; empty where it has no kernels to choose from
    bool amd = false;
    bool avx2 = false;    // with FMA
    bool avx512 = false;  // F, BW, DQ and VL
};

Processor this_processor();

}  // namespace tfs::blas
