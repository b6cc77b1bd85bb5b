// common/base/threads.hpp · how many threads compute
#pragma once

#include <omp.h>

namespace tfs {

// Loops and matrix products use so many threads, until this ends.
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
