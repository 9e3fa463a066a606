#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpath::cli {

/// Film and image of that size: exact sums and sample counts while rendering, floats at the end, layers included.
uint64_t film_bytes(uint64_t width, uint64_t height, const std::vector<std::string>& aovs);

/// Bytes in the largest binary unit, such as "3.5 MiB".
std::string bytes_text(uint64_t size_bytes);

/// Refuses a film of more than 2^31 pixels, or one that takes more than 80 % of this machine's memory.
/// Errors:  BadOption with the bytes it would take.
void check_film_size(uint32_t width, uint32_t height, const std::vector<std::string>& aovs);

}  // namespace warpath::cli
