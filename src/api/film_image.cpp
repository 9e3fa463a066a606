#include "api/film_image.h"

#include <algorithm>

namespace warpath {

namespace {

/// Channels of interleaved fixed-point sums, `names.size()` of them per pixel.
void add_channels(Image& image, const std::vector<std::string>& names, const std::vector<uint64_t>& sums, double scale,
                  const std::vector<uint32_t>& samples) {
    for (size_t c = 0; c < names.size(); ++c) {
        Image::Channel channel{names[c], std::vector<float>(samples.size())};
        for (size_t i = 0; i < samples.size(); ++i) channel.values[i] = film_mean(sums[i * names.size() + c], scale, samples[i]);
        image.channels.push_back(std::move(channel));
    }
}

/// FNV-1a over 64-bit words instead of bytes: each step is a bijection of the state, so two films that differ in one
/// word never collide. Source:  Fowler, Noll and Vo, "The FNV Non-Cryptographic Hash Algorithm", IETF draft, with a
/// rotation so that high bits reach low ones.
template <class T>
uint64_t hash_words(uint64_t hash, const std::vector<T>& words) {
    for (const T word : words) {
        hash = (hash ^ word) * 0x100000001b3ull;
        hash = hash << 29 | hash >> 35;
    }
    return hash;
}

}  // namespace

uint64_t film_hash(const FilmColumns<HostColumn>& film) { return hash_words(hash_words(0xcbf29ce484222325ull, film.radiance), film.samples); }

Image film_image(const RenderJob& job, const FilmColumns<HostColumn>& film, const std::vector<std::string>& aovs) {
    const auto wants = [&](const char* name) { return std::find(aovs.begin(), aovs.end(), name) != aovs.end(); };
    Image image;
    image.width = job.frame.width;
    image.height = job.frame.height;
    add_channels(image, {"R", "G", "B"}, film.radiance, job.film.radiance_scale, film.samples);
    if (wants("albedo")) add_channels(image, {"albedo.R", "albedo.G", "albedo.B"}, film.albedo, job.film.aov_scale, film.samples);
    if (wants("normal")) add_channels(image, {"normal.X", "normal.Y", "normal.Z"}, film.normal, job.film.aov_scale, film.samples);
    if (wants("depth")) add_channels(image, {"depth.Z"}, film.depth, job.film.depth_scale, film.samples);
    for (const char* cost : {"cost", "node-steps", "triangle-tests", "bounces"})
        if (wants(cost)) add_channels(image, {std::string(cost) + ".Y"}, film.cost, 1.0, film.samples);
    if (wants("samples")) {
        Image::Channel channel{"samples.Y", std::vector<float>(film.samples.begin(), film.samples.end())};
        image.channels.push_back(std::move(channel));
    }
    return image;
}

}  // namespace warpath
