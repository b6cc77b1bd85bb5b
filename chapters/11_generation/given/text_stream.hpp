// chapters/11_generation/given/text_stream.hpp · pieces of a text as they come: whole characters, and nothing of a stop text
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace tfs {

// A token may end within a character of several bytes, and a text that ends the writing may come in several tokens. So a piece is held
// back as long as it is not known whether it may be shown.
class TextStream {
  public:
    // Without a stop text nothing stops it.
    explicit TextStream(std::string stop = {}) : stop_(std::move(stop)) {}

    // Adds the next piece, and returns what may be shown now: whole characters (UTF-8) that can't belong to the stop text.
    std::string add(std::string_view piece);
    // Whether the stop text has come. Nothing after it is shown.
    [[nodiscard]] bool stopped() const { return stopped_; }
    // What is held back, where the writing ends without the stop text.
    [[nodiscard]] std::string rest();

  private:
    std::string stop_, held_ = {};
    bool stopped_ = false;
};

}  // namespace tfs
