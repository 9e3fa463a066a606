#include "warpath/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "warpath/error.h"

namespace warpath {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail(const std::string& what, const fs::path& path, int error) {
    throw Error(ErrorCode::Io, what + " " + path.string() + ": " + std::strerror(error));
}

/// An open file descriptor; `close` reports, the destructor does not.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    int get() const { return fd_; }
    /// 0, or the error: some file systems report a full disk only here.
    int close() { return ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno; }

  private:
    int fd_;
};

/// A file that is removed again unless it was renamed.
class TemporaryFile {
  public:
    explicit TemporaryFile(const fs::path& path) : path_(path) {}
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        if (!path_.empty()) ::unlink(path_.c_str());
    }
    const fs::path& path() const { return path_; }
    int rename_to(const fs::path& target) {
        if (::rename(path_.c_str(), target.c_str()) != 0) return errno;
        path_.clear();
        return 0;
    }

  private:
    fs::path path_;
};

/// Returns 0, or the error. A call may write only part of the bytes, or be interrupted by a signal.
int write_all(int fd, std::string_view bytes) {
    constexpr size_t max_chunk = size_t{1} << 30;  // Linux writes at most 2 GiB - 4 KiB in one call
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), std::min(bytes.size(), max_chunk));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        if (n == 0) return ENOSPC;
        bytes.remove_prefix(static_cast<size_t>(n));
    }
    return 0;
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

/// The name to write for a given one: the file behind a link, so that the link survives.
fs::path link_target(const fs::path& path) {
    std::error_code ignored;
    if (!fs::is_symlink(path, ignored)) return path;
    const fs::path target = fs::weakly_canonical(path, ignored);
    return target.empty() ? path : target;
}

/// A device, pipe or socket: written directly, since renaming would replace it.
bool is_special(const fs::path& path) {
    struct stat s;
    return ::stat(path.c_str(), &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode);
}

/// Creates an empty file beside `path` whose name nobody else has. Short, so that a long file name stays within the
/// limits.
int open_temporary(const fs::path& path, fs::path& name) {
    static std::atomic<uint32_t> next{0};  // only makes names unique within the process
    for (int attempt = 0; attempt < 100; ++attempt) {
        name = folder_of(path) / (".warpath-" + std::to_string(::getpid()) + "-" + std::to_string(next++) + ".tmp");
        const int fd = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

int write_all(int fd, std::span<const std::string_view> parts) {
    for (const std::string_view part : parts) {
        if (const int error = write_all(fd, part)) return error;
    }
    return 0;
}

void write_special(const fs::path& path, std::span<const std::string_view> parts) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0) fail("cannot open", path, errno);
    if (const int error = write_all(file.get(), parts)) fail("cannot write", path, error);
    if (const int error = file.close()) fail("cannot write", path, error);
}

void check_target(const fs::path& path) {
    struct stat s;
    if (path.empty() || !path.has_filename())
        throw Error(ErrorCode::Io, "'" + path.string() + "' names no output file");
    const fs::path folder = folder_of(path);
    if (::stat(folder.c_str(), &s) != 0) fail("cannot write " + path.string() + ": output folder", folder, errno);
    if (!S_ISDIR(s.st_mode)) fail("cannot write " + path.string() + ": output folder", folder, ENOTDIR);
    if (::stat(path.c_str(), &s) != 0) {
        if (errno != ENOENT) fail("cannot write", path, errno);  // too long a name, for one
        return;
    }
    if (S_ISDIR(s.st_mode))
        throw Error(ErrorCode::Io, "cannot write " + path.string() + ": it is a folder; name a file");
    if (::access(path.c_str(), W_OK) != 0) fail("cannot overwrite", path, errno);
}

}  // namespace

void write_file(const fs::path& given, std::string_view bytes) { write_file(given, std::span(&bytes, 1)); }

void write_file(const fs::path& given, std::span<const std::string_view> parts) {
    const fs::path path = link_target(given);
    check_target(path);
    if (is_special(path)) return write_special(path, parts);
    fs::path name;
    Descriptor file(open_temporary(path, name));
    if (file.get() < 0) fail("cannot create a file in the folder of", path, errno);
    TemporaryFile temporary(name);
    if (const int error = write_all(file.get(), parts)) fail("cannot write", path, error);
    // Without the flush, a crash after the rename could leave the new name with none of the bytes.
    if (::fsync(file.get()) != 0 && errno != EINVAL) fail("cannot write", path, errno);
    if (const int error = file.close()) fail("cannot write", path, error);
    if (const int error = temporary.rename_to(path)) fail("cannot write", path, error);
}

void check_file_writable(const fs::path& given) {
    const fs::path path = link_target(given);
    check_target(path);
    if (is_special(path)) return;
    fs::path name;
    const Descriptor file(open_temporary(path, name));
    if (file.get() < 0) fail("cannot create a file in the folder of", path, errno);
    const TemporaryFile removed_again(name);
}

}  // namespace warpath
