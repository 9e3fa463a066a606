#pragma once

#include <chrono>
#include <string>

#include "warpath/renderer.h"

namespace warpath::cli {

/// Shows the memory plan and how far the render is: a bar that stays in place on a terminal, else a line every few
/// seconds.
class ProgressReport : public OutputTarget {
  public:
    /// spp: what was asked for. quiet: shows nothing.
    ProgressReport(uint32_t spp, bool quiet);
    ~ProgressReport() override;
    void plan(const std::string& text) override;
    void progress(const Progress& progress) override;
    /// Removes the bar, so that the next line starts on a clean row.
    void finish();

  private:
    uint32_t spp_;
    bool quiet_, on_terminal_, bar_shown_ = false;
    double next_line_s_;
};

/// "27/64 spp  42 %  12.3 Mrays/s  elapsed 0:12  remaining 0:17". Remaining time supposes that all paths cost alike.
std::string progress_text(const Progress& progress, uint32_t spp);

/// "[=====>    ] " + text, at most `num_columns` wide.
std::string progress_bar(double fraction, const std::string& text, size_t num_columns);

/// "1:05" or "2:03:04".
std::string duration_text(double seconds);

}  // namespace warpath::cli
