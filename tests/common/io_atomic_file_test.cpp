// tests/common/io_atomic_file_test.cpp · a file is written completely or not at all
#include "common/io/atomic_file.hpp"

#include "tests/common/scratch_folder.hpp"
#include "tests/support/refusal.hpp"

namespace tfs {
namespace {

using test::refuses;
using test::ScratchFolder;

TEST(AtomicFile, WritesAllBytesAndLeavesNothingElse) {
    const ScratchFolder folder;
    const std::string bytes("a\0b\r\n\xff", 6);
    write_file_atomically(folder / "file", bytes);
    EXPECT_EQ(read_file(folder / "file"), bytes);
    EXPECT_EQ(folder.file_count(), 1U);
}

TEST(AtomicFile, ReplacesAnOlderFile) {
    const ScratchFolder folder;
    write_file_atomically(folder / "file", "old and longer");
    write_file_atomically(folder / "file", "new");
    EXPECT_EQ(read_file(folder / "file"), "new");
    EXPECT_EQ(folder.file_count(), 1U);
}

TEST(AtomicFile, KeepsWhatIsThereWhereTheNameCantBeTaken) {
    const ScratchFolder folder;
    std::filesystem::create_directories(folder / "taken/inner");  // a file can't replace a folder
    EXPECT_TRUE(refuses<FileError>([&] { write_file_atomically(folder / "taken", "bytes"); },
                                   {"taken", "can't be replaced"}));
    EXPECT_TRUE(std::filesystem::exists(folder / "taken/inner"));
    EXPECT_EQ(folder.file_count(), 1U) << "the file beside it was left behind";
}

TEST(AtomicFile, NamesTheFileAndTheReasonWhereItCantBeWritten) {
    const ScratchFolder folder;
    write_file_atomically(folder / "plain", "");
    EXPECT_TRUE(refuses<FileError>([&] { write_file_atomically(folder / "plain/below", "x"); },
                                   {"below", "Not a directory"}));
    EXPECT_TRUE(refuses<FileError>([&] { write_file_atomically(folder / "no/such", "x"); },
                                   {"such", "No such file"}));
}

TEST(AtomicFile, RefusesToReadAFolderOrAMissingFile) {
    const ScratchFolder folder;
    EXPECT_TRUE(refuses<FileError>([&] { read_file(folder.path()); }, {"is a folder"}));
    EXPECT_TRUE(refuses<FileError>([&] { read_file(folder / "missing"); }, {"missing", "No such file"}));
}

}  // namespace
}  // namespace tfs
