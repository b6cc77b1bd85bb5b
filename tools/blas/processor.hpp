// tools/blas/processor.hpp · what this processor can do, as far as kernels of BLAS differ by it
#pragma once

namespace tfs::blas {

struct Processor {
    bool amd = false;
    bool avx2 = false;    // with FMA
    bool avx512 = false;  // F, BW, DQ and VL
};

Processor this_processor();

}  // namespace tfs::blas
