// tools/blas/processor.cpp · what this processor can do, as far as kernels of BLAS differ by it
#include "tools/blas/processor.hpp"

namespace tfs::blas {

Processor this_processor() {
    Processor processor;
#ifdef __x86_64__
    // These ask the system, too, whether it keeps the wide registers.
    __builtin_cpu_init();
    processor.amd = __builtin_cpu_is("amd");
    processor.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    processor.avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
    return processor;
}

}  // namespace tfs::blas
