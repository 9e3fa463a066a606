#include "warpath/file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include "support/temporary_folder.h"
#include "warpath/error.h"
#include "warpath/image.h"

namespace warpath {
namespace {

namespace fs = std::filesystem;
using test::file_bytes;
using test::TemporaryFolder;

/// The message of the Error{Io} that `call` must throw.
template <class Call>
std::string io_error(const Call& call) {
    try {
        call();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::Io) << e.what();
        return e.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

/// While one lives, no file of this process can grow past a size: the disk is full, as far as it can tell.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t size_bytes) {
        getrlimit(RLIMIT_FSIZE, &old_);
        old_handler_ = signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{size_bytes, old_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &old_);
        signal(SIGXFSZ, old_handler_);
    }

  private:
    rlimit old_{};
    void (*old_handler_)(int) = nullptr;
};

TEST(write_file, replaces_an_existing_file_and_leaves_nothing_else) {
    const TemporaryFolder folder;
    folder.write("a.txt", "old");
    write_file(folder / "a.txt", "new bytes");
    EXPECT_EQ(file_bytes(folder / "a.txt"), "new bytes");
    EXPECT_EQ(folder.num_entries(), 1u);
}

TEST(write_file, keeps_the_old_file_when_the_disk_is_full) {
    const TemporaryFolder folder;
    folder.write("a.txt", "old");
    const std::string large(1 << 20, 'x');
    {
        const FileSizeLimit limit(1000);
        EXPECT_NE(io_error([&] { write_file(folder / "a.txt", large); }).find("a.txt"), std::string::npos);
        io_error([&] { write_file(folder / "b.txt", large); });
    }
    EXPECT_EQ(file_bytes(folder / "a.txt"), "old");
    EXPECT_EQ(folder.num_entries(), 1u);
}

TEST(write_file, reports_a_device_without_space) {
    const TemporaryFolder folder;
    fs::create_symlink("/dev/full", folder / "full");
    const std::string message = io_error([&] { write_file(folder / "full", "bytes"); });
    EXPECT_NE(message.find("No space left"), std::string::npos) << message;
    EXPECT_TRUE(fs::is_symlink(folder / "full"));
}

TEST(write_file, writes_through_a_link) {
    const TemporaryFolder folder;
    folder.write("real.txt", "old");
    fs::create_symlink(folder / "real.txt", folder / "link.txt");
    write_file(folder / "link.txt", "new");
    EXPECT_TRUE(fs::is_symlink(folder / "link.txt"));
    EXPECT_EQ(file_bytes(folder / "real.txt"), "new");
}

TEST(check_file_writable, accepts_a_new_and_an_existing_file_without_touching_them) {
    const TemporaryFolder folder;
    folder.write("there.txt", "old");
    check_file_writable(folder / "there.txt");
    check_file_writable(folder / "new.txt");
    EXPECT_EQ(file_bytes(folder / "there.txt"), "old");
    EXPECT_EQ(folder.num_entries(), 1u);
}

TEST(check_file_writable, names_what_is_wrong_with_the_folder) {
    const TemporaryFolder folder;
    folder.write("file", "");
    EXPECT_NE(io_error([&] { check_file_writable(folder / "missing" / "a.txt"); }).find("missing"), std::string::npos);
    EXPECT_NE(io_error([&] { check_file_writable(folder / "file" / "a.txt"); }).find("Not a directory"),
              std::string::npos);
    EXPECT_NE(io_error([&] { check_file_writable(folder.path()); }).find("folder"), std::string::npos);
    // Nobody, root included, may create a file there.
    EXPECT_NE(io_error([] { check_file_writable("/proc/warpath.txt"); }).find("/proc"), std::string::npos);
    io_error([] { check_file_writable(""); });
}

TEST(check_file_writable, refuses_a_read_only_folder) {
    const TemporaryFolder folder;
    fs::permissions(folder.path(),
                    fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
    constexpr uid_t nobody = 65534;
    const uid_t user = geteuid();
    if (user == 0) {  // root may write everywhere
        ASSERT_EQ(seteuid(nobody), 0);
    }
    const std::string message = io_error([&] { check_file_writable(folder / "a.txt"); });
    if (user == 0) {
        ASSERT_EQ(seteuid(user), 0);
    }
    EXPECT_NE(message.find("Permission denied"), std::string::npos) << message;
    fs::permissions(folder.path(), fs::perms::owner_all);
}

TEST(check_file_writable, refuses_a_name_that_is_too_long) {
    const TemporaryFolder folder;
    io_error([&] { check_file_writable(folder / std::string(300, 'a')); });
}

TEST(check_writable, refuses_an_unknown_or_missing_extension_and_lists_the_known) {
    for (const std::string name : {"image", "image.jpg", "image.", ".png"}) {
        try {
            check_writable(name);
            ADD_FAILURE() << name << " was accepted";
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::BadOption);
            EXPECT_NE(std::string(e.what()).find(".exr"), std::string::npos) << e.what();
        }
    }
}

TEST(check_writable, accepts_every_format_in_any_case) {
    const TemporaryFolder folder;
    for (const std::string name : {"a.png", "a.hdr", "a.exr", "a.pfm", "a.PNG", "a.Exr"}) check_writable(folder / name);
    EXPECT_EQ(folder.num_entries(), 0u);
}

}  // namespace
}  // namespace warpath
