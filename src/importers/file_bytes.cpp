#include "importers/file_bytes.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "warpath/error.h"

namespace warpath {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& why) {
    throw Error(ErrorCode::Io, "cannot read '" + path.string() + "': " + why);
}

struct CloseFile {
    void operator()(std::FILE* f) const { std::fclose(f); }
};

}  // namespace

std::string read_file_bytes(const std::filesystem::path& path) {
    std::error_code ec;
    const auto status = std::filesystem::status(path, ec);
    if (status.type() == std::filesystem::file_type::not_found) fail(path, "there is no such file");
    if (ec) fail(path, ec.message());
    if (std::filesystem::is_directory(status)) fail(path, "it is a directory, not a file");
    // A pipe or a device could block or never end; only regular files have a size to trust.
    if (!std::filesystem::is_regular_file(status)) fail(path, "it is not a regular file");
    std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
    if (!file) fail(path, std::strerror(errno));
    std::string bytes(std::filesystem::file_size(path, ec), '\0');
    const size_t num_read = std::fread(bytes.data(), 1, bytes.size(), file.get());
    if (std::ferror(file.get())) fail(path, std::strerror(errno));
    bytes.resize(num_read);
    return bytes;
}

}  // namespace warpath
