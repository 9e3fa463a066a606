#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "viewer/pass_sample.h"

namespace warpath::viewer {

/// Numbers of passes, kept until they are written.
class Recording {
  public:
    static constexpr size_t capacity = 1000000;

    void add(const PassSample& sample) {
        if (samples_.size() < capacity) samples_.push_back(sample);
    }
    void clear() { samples_.clear(); }
    size_t size() const { return samples_.size(); }

    /// A line for each pass, below one of column names.
    std::string csv() const;
    /// The same with what it was recorded on, and the median of each number by scheduler with its confidence interval.
    std::string json(const std::string& scene, const std::string& device) const;
    /// Writes by extension: .csv or .json.
    /// Errors:  BadOption for another extension; Io.
    void write(const std::filesystem::path& path, const std::string& scene, const std::string& device) const;

  private:
    std::vector<PassSample> samples_;
};

}  // namespace warpath::viewer
