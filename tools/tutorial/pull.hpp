// tools/tutorial/pull.hpp · the newer version of the tutorial, by git
#pragma once

#include <string>
#include <vector>

#include "tools/tutorial/session.hpp"

namespace tfs::tutorial {

// Refusal where the tutorial is no clone that follows another one, or where a merge is not finished.
void require_clone();

// The commit that the tutorial is at.
std::string commit_now();

// The texts that this file had, newest first, where this is a clone; at most 30.
std::vector<std::string> versions_of(const std::string& file);

// The files of the commit, below this folder, that have another text now.
std::vector<std::string> not_as_committed(const std::string& folder);

// Fetches, and counts the commits that are new. Refusal with git's words where it can't.
std::size_t count_new_commits();

// Brings the new commits in. The changed files of exercises/ must be named, for the new version takes their place. Where that
// fails or is interrupted, what git did is undone, and the exception says why; the files that were named are as in the commit.
void pull(const std::vector<std::string>& changed);

}  // namespace tfs::tutorial
