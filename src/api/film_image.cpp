#include "api/film_image.h"

#include <algorithm>

namespace warpath {

namespace {

/// Channels of interleaved fixed-point sums, `names.size()` of them per pixel.
void add_channels(Image& image, const std::vector<std::string>& names, const std::vector<uint64_t>& sums, double scale,
                  const std::vector<uint32_t>& samples) {
    for (size_t c = 0; c < names.size(); ++c) {
        Image::Channel channel{names[c], std::vector<float>(samples.size())};
        for (size_t i = 0; i < samples.size(); ++i) {
            const double sum = static_cast<double>(static_cast<int64_t>(sums[i * names.size() + c])) / scale;
            channel.values[i] = samples[i] ? static_cast<float>(sum / samples[i]) : 0.0f;
        }
        image.channels.push_back(std::move(channel));
    }
}

}  // namespace

Image film_image(const RenderJob& job, const FilmColumns<HostColumn>& film, const std::vector<std::string>& aovs) {
    const auto wants = [&](const char* name) { return std::find(aovs.begin(), aovs.end(), name) != aovs.end(); };
    Image image;
    image.width = job.frame.width;
    image.height = job.frame.height;
    add_channels(image, {"R", "G", "B"}, film.radiance, job.film.radiance_scale, film.samples);
    if (wants("albedo")) add_channels(image, {"albedo.R", "albedo.G", "albedo.B"}, film.albedo, job.film.aov_scale, film.samples);
    if (wants("normal")) add_channels(image, {"normal.X", "normal.Y", "normal.Z"}, film.normal, job.film.aov_scale, film.samples);
    if (wants("depth")) add_channels(image, {"depth.Z"}, film.depth, job.film.depth_scale, film.samples);
    if (wants("cost")) add_channels(image, {"cost.Y"}, film.cost, 1.0, film.samples);
    if (wants("samples")) {
        Image::Channel channel{"samples.Y", std::vector<float>(film.samples.begin(), film.samples.end())};
        image.channels.push_back(std::move(channel));
    }
    return image;
}

}  // namespace warpath
