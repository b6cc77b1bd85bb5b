// common/io/atomic_file.hpp · files that are either written completely or not at all
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tfs {

// Writes to a file beside `path`, which then takes its name: whoever reads `path` sees the old bytes or all
// of the new ones. The file keeps its permissions. A symbolic link stays, and what it leads to is replaced. Throws
// FileError, with the reason, where it can't be written, or is a folder, a device, a pipe or a link that leads in a circle;
// nothing half-written is left behind. (A process that is killed leaves a file ".NAME.….part".)
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// All bytes of a file. Throws FileError if it can't be read.
std::string read_file(const std::filesystem::path& path);

// A name in the same folder that no other process uses, for a file that will be renamed to `path`.
std::filesystem::path temporary_name_beside(const std::filesystem::path& path);

}  // namespace tfs
