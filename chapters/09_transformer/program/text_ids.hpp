// chapters/09_transformer/program/text_ids.hpp · the tokens of a text as ids
#pragma once

#include <string>
#include <vector>

#include "common/tensor/ops.hpp"
#include "common/text.hpp"

namespace tfs {

// The tokens of a text, numbered after three tokens that no text has.
struct TextIds {
    std::vector<std::string> words;  // words[id]: "<pad>", "<start>", "<end>", then those of the text
    Ids ids;                         // (1, seq)
    Tokens tokens;

    static constexpr std::int64_t pad = 0, start = 1, end = 2;
};
TextIds number_tokens(const Tokens& tokens);

}  // namespace tfs
