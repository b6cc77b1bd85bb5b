// tests/support/memory.cpp · the resident size of this program, before and after
#include "tests/support/memory.hpp"

#ifdef __linux__
#include <unistd.h>
#endif

#include <fstream>

#include "common/base/address_sanitizer.hpp"

namespace tfs::test {
namespace {

// In bytes, or 0 where the system doesn't tell.
long resident_bytes() {
#if defined(__linux__)
    if (has_address_sanitizer) return 0;
    long total = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * sysconf(_SC_PAGESIZE);
#else
    return 0;
#endif
}

}  // namespace

testing::AssertionResult resident_size_stays_flat(const std::function<void(std::size_t)>& step,
                                                  std::size_t warm_up, std::size_t steps, long allowed) {
    if (resident_bytes() == 0) return step(0), testing::AssertionSuccess() << "not measured";
    for (std::size_t i = 0; i < warm_up; ++i) step(i);
    const long before = resident_bytes();
    for (std::size_t i = 0; i < steps; ++i) step(warm_up + i);
    const long grown = resident_bytes() - before;
    if (grown <= allowed) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << "the resident size grew by " << grown << " bytes in " << steps << " steps";
}

}  // namespace tfs::test
