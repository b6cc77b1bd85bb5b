// tools/blas/processor.cpp · what this processor can do, as far as kernels of BLAS differ by it
#include "tools/blas/processor.hpp"

#ifdef __x86_64__
#include <cpuid.h>

#include <cstring>
#endif

namespace tfs::blas {

#ifdef __x86_64__

Processor this_processor() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    __get_cpuid(0, &a, &b, &c, &d);
    char vendor[13] = {};
    std::memcpy(vendor, &b, 4);
    std::memcpy(vendor + 4, &d, 4);
    std::memcpy(vendor + 8, &c, 4);
    __get_cpuid(1, &a, &b, &c, &d);
    // Intel's manual, volume 2, CPUID: the extended fields count for these families; AMD does the same.
    const unsigned low = (a >> 8) & 15, family = low == 15 ? low + ((a >> 20) & 255) : low;
    const unsigned model = ((a >> 4) & 15) | (low == 6 || low == 15 ? ((a >> 16) & 15) << 4 : 0);
    Processor processor;
    processor.name = std::string(vendor) + ", family " + std::to_string(family) + ", model " +
                     std::to_string(model) + ", stepping " + std::to_string(a & 15);
    processor.amd = std::strcmp(vendor, "AuthenticAMD") == 0;
    // Both ask the system, too, whether it keeps the wide registers.
    __builtin_cpu_init();
    processor.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    processor.avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return processor;
}

#else

Processor this_processor() { return {}; }

#endif

}  // namespace tfs::blas
