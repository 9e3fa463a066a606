#pragma once

#include "backends/render_backend.h"
#include "warpath/image.h"

namespace warpath {

/// The image of a film: each pixel's sums divided by its own number of finished samples. A pixel without any sample is 0.
Image film_image(const RenderJob& job, const FilmColumns<HostColumn>& film, const std::vector<std::string>& aovs);

/// Equal films, equal hashes, whatever made them; films that differ in one word never have the same. `num_threads` changes only how long it takes; 0: up to 8.
uint64_t film_hash(const FilmColumns<HostColumn>& film, uint32_t num_threads = 0);

}  // namespace warpath
