// common/program/serve_worker.hpp · a process that computes one answer, or the steps of one session
//
// A learner's step may print, crash, or not end, so each request is computed in a process of its own: what it prints is caught,
// a crash is an answer, and it can be ended at any time. It is a copy of the serving process, with the models that were loaded.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "common/program/serve_request.hpp"

namespace tfs {

// The limits of a serving program.
struct ServeLimits {
    std::size_t workers = 4;                // requests that are computed at once; others wait
    std::size_t waiting = 64;               // requests that may wait
    std::size_t sessions = 4;               // that are open at once
    std::size_t reply_bytes = 8u << 20;     // of one line of an answer
    std::size_t request_bytes = 1u << 20;   // of one line of a request
    std::size_t printed_bytes = 64u << 10;  // of what a step printed: the beginning is told
    int threads = 0;                        // of a worker; 0: as many as OpenMP takes when serving begins
    std::size_t memory_bytes = std::size_t{4} << 30;  // of a worker's address space
};

class ServeWorker {
  public:
    Json id = nullptr;        // of the request that it computes
    std::size_t session = 0;  // its number, 0: none
    bool busy = true;         // false: a session that waits for its next step
    bool open = false;        // a session that has been opened
    bool failed = false;      // a session that could not be opened

    // Starts the process. It computes the section, or opens a session and waits for steps.
    ServeWorker(const Chapter& chapter, const ServeRequest& request, const ServeLimits& limits);
    ~ServeWorker();  // ends it
    ServeWorker(const ServeWorker&) = delete;
    ServeWorker& operator=(const ServeWorker&) = delete;

    // The next step of a session.
    void step(const ServeRequest& request);

    // What it says and what its steps print arrives at these.
    [[nodiscard]] int answers() const { return answers_; }
    [[nodiscard]] int printed() const { return printed_; }

    // Reads what has arrived; the lines that are complete. `ended`: the process is no more.
    struct Lines {
        std::vector<std::string> lines;
        bool ended = false;
    };
    [[nodiscard]] Lines read();
    void read_printed();
    // What was printed since the last call.
    [[nodiscard]] std::string take_printed();
    // How it ended, as a sentence.
    [[nodiscard]] std::string why_it_ended();

  private:
    pid_t process_ = -1;
    int answers_ = -1, printed_ = -1, requests_ = -1;
    std::string unfinished_, printed_text_;
    ServeLimits limits_;
};

}  // namespace tfs
