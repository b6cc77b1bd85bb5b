// common/base/scoped_flag.hpp · a flag that has another value while an object lives
#pragma once

#include <utility>

namespace tfs {

// Sets the flag, and gives it back its earlier value at the end. The base of guards such as NoGrad.
class ScopedFlag {
  public:
    ScopedFlag(const ScopedFlag&) = delete;
    ScopedFlag& operator=(const ScopedFlag&) = delete;

  protected:
    ScopedFlag(bool& flag, bool value) : flag_(flag), before_(std::exchange(flag, value)) {}
    ~ScopedFlag() { flag_ = before_; }

  private:
    bool& flag_;
    bool before_;
};

}  // namespace tfs
