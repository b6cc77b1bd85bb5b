// common/io/atomic_file.cpp · write beside, then rename
#include "common/io/atomic_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "common/base/errors.hpp"

namespace tfs {
namespace {

// Removes the file unless it was renamed in time.
class TemporaryFile {
  public:
    explicit TemporaryFile(std::filesystem::path path) : path_(std::move(path)) {}
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);  // nothing is there after a rename
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

  private:
    std::filesystem::path path_;
};

FileError cannot(const char* what, const std::filesystem::path& path, int error) {
    return FileError(fmt::format("{}: can't be {} ({})", path.string(), what,
                                 error != 0 ? std::strerror(error) : "unknown reason"));
}

// Where a path leads by its symbolic links; they themselves are kept.
std::filesystem::path behind_links(std::filesystem::path path) {
    constexpr int most = 40;  // as many as Linux follows
    std::error_code ignored;
    for (int i = 0; i < most && std::filesystem::is_symlink(path, ignored); ++i)
        path = path.parent_path() / std::filesystem::read_symlink(path, ignored);
    return path;
}

// A device or a pipe would not be written to, but replaced by the rename.
void require_ordinary_file(const std::filesystem::path& path, const std::filesystem::path& target) {
    std::error_code ignored;
    const auto status = std::filesystem::status(target, ignored);
    if (std::filesystem::is_directory(status))
        throw FileError(fmt::format("{}: is a folder, not a file", path.string()));
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        throw FileError(fmt::format("{}: is no ordinary file, so nothing is written there", path.string()));
}

}  // namespace

std::filesystem::path temporary_name_beside(const std::filesystem::path& path) {
    static std::atomic<unsigned> counter{0};
    const std::string name = fmt::format(".{}.{}.{}.part", path.filename().string(), getpid(), counter++);
    return path.parent_path() / name;
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
    const std::filesystem::path target = behind_links(path);
    require_ordinary_file(path, target);
    const std::filesystem::path beside = temporary_name_beside(target);
    const TemporaryFile remove_on_failure(beside);
    errno = 0;
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    if (!file) throw cannot("written", path, errno);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();  // a full disk shows here at the latest
    if (!file) throw cannot("written", path, errno);

    std::error_code error;
    std::filesystem::rename(beside, target, error);
    if (error) throw cannot("replaced", path, error.value());
}

std::string read_file(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw FileError(fmt::format("{}: is a folder, not a file", path.string()));
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) throw cannot("read", path, errno);
    std::string bytes;
    while (file) {  // in large pieces, because a pipe has no size that could be asked for
        constexpr std::size_t piece = std::size_t{1} << 20U;
        const std::size_t before = bytes.size();
        bytes.resize(before + piece);
        file.read(bytes.data() + before, static_cast<std::streamsize>(piece));
        bytes.resize(before + static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad()) throw cannot("read", path, errno);
    return bytes;
}

}  // namespace tfs
