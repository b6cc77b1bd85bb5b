// chapters/10_training/program/interruption.hpp · Ctrl-C asks a training to end after its step
#pragma once

#include <csignal>

namespace tfs {

// While one of these lives, Ctrl-C no longer ends the program: it sets asked(). A second Ctrl-C ends it.
class Interruption {
  public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    [[nodiscard]] static bool asked();

  private:
    void (*before_)(int);
};

}  // namespace tfs
