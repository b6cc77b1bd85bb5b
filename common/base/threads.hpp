// common/base/threads.hpp · how many threads compute
#pragma once

#include <omp.h>

namespace tfs {

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
