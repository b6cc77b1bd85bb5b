// tests/09_transformer/large_arrays.cpp · `operator new` of the whole program, with a counter
#include "tests/09_transformer/checklist.hpp"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

constexpr std::size_t nothing_is_large = std::numeric_limits<std::size_t>::max();
std::atomic<std::size_t> large{nothing_is_large};
std::atomic<std::size_t> count{0};

}  // namespace

std::size_t tfs::test::large_arrays_made(std::size_t bytes, const std::function<void()>& call) {
    count = 0, large = bytes;
    call();
    large = nothing_is_large;
    return count;
}

// The linker takes these instead of the standard library's. All of them that a delete below may meet are here: the address
// sanitizer would bring its own for the others, and these must not be mixed.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    if (bytes >= large) ++count;
    return std::malloc(bytes > 0 ? bytes : 1);
}
void* operator new(std::size_t bytes) {
    if (void* const memory = operator new(bytes, std::nothrow)) return memory;
    throw std::bad_alloc();
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
    return operator new(bytes, std::nothrow);
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
