#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "experiments/json.h"

namespace warpath::experiments {

/// Which measurement a row belongs to.
struct RowKey {
    std::string experiment;
    Json cell, variant;
};

/// One timed run, as a row of kind "sample" holds it.
struct SampleRow {
    double value = 0;
    bool throttled = false;
    std::optional<uint64_t> image;
};

/// A file of rows, one JSON object a line, that grows by whole lines: each row is in the file when `append` returns, so that neither a crash nor
/// a signal loses one. docs/experiments.md describes the rows.
class RowFile {
  public:
    /// Opens or makes `path`. Rows that are there already are read when `resume` is set; a last line that was cut off is removed.
    /// Errors:  BadOption where there are rows and `resume` is not set; BadInput naming the line for a damaged row; Io.
    RowFile(std::filesystem::path path, bool resume);
    RowFile(const RowFile&) = delete;
    RowFile& operator=(const RowFile&) = delete;
    ~RowFile();

    /// Errors:  Io.
    void append(const Json& row);
    /// Waits until the rows so far are on the disk.
    void flush();

    const std::filesystem::path& path() const { return path_; }
    /// All rows, those of this session included, in the order of the file.
    const std::vector<Json>& rows() const { return rows_; }
    /// The last row of kind "result" of a measurement; null if there is none. Valid until the next `append`.
    const Json* result(const RowKey& key) const;
    /// Whether that one is marked complete: `--resume` leaves such a measurement alone.
    bool is_complete(const RowKey& key) const;
    /// Runs kept from a session that ended before their measurement was complete.
    std::vector<SampleRow> samples(const RowKey& key) const;

  private:
    /// Rows of one name, by their position in rows_.
    struct Named {
        std::optional<size_t> result;
        std::vector<size_t> samples;
    };
    void read();
    void take(Json row);
    const Named* named(const RowKey& key) const;

    std::filesystem::path path_;
    std::vector<Json> rows_;
    std::unordered_map<std::string, Named> named_;  ///< there are many rows, and each variant asks for its own
    int descriptor_ = -1;
};

/// "00f3...": 16 digits.
std::string hexadecimal(uint64_t value);
/// A number from a text, the same everywhere: seeds that belong to a name.
uint64_t hash_of(std::string_view text);

}  // namespace warpath::experiments
