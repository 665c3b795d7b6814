#include "engine/formats/files/file_bytes.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/mapped_file.h"
#include "engine/formats/files/reserved_file.h"
#include "engine/formats/files/write_file.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;

std::string textOf(const fs::path& file) {
    const std::vector<std::byte> bytes = readFile(file);
    return std::string(asText(bytes));
}

std::ptrdiff_t filesIn(const fs::path& folder) {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(FileBytes, readsTheWrittenBytes) {
    const TempFolder folder;
    writeFileAtomically(folder / "a.txt", "first");
    writeFileAtomically(folder / "a.txt", "second");
    EXPECT_EQ(textOf(folder / "a.txt"), "second");
    EXPECT_EQ(asText(MappedFile(folder / "a.txt").bytes()), "second");
    EXPECT_EQ(filesIn(folder.path()), 1);
}

TEST(FileBytes, flushesTheFolder_ofTheFile) {
    const TempFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    EXPECT_NO_THROW(writeFileAtomically("bare", "name", Durability::flushed));
    fs::create_directory("inner");
    fs::create_symlink("inner/real", "link");
    EXPECT_NO_THROW(writeFileAtomically("inner/real", "one", Durability::flushed));
    EXPECT_NO_THROW(writeFileAtomically(folder / "link", "two", Durability::flushed));
    fs::current_path(before);
    EXPECT_EQ(textOf(folder / "bare"), "name");
    EXPECT_EQ(textOf(folder / "inner/real"), "two");
    EXPECT_THROW(writeFileAtomically(folder / "none/file", "", Durability::flushed), IoError);
}

TEST(FileBytes, readsNothing_whenFileIsEmpty) {
    const TempFolder folder;
    writeFileAtomically(folder / "empty", "");
    EXPECT_TRUE(readFile(folder / "empty").empty());
    EXPECT_TRUE(MappedFile(folder / "empty").bytes().empty());
}

TEST(FileBytes, refusesToRead_whenMissingOrFolderOrTooLarge) {
    const TempFolder folder;
    writeFileAtomically(folder / "five", "12345");
    EXPECT_THROW(readFile(folder / "missing"), IoError);
    EXPECT_THROW(readFile(folder.path()), IoError);
    EXPECT_THROW(readFile(folder / "five", 4), IoError);
    EXPECT_THROW(MappedFile(folder / "missing"), IoError);
    EXPECT_THROW(MappedFile{folder.path()}, IoError);
    EXPECT_EQ(readFile(folder / "five", 5).size(), 5u);
}

TEST(FileBytes, namesFileReasonAndRemedy_whenItCannotBeRead) {
    const TempFolder folder;
    try {
        readFile(folder / "missing");
        FAIL() << "read a missing file";
    } catch (const IoError& error) {
        EXPECT_EQ(error.report().subject, (folder / "missing").string());
        EXPECT_NE(error.report().problem.find("No such file"), std::string::npos);
        EXPECT_FALSE(error.report().remedy.empty());
    }
}

TEST(FileBytes, leavesNothingBehind_whenFolderIsMissing) {
    const TempFolder folder;
    EXPECT_THROW(writeFileAtomically(folder / "no" / "a.txt", "text"), IoError);
    EXPECT_EQ(filesIn(folder.path()), 0);
}

TEST(FileBytes, reportsBeforehand_whenAFileCannotBeWritten) {
    const TempFolder folder;
    writeFileAtomically(folder / "old", std::string_view("kept"));
    requireWritable(folder / "old");
    requireWritable(folder / "new");
    EXPECT_EQ(textOf(folder / "old"), "kept");
    EXPECT_EQ(filesIn(folder.path()), 1);
    EXPECT_THROW(requireWritable(folder / "none" / "file"), IoError);
    EXPECT_THROW(requireWritable(folder.path()), IoError);
}

TEST(ReservedFile, isWrittenByItsOwnerAlone_underAnyName) {
    const TempFolder folder;
    writeFileAtomically(folder / "kept", std::string_view("kept"));
    std::filesystem::create_symlink(folder / "kept", folder / "link");
    std::filesystem::create_hard_link(folder / "kept", folder / "hard");
    ReservedFile reserved(folder / "kept", "the log");
    const ReservedFile missing(folder / "missing", "the trace");
    const std::pair<std::filesystem::path, const char*> refused[] = {
        {folder / "kept", "is the file of the log"},
        {folder / "." / "kept", "is the file of the log"},
        {folder / "link", "is the file of the log"},
        {folder / "hard", "is the file of the log"},
        {folder / "missing", "is the file of the trace"}};
    for (const auto& [file, problem] : refused)
        for (const auto& write :
             {+[](const std::filesystem::path& to) { writeFileAtomically(to, std::string_view()); },
              +[](const std::filesystem::path& to) { requireWritable(to); },
              +[](const std::filesystem::path& to) { const FileReplacement replacing(to); },
              +[](const std::filesystem::path& to) { const ReservedFile again(to, "more"); }})
            EXPECT_THAT(test::messageOf<UsageError>([&] { write(file); }),
                        testing::HasSubstr(problem))
                << file;
    EXPECT_EQ(textOf(folder / "kept"), "kept");
    writeFileAtomically(folder / "other", std::string_view("new"));
    reserved.release();
    writeFileAtomically(folder / "kept", std::string_view("new"));
    EXPECT_EQ(textOf(folder / "kept"), "new");
}

TEST(FileReplacement, replacesTheFile_whenCommitted) {
    const TempFolder folder;
    writeFileAtomically(folder / "video", std::string_view("old"));
    FileReplacement replacement(folder / "video");
    std::ofstream(replacement.path()) << "new";
    EXPECT_EQ(replacement.path().parent_path(), folder.path());
    EXPECT_EQ(textOf(folder / "video"), "old");
    replacement.commit();
    EXPECT_EQ(textOf(folder / "video"), "new");
    EXPECT_EQ(filesIn(folder.path()), 1);
}

TEST(FileReplacement, leavesTheFile_whenNotCommitted) {
    const TempFolder folder;
    writeFileAtomically(folder / "video", std::string_view("old"));
    { const FileReplacement replacement(folder / "video"); }
    EXPECT_EQ(textOf(folder / "video"), "old");
    EXPECT_EQ(filesIn(folder.path()), 1);
    EXPECT_THROW(FileReplacement(folder / "none" / "video"), IoError);
}

TEST(FileBytes, keepsAFolder_whenItHasTheFilesName) {
    const TempFolder folder;
    fs::create_directory(folder / "a.txt");
    EXPECT_THROW(writeFileAtomically(folder / "a.txt", "text"), IoError);
    EXPECT_TRUE(fs::is_directory(folder / "a.txt"));
    EXPECT_EQ(filesIn(folder.path()), 1);
}

/// Limits the size of files, as a full disk does, for the object's lifetime.
class SmallDisk {
  public:
    explicit SmallDisk(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);  // SIGXFSZ would end the process
        const rlimit limit{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~SmallDisk() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

  private:
    rlimit before_{};
    void (*handler_)(int) = SIG_DFL;
};

TEST(FileBytes, keepsTheOldFile_whenTheDiskIsFull) {
    const TempFolder folder;
    writeFileAtomically(folder / "a", "old");
    std::string problem = "was written", remedy;
    {
        const SmallDisk disk(1000);
        try {
            writeFileAtomically(folder / "a", std::string_view(std::string(2000, 'x')));
        } catch (const IoError& error) {
            problem = error.report().problem;
            remedy = error.report().remedy;
        }
    }
    EXPECT_EQ(problem, "cannot be written: File too large");
    EXPECT_FALSE(remedy.empty());
    EXPECT_EQ(textOf(folder / "a"), "old");
    EXPECT_EQ(filesIn(folder.path()), 1);
}

TEST(FileBytes, refusesToReplace_whenTargetIsNotRegular) {
    EXPECT_THROW(writeFileAtomically("/dev/null", "text"), IoError);
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(FileBytes, writesThroughLink_whenTargetIsLink) {
    const TempFolder folder;
    writeFileAtomically(folder / "real", "old");
    fs::create_symlink("real", folder / "link");
    writeFileAtomically(folder / "link", "new");
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(textOf(folder / "real"), "new");
}

TEST(FileBytes, writesEveryTime_whenThreadsWriteOneFileAtOnce) {
    const TempFolder folder;
    std::array<std::thread, 4> writers;
    for (std::thread& writer : writers)
        writer = std::thread([&] {
            for (int round = 0; round < 25; ++round)
                EXPECT_NO_THROW(writeFileAtomically(folder / "a", std::string_view("whole")));
        });
    for (std::thread& writer : writers) writer.join();
    EXPECT_EQ(asText(readFile(folder / "a", 100)), "whole");
    EXPECT_EQ(tryListFolder(folder.path()).size(), 1U);
}

TEST(FileBytes, listsAFolder_orNamesItInTheError) {
    const TempFolder folder;
    writeFileAtomically(folder / "a", "");
    EXPECT_EQ(listFolder(folder.path()), std::vector<fs::path>{folder / "a"});
    EXPECT_EQ(tryListFolder(folder / "none"), std::vector<fs::path>());
    try {
        listFolder(folder / "none");
        ADD_FAILURE() << "was listed";
    } catch (const IoError& error) {
        EXPECT_EQ(error.report().subject, (folder / "none").string());
        EXPECT_EQ(error.report().problem, "cannot be listed: No such file or directory");
    }
}

TEST(FileBytes, refusesToWrite_whenTargetIsALinkToItself) {
    const TempFolder folder;
    const fs::path loop = folder / "loop";
    fs::create_symlink("loop", loop);
    for (const auto& write : {+[](const fs::path& file) { requireWritable(file); },
                              +[](const fs::path& file) { writeFileAtomically(file, "text"); }}) {
        try {
            write(loop);
            ADD_FAILURE() << "was written";
        } catch (const IoError& error) {
            EXPECT_EQ(error.report().subject, loop.string());
        }
    }
}

TEST(FileBytes, removesLeftoversOfAKilledProcess_whenTheSameFileIsWritten) {
    const test::TempFolder folder;
    const pid_t killed = fork();
    if (killed == 0) {
        rlimit maxSize{3, 3};  // bytes; SIGXFSZ then ends the process while it writes
        setrlimit(RLIMIT_FSIZE, &maxSize);
        writeFileAtomically(folder / "a.txt", std::string("a long text"));
        std::_Exit(0);
    }
    int status = 0;
    waitpid(killed, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    ASSERT_EQ(tryListFolder(folder.path()).size(), 1U);
    // Writing another file does not remove the leftover, which might belong to a running process.
    writeFileAtomically(folder / "b.txt", std::string("other"));
    EXPECT_EQ(tryListFolder(folder.path()).size(), 2U);
    writeFileAtomically(folder / "a.txt", std::string("text"));
    EXPECT_EQ(tryListFolder(folder.path()).size(), 2U);
    EXPECT_EQ(asText(readFile(folder / "a.txt")), "text");
}

TEST(FileBytes, keepsATemporaryFile_whenItIsBeingWritten) {
    const TempFolder folder;
    fs::path leftover;
    {
        const FileReplacement killed(folder / "a.txt");
        leftover = killed.path();
    }
    std::ofstream(leftover) << "half";
    const FileReplacement written(folder / "b.txt");
    removeTemporaryFiles(folder.path());
    EXPECT_FALSE(fs::exists(leftover));
    EXPECT_TRUE(fs::exists(written.path()));
}

TEST(FileBytes, keepsPermissions_whenFileIsReplaced) {
    const TempFolder folder;
    writeFileAtomically(folder / "a", "old");
    fs::permissions(folder / "a", fs::perms::owner_read | fs::perms::owner_write);
    writeFileAtomically(folder / "a", "new");
    EXPECT_EQ(fs::status(folder / "a").permissions(),
              fs::perms::owner_read | fs::perms::owner_write);
}

TEST(FileBytes, mapThrows_whenItsFileIsTruncated) {
    const TempFolder folder;
    constexpr std::size_t kSize = 1 << 20;
    writeFileAtomically(folder / "a", std::string(kSize, 'a'));
    writeFileAtomically(folder / "b", std::string(kSize, 'b'));
    const MappedFile whole(folder / "b");
    MappedFile before(folder / "a");
    EXPECT_EQ(before.bytes()[kSize / 2], std::byte{'a'});
    EXPECT_NO_THROW(before.requireUndamaged());
    fs::resize_file(folder / "a", 10);
    MappedFile cut(std::move(before));
    const auto last = [](std::span<const std::byte> bytes) { return bytes.back(); };
    EXPECT_THROW(cut.decode(last), IoError);
    EXPECT_EQ(cut.bytes().back(), std::byte{0});
    EXPECT_EQ(cut.bytes().front(), std::byte{'a'});
    EXPECT_THROW(cut.requireUndamaged(), IoError);
    EXPECT_EQ(whole.decode(last), std::byte{'b'});
    // Beyond the file's new end, the map reads as zeros. The decoder's FormatError about the zeros
    // is replaced by an IoError.
    EXPECT_THROW(cut.decode([](auto) -> int {
        throw FormatError({"a", "", "zeros", ""});
    }),
                 IoError);
    EXPECT_EQ(MappedFile(folder / "a").decode(last), std::byte{'a'})
        << "a freed entry of the table of mapped files is reused";
}

TEST(FileBytesDeathTest, aFaultElsewhereEndsTheProcess_whenAFileIsMapped) {
    const TempFolder folder;
    writeFileAtomically(folder / "a", std::string(100, 'a'));
    const MappedFile mapped(folder / "a");
    EXPECT_EXIT(raise(SIGBUS), testing::KilledBySignal(SIGBUS), "");
}

TEST(FileBytes, mapStaysValid_whenMoved) {
    const TempFolder folder;
    writeFileAtomically(folder / "a", "aaa");
    writeFileAtomically(folder / "b", "bbb");
    MappedFile first(folder / "a");
    MappedFile second(std::move(first));
    EXPECT_EQ(asText(second.bytes()), "aaa");
    second = MappedFile(folder / "b");
    EXPECT_EQ(asText(second.bytes()), "bbb");
}

}  // namespace
}  // namespace threefold
