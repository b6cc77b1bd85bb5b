// play/pages.hpp · the tutorial as pages that need no server: what ./tutorial pages writes
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "play/programs.hpp"

namespace tfs::play {

// Writes into a folder, which is empty: README.md, the texts of `chapters` ([{"name": "01_attention", "title": "Attention"}]), and all
// that is shown and that these lead to, each as a page; and for each chapter of `recorded` what its program answers: of sections
// that read a text to each of play/texts.json, of others once. In `files/` is what the pages need. Throws where a program does
// not answer, or where something can't be written.
void write_pages(const std::filesystem::path& root, Programs& programs, const Json& chapters,
                 const std::vector<std::string>& recorded, const std::filesystem::path& folder);

}  // namespace tfs::play
