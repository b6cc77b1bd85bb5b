// tools/tutorial/run_programs.hpp · the pages of pictures that programs leave behind (pages.cpp); a program on the steps that pass
// (mine_passed.cpp)
#pragma once

#include <string>
#include <vector>

#include "tools/tutorial/states.hpp"

namespace tfs::tutorial {

// Writes folder/index.html, which links the page of each folder in it, with its first picture. Returns that file.
fs::path write_overview(const fs::path& folder);

// Lets the first of xdg-open, open and wslview that there is open the page. Says so where there is none.
void open_in_browser(const fs::path& page);

// --format pdf or png: Refusal where it is another word, or where rsvg-convert, which makes them, is missing.
void require_format(const std::string& format);

// Each NAME.svg of the folder once more, as NAME.pdf or NAME.png.
void convert_pictures(const fs::path& folder, const std::string& format);

// The steps that the program of this chapter takes from the learner, without those that she leaves out. `mine`: as in Request.
Steps learners_steps(const steps::Tutorial& tutorial, const steps::Chapter& chapter, const std::string& mine,
                     const States& states);

inline constexpr const char* mine_passed_suffix = "_mine_passed";

// The object of the learner's step.
std::string target_of_mine(const steps::Step& step);
// What must be built before it can be linked. `passed`: her steps of this chapter and of earlier ones, and perhaps those that its
// models attend with.
std::vector<std::string> targets_of_mine_passed(const steps::Chapter& chapter, const Steps& passed);

// Links NN_name_mine_passed beside the program on the solutions, and into a folder of their own the libraries of the other
// chapters, which this program takes before those of the solutions. They are no targets: the steps that pass change all the
// time. Refusal where the linker fails.
void link_mine_passed(const steps::Tutorial& tutorial, const steps::Chapter& chapter, const Steps& passed);

}  // namespace tfs::tutorial
