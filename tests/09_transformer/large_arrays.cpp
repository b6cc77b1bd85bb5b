// tests/09_transformer/large_arrays.cpp · `operator new` of the whole program, with a counter
#include "tests/09_transformer/large_arrays.hpp"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

constexpr std::size_t nothing_is_large = std::numeric_limits<std::size_t>::max();
std::atomic<std::size_t> large{nothing_is_large};
std::atomic<std::size_t> count{0};

}  // namespace

namespace tfs::test {

std::size_t large_arrays_made(std::size_t bytes, const std::function<void()>& call) {
    struct Counting {
        explicit Counting(std::size_t least) { count = 0, large = least; }
        ~Counting() { large = nothing_is_large; }
        Counting(const Counting&) = delete;
        Counting& operator=(const Counting&) = delete;
    };
    const Counting until_the_end(bytes);
    call();
    return count;
}

}  // namespace tfs::test

// The linker takes these instead of the standard library's; new[] and delete[] call them.
void* operator new(std::size_t bytes) {
    if (bytes >= large) ++count;
    if (void* const memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
    throw std::bad_alloc();
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
