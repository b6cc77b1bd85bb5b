// common/io/atomic_file.cpp · write beside, then rename
#include "common/io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <utility>

#include "common/base/errors.hpp"
#include "common/terminal/display.hpp"

namespace tfs {
namespace {

FileError cannot(const char* what, const std::filesystem::path& path, int error) {
    return FileError(fmt::format("{}: can't be {} ({})", harmless(path.string()), what,
                                 error != 0 ? std::strerror(error) : "unknown reason"));
}

// Where a path leads by its symbolic links; they themselves are kept.
std::filesystem::path behind_links(const std::filesystem::path& path) {
    constexpr int most = 40;  // as many as Linux follows
    std::filesystem::path target = path;
    std::error_code ignored;
    for (int i = 0; std::filesystem::is_symlink(target, ignored); ++i) {
        if (i == most) throw cannot("written", path, ELOOP);
        target = target.parent_path() / std::filesystem::read_symlink(target, ignored);
    }
    return target;
}

// A device or a pipe would not be written to, but replaced by the rename.
void require_ordinary_file(const std::filesystem::path& path, const std::filesystem::path& target) {
    std::error_code ignored;
    const auto status = std::filesystem::status(target, ignored);
    if (std::filesystem::is_directory(status))
        throw FileError(fmt::format("{}: is a folder, not a file", harmless(path.string())));
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        throw FileError(
            fmt::format("{}: is no ordinary file, so nothing is written there", harmless(path.string())));
}

// A new file under a temporary name, open for writing. It is removed at the end unless it was renamed.
class TemporaryFile {
  public:
    // A file beside `target`; the process's mask may take some of the permissions away.
    TemporaryFile(const std::filesystem::path& target, mode_t mode) {
        do {
            path_ = temporary_name_beside(target);
            descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        } while (descriptor_ < 0 && errno == EEXIST);  // a process of the same number left it behind
    }
    ~TemporaryFile() {
        close();
        if (path_.empty()) return;
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    // These return false and set errno where they fail.
    bool is_open() const { return descriptor_ >= 0; }
    bool write(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
            if (written < 0 && errno != EINTR) return false;
            bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
        }
        return true;
    }
    bool set_permissions(mode_t mode) {
        struct stat status {};
        if (fstat(descriptor_, &status) != 0) return false;
        // A file system without permissions refuses every change, and needs none.
        return (status.st_mode & 0777U) == mode || fchmod(descriptor_, mode) == 0;
    }
    bool close() {
        const int open_one = std::exchange(descriptor_, -1);
        return open_one < 0 || ::close(open_one) == 0;
    }
    bool rename_to(const std::filesystem::path& target) {
        if (std::rename(path_.c_str(), target.c_str()) != 0) return false;
        path_.clear();
        return true;
    }

  private:
    std::filesystem::path path_;
    int descriptor_ = -1;
};

// The permissions of a file; none where there is no such file.
std::optional<mode_t> permissions_of(const std::filesystem::path& file) {
    struct stat status {};
    if (stat(file.c_str(), &status) != 0) return std::nullopt;
    return status.st_mode & 0777U;
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
    const std::optional<mode_t> mode = permissions_of(target);
    // Nobody else may read the bytes before the file has the permissions of the old one.
    TemporaryFile file(target, mode ? 0600 : 0666);
    if (!file.is_open() || !file.write(bytes) || (mode && !file.set_permissions(*mode)) || !file.close())
        throw cannot("written", path, errno);
    if (!file.rename_to(target)) throw cannot("replaced", path, errno);
}

std::string read_file(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw FileError(fmt::format("{}: is a folder, not a file", harmless(path.string())));
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
