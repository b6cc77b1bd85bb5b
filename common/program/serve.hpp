// common/program/serve.hpp · a program that stays alive and answers requests: docs/reports.md
#pragma once

#include "common/program/chapter.hpp"
#include "common/program/serve_worker.hpp"

namespace tfs {

// Reads a request from each line of standard input, and writes a line of JSON for each answer to standard output, until the input
// ends and all is answered. What a learner's step prints is a part of the answer, and never stands between the answers.
void serve(const Chapter& chapter, const ServeLimits& limits = {});

}  // namespace tfs
