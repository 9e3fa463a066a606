#include "experiments/rows.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "warpath/error.h"

namespace warpath::experiments {
namespace {

[[noreturn]] void fail(const std::string& what, const std::filesystem::path& path) {
    throw Error(ErrorCode::Io, what + " " + path.string() + ": " + std::strerror(errno));
}

std::string name_of(const std::string& experiment, const Json& cell, const Json& variant) {
    return experiment + "\n" + cell.dump() + "\n" + variant.dump();
}

void check_row(const Json& row) {
    if (!row.is_object() || !row.contains("kind")) throw std::invalid_argument("it is no row");
    const std::string kind = row["kind"];
    if (kind != "sample" && kind != "result") return;
    for (const char* member : {"experiment", "cell", "variant"})
        if (!row.contains(member)) throw std::invalid_argument(std::string("it has no ") + member);
    if (kind == "sample" && !row["value"].is_number()) throw std::invalid_argument("its value is no number");
}

}  // namespace

RowFile::RowFile(std::filesystem::path path, bool resume) : path_(std::move(path)) {
    std::error_code ignored;
    if (!resume && std::filesystem::is_regular_file(path_, ignored) && std::filesystem::file_size(path_, ignored) > 0)
        throw Error(ErrorCode::BadOption, path_.string() + " holds rows of an earlier run; add --resume to go on with it, or name another folder with --out");
    if (resume) read();
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail("cannot write", path_);
}

RowFile::~RowFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void RowFile::read() {
    std::ifstream file(path_, std::ios::binary);
    if (!file) return;  // nothing to go on with: start
    std::uintmax_t whole = 0;
    size_t number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (file.eof()) break;  // no newline: cut off while it was written
        try {
            Json row = Json::parse(line);
            check_row(row);
            take(std::move(row));
        } catch (const std::exception& e) {
            throw Error(ErrorCode::BadInput, path_.string() + ":" + std::to_string(number) + ": this line is damaged (" + e.what() +
                                                 "); remove it, or start in another folder");
        }
        whole += line.size() + 1;
    }
    file.close();
    if (::truncate(path_.c_str(), static_cast<off_t>(whole)) != 0) fail("cannot cut the unfinished last line off", path_);
}

void RowFile::append(const Json& row) {
    const std::string line = row.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    std::string_view rest = line;
    while (!rest.empty()) {
        const ssize_t n = ::write(descriptor_, rest.data(), rest.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) fail("cannot write", path_);
        rest.remove_prefix(static_cast<size_t>(n));
    }
    take(row);
}

void RowFile::take(Json row) {
    const std::string kind = row["kind"];
    if (kind == "sample" || kind == "result") {
        Named& named = named_[name_of(row["experiment"], row["cell"], row["variant"])];
        if (kind == "result")
            named.result = rows_.size();
        else
            named.samples.push_back(rows_.size());
    }
    rows_.push_back(std::move(row));
}

const RowFile::Named* RowFile::named(const RowKey& key) const {
    const auto found = named_.find(name_of(key.experiment, key.cell, key.variant));
    return found == named_.end() ? nullptr : &found->second;
}

void RowFile::flush() { ::fdatasync(descriptor_); }

const Json* RowFile::result(const RowKey& key) const {
    const Named* rows = named(key);
    return rows && rows->result ? &rows_[*rows->result] : nullptr;
}

bool RowFile::is_complete(const RowKey& key) const {
    const Json* row = result(key);
    return row && row->value("complete", false);
}

std::vector<SampleRow> RowFile::samples(const RowKey& key) const {
    std::vector<SampleRow> samples;
    const Named* rows = named(key);
    if (!rows) return samples;
    for (const size_t index : rows->samples) {
        const Json& row = rows_[index];
        SampleRow& sample = samples.emplace_back();
        sample.value = row["value"];
        sample.throttled = row.value("throttled", false);
        if (row.contains("image")) sample.image = std::strtoull(row["image"].get<std::string>().c_str(), nullptr, 16);
    }
    return samples;
}

std::string hexadecimal(uint64_t value) {
    char text[20];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
    return text;
}

uint64_t hash_of(std::string_view text) {
    uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    return hash;
}

}  // namespace warpath::experiments
