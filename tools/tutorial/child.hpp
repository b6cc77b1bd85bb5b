// tools/tutorial/child.hpp · a program that runs beside the runner
#pragma once

#include <sys/types.h>

#include "tools/tutorial/process.hpp"

namespace tfs::tutorial {

// Closes its file descriptor at the end.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
    Descriptor& operator=(Descriptor&& other) noexcept;

    int number() const { return number_; }
    bool open() const { return number_ >= 0; }
    void close();

  private:
    int number_;
};

class Child {
  public:
    // Starts it. Refusal where that fails.
    explicit Child(const Command& command);
    // Whatever still runs of it is killed.
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // Waits at most so long for output, and hands on what is there.
    void listen(const Listener& listener, std::chrono::milliseconds most);
    // Whether it ended. From then on status() is what waitpid told.
    bool ended();
    int status() const { return status_; }
    // Whether it ended and nobody holds its pipes any more.
    bool gone() { return ended() && !output_.open() && !report_.open(); }
    // To its whole group, if it has one of its own.
    void signal(int number) const;

  private:
    pid_t pid_ = -1;
    bool own_group_;
    bool ended_ = false;
    int status_ = 0;
    Descriptor output_, report_;
};

}  // namespace tfs::tutorial
