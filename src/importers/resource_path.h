#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpath {

/// Where a file is that another file names: `\` counts as `/`, quotes around the name are dropped, and a relative name
/// counts from the folder of `naming_file`. Where no such file exists, two repairs are tried, each with a warning: the
/// same path in other letter case, and the bare file name beside `naming_file` (absolute paths of another machine). The
/// result may still not exist; opening it reports that.
std::filesystem::path resolve_resource(const std::filesystem::path& naming_file, std::string name,
                                       std::vector<std::string>& warnings);

}  // namespace warpath
