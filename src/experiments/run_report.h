#pragma once

#include <filesystem>

namespace warpath::experiments {

/// Makes `folder`/report.html with scripts/report, if that, Python and its plotting library are here; says on stderr where the page is, or why there is
/// none. Gives up after `limit_s`.
void run_report(const std::filesystem::path& folder, double limit_s);

}  // namespace warpath::experiments
