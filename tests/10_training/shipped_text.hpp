// tests/10_training/shipped_text.hpp · the text of the character model
#pragma once

#include "chapters/10_training/models/corpus.hpp"
#include "common/io/weights.hpp"

namespace tfs::test {

// For windows of 256 characters. Read once: it takes nearly a second.
inline const Corpus& shakespeare() {
    static const Corpus corpus = read_corpus(shipped_corpus(), 256);
    return corpus;
}

}  // namespace tfs::test
