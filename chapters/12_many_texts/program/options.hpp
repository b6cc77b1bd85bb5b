// chapters/12_many_texts/program/options.hpp · what several sections of chapter 12 share: the trained decoder of characters
#pragma once

#include <string>
#include <vector>

#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/12_many_texts/many_texts.hpp"
#include "common/program.hpp"

namespace tfs {

// The shipped decoder of characters.
struct Characters {
    Characters();
    TextTransformer trained;
    LanguageModel model;

    [[nodiscard]] TokenIds ids(const std::string& text) const;
    // With ¶ for the ends of lines.
    [[nodiscard]] std::string text(const TokenIds& ids) const;
};

}  // namespace tfs
