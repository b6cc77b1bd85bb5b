// common/base/parallel.hpp · loops over rows, and over pieces of one long row, on all cores; how many threads compute
#pragma once

#include <cstddef>

#include <omp.h>

namespace tfs {

// Below this many elements in all, starting threads costs more than it saves.
inline constexpr std::size_t min_parallel_elements = 32768;

// Calls body(row) for each row in 0 … rows-1, on all cores where rows * row_size is worth it. Each row is computed
// by one thread in a fixed order, so the result does not depend on the number of threads. `body` must not throw.
template <class Body>
void parallel_rows(std::size_t rows, std::size_t row_size, const Body& body) {
    if (rows < 2 || rows * row_size < min_parallel_elements) {  // a team of one costs a system call, too
        for (std::size_t row = 0; row < rows; ++row) body(row);
        return;
    }
#pragma omp parallel for schedule(static)
    for (std::size_t row = 0; row < rows; ++row) body(row);
}

// Calls body(begin, end) on pieces of 0 … count-1, on all cores where that is worth it. `body` must not throw.
template <class Body>
void parallel_pieces(std::size_t count, const Body& body) {
    constexpr std::size_t piece = 8192;
    parallel_rows((count + piece - 1) / piece, piece, [&](std::size_t i) {
        const std::size_t begin = i * piece;
        body(begin, count - begin < piece ? count : begin + piece);
    });
}

// Sets how many threads loops and matrix products of the calling thread use, and restores the number before at the end.
class Threads {
  public:
    explicit Threads(int count) { omp_set_num_threads(count); }
    ~Threads() { omp_set_num_threads(before_); }
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

  private:
    int before_ = omp_get_max_threads();
};

}  // namespace tfs
