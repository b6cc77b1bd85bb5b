// tests/common/io_atomic_file_test.cpp · a file is written completely or not at all
#include "common/io/atomic_file.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "tests/common/scratch_folder.hpp"
#include "tests/support/refusal.hpp"

namespace tfs {
namespace {

using test::refuses;
using test::ScratchFolder;

TEST(atomic_file, writes_all_bytes_and_leaves_nothing_else) {
    const ScratchFolder folder;
    const std::string bytes("a\0b\r\n\xff", 6);
    write_file_atomically(folder / "file", bytes);
    EXPECT_EQ(read_file(folder / "file"), bytes);
    EXPECT_EQ(folder.file_count(), 1U);
}

TEST(atomic_file, replaces_an_older_file) {
    const ScratchFolder folder;
    write_file_atomically(folder / "file", "old and longer");
    write_file_atomically(folder / "file", "new");
    EXPECT_EQ(read_file(folder / "file"), "new");
    EXPECT_EQ(folder.file_count(), 1U);
}

TEST(atomic_file, keeps_links_and_replaces_what_they_lead_to) {
    const ScratchFolder folder;
    write_file_atomically(folder / "file", "old");
    std::filesystem::create_symlink("file", folder / "link");
    std::filesystem::create_symlink("link", folder / "link to the link");
    std::filesystem::create_symlink("nowhere yet", folder / "dangling");
    write_file_atomically(folder / "link to the link", "new");
    write_file_atomically(folder / "dangling", "first");
    EXPECT_EQ(read_file(folder / "file"), "new");
    EXPECT_EQ(read_file(folder / "nowhere yet"), "first");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link to the link"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "dangling"));
    EXPECT_EQ(folder.file_count(), 5U);
}

TEST(atomic_file, refuses_links_that_lead_in_a_circle) {
    const ScratchFolder folder;
    std::filesystem::create_symlink("there", folder / "here");
    std::filesystem::create_symlink("here", folder / "there");
    EXPECT_TRUE(refuses<FileError>([&] { write_file_atomically(folder / "here", "bytes"); },
                                   {"here: can't be written", "symbolic links"}));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "here"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "there"));
    EXPECT_EQ(folder.file_count(), 2U);
}

unsigned permissions_of(const std::filesystem::path& path) {
    return static_cast<unsigned>(std::filesystem::status(path).permissions());
}

TEST(atomic_file, keeps_the_permissions_of_an_older_file) {
    const ScratchFolder folder;
    for (const unsigned mode : {0600U, 0644U, 0660U, 0755U}) {
        write_file_atomically(folder / "file", "old");
        std::filesystem::permissions(folder / "file", static_cast<std::filesystem::perms>(mode));
        write_file_atomically(folder / "file", "new");
        EXPECT_EQ(permissions_of(folder / "file"), mode);
    }
    std::filesystem::permissions(folder / "file", static_cast<std::filesystem::perms>(0600));
    std::filesystem::create_symlink("file", folder / "link");
    write_file_atomically(folder / "link", "new");
    EXPECT_EQ(permissions_of(folder / "file"), 0600U);
}

TEST(atomic_file, gives_a_new_file_the_permissions_of_the_process) {
    const ScratchFolder folder;
    const mode_t before = umask(0027);
    write_file_atomically(folder / "file", "bytes");
    umask(before);
    EXPECT_EQ(permissions_of(folder / "file"), 0640U);
}

// The number of a process that has ended.
pid_t dead_process() {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    waitpid(child, nullptr, 0);
    return child;
}

TEST(atomic_file, removes_what_a_killed_process_left_behind) {
    const ScratchFolder folder;
    const std::string dead = std::to_string(dead_process()), alive = std::to_string(getppid());
    const auto leave = [&](const std::string& name, std::chrono::seconds age) {
        std::ofstream(folder / name) << "half";
        std::filesystem::last_write_time(folder / name, std::filesystem::file_time_type::clock::now() - age);
    };
    const std::chrono::hours old{1};
    for (const std::string& name : {".weights." + dead + ".0.part", ".other.file." + dead + ".12.part"})
        leave(name, old);
    const std::vector<std::string> others = {".file." + alive + ".0.part", ".file." + dead + ".part",
                                             "file." + dead + ".0.part",   ".file.x" + dead + ".0.part",
                                             ".file." + dead + "..part",   "..0.part"};
    for (const std::string& name : others) leave(name, old);
    leave(".young." + dead + ".0.part", std::chrono::seconds{0});
    write_file_atomically(folder / "file", "bytes");
    EXPECT_EQ(folder.file_count(), others.size() + 2);
    for (const std::string& name : others) EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
    EXPECT_TRUE(std::filesystem::exists(folder / (".young." + dead + ".0.part")));
}

TEST(atomic_file, keeps_a_folder_and_a_pipe) {
    const ScratchFolder folder;
    std::filesystem::create_directories(folder / "taken/inner");
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_TRUE(refuses<FileError>([&] { write_file_atomically(folder / "taken", "bytes"); },
                                   {"taken", "is a folder"}));
    EXPECT_TRUE(refuses<FileError>([&] { write_file_atomically(folder / "pipe", "bytes"); },
                                   {"pipe", "no ordinary file"}));
    EXPECT_TRUE(std::filesystem::exists(folder / "taken/inner"));
    EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
    EXPECT_EQ(folder.file_count(), 2U) << "a file beside them was left behind";
}

TEST(atomic_file, names_the_file_and_the_reason_where_it_cant_be_written) {
    const ScratchFolder folder;
    write_file_atomically(folder / "plain", "");
    EXPECT_TRUE(refuses<FileError>([&] { write_file_atomically(folder / "plain/below", "x"); },
                                   {"below", "Not a directory"}));
    EXPECT_TRUE(refuses<FileError>([&] { write_file_atomically(folder / "no/such", "x"); },
                                   {"such", "No such file"}));
}

TEST(atomic_file, refuses_to_read_a_folder_or_a_missing_file) {
    const ScratchFolder folder;
    EXPECT_TRUE(refuses<FileError>([&] { read_file(folder.path()); }, {"is a folder"}));
    EXPECT_TRUE(refuses<FileError>([&] { read_file(folder / "missing"); }, {"missing", "No such file"}));
}

}  // namespace
}  // namespace tfs
