// tools/tutorial/pages.hpp · the pages of pictures that the programs leave behind
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/tutorial/session.hpp"

namespace tfs::tutorial {

// Writes folder/index.html, which links the page of each folder in it, with its first picture. Returns that file.
fs::path write_overview(const fs::path& folder);

// Removes the pictures that an earlier run left in a folder of plots/ and this one, which began then, has not drawn again.
void remove_older_pictures(const fs::path& folder, fs::file_time_type begin);

// Lets the first of xdg-open, open and wslview that there is open the page. Says so where there is none.
void open_in_browser(const fs::path& page);

// --format pdf or png: Refusal where it is another word, or where rsvg-convert, which makes them, is missing.
void require_format(const std::string& format);

// Each NAME.svg of the folder once more, as NAME.pdf or NAME.png.
void convert_pictures(const fs::path& folder, const std::string& format);

}  // namespace tfs::tutorial
