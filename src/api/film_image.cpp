#include "api/film_image.h"

#include <algorithm>
#include <array>
#include <future>
#include <thread>

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
constexpr uint64_t hash_begin = 0xcbf29ce484222325ull;
constexpr uint64_t hash_step(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x100000001b3ull;
    return hash << 29 | hash >> 35;
}

/// A block's words in chains that do not wait for each other; word i belongs to chain i % num_chains.
template <class T>
uint64_t hash_block(const T* words, size_t size) {
    constexpr size_t num_chains = 8;
    std::array<uint64_t, num_chains> chains;
    for (size_t c = 0; c < num_chains; ++c) chains[c] = hash_begin + c;
    size_t i = 0;
    for (; i + num_chains <= size; i += num_chains)
        for (size_t c = 0; c < num_chains; ++c) chains[c] = hash_step(chains[c], words[i + c]);
    for (size_t c = 0; i + c < size; ++c) chains[c] = hash_step(chains[c], words[i + c]);
    uint64_t hash = hash_step(hash_begin, size);
    for (const uint64_t chain : chains) hash = hash_step(hash, chain);
    return hash;
}

/// The hash of the hashes of blocks of a size that is always the same, so that the number of threads changes nothing.
template <class T>
uint64_t hash_words(uint64_t hash, const std::vector<T>& words, size_t most_threads) {
    constexpr size_t block_size = 1 << 16;
    std::vector<uint64_t> blocks((words.size() + block_size - 1) / block_size);
    const auto hash_some = [&](size_t first, size_t step) {
        for (size_t b = first; b < blocks.size(); b += step)
            blocks[b] = hash_block(words.data() + b * block_size, std::min(block_size, words.size() - b * block_size));
    };
    const size_t num_threads = std::min(most_threads, blocks.size() / 4);  // fewer blocks are hashed before a thread has started
    std::vector<std::future<void>> others;  // by a policy that goes on without a thread where there is none to be had
    for (size_t t = 1; t < num_threads; ++t) others.push_back(std::async(std::launch::async | std::launch::deferred, hash_some, t, num_threads));
    hash_some(0, std::max<size_t>(1, num_threads));
    for (std::future<void>& other : others) other.get();
    for (const uint64_t block : blocks) hash = hash_step(hash, block);
    return hash_step(hash, words.size());
}

}  // namespace

uint64_t film_hash(const FilmColumns<HostColumn>& film, uint32_t num_threads) {
    const size_t threads = num_threads ? num_threads : std::min(8u, std::thread::hardware_concurrency());
    return hash_words(hash_words(hash_begin, film.radiance, threads), film.samples, threads);
}

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
