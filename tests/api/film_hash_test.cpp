#include <gtest/gtest.h>

#include <set>

#include "api/film_image.h"

namespace warpath {
namespace {

/// A film larger than what one thread hashes at a time, with an end that is no whole number of anything.
FilmColumns<HostColumn> film_of(size_t pixels) {
    FilmColumns<HostColumn> film;
    for (size_t i = 0; i < 3 * pixels; ++i) film.radiance.push_back(i * 0x9e3779b97f4a7c15ull);
    film.samples.assign(pixels, 4);
    return film;
}

TEST(film_hash, is_the_same_for_any_number_of_threads) {
    const FilmColumns<HostColumn> film = film_of(400'003);
    for (const uint32_t threads : {0u, 2u, 3u, 16u}) EXPECT_EQ(film_hash(film, threads), film_hash(film, 1)) << threads;
}

TEST(film_hash, changes_with_every_word_and_its_place) {
    FilmColumns<HostColumn> film = film_of(100'001);
    std::set<uint64_t> hashes{film_hash(film)};
    for (const size_t i : {size_t{0}, size_t{7}, size_t{8}, size_t{65'535}, size_t{65'536}, film.radiance.size() - 1}) {
        film.radiance[i] ^= 1;
        EXPECT_TRUE(hashes.insert(film_hash(film)).second) << "word " << i;
        film.radiance[i] ^= 1;
    }
    std::swap(film.radiance[3], film.radiance[11]);  // of one chain
    EXPECT_TRUE(hashes.insert(film_hash(film)).second);
    std::swap(film.radiance[3], film.radiance[11]);
    ++film.samples.back();
    EXPECT_TRUE(hashes.insert(film_hash(film)).second);
    film.samples.pop_back();
    EXPECT_TRUE(hashes.insert(film_hash(film)).second);
}

TEST(film_hash, of_films_of_other_sizes_differs) {
    std::set<uint64_t> hashes;
    for (const size_t pixels : {0u, 1u, 2u, 8u, 9u}) {
        FilmColumns<HostColumn> film;
        film.radiance.assign(3 * pixels, 0), film.samples.assign(pixels, 0);
        EXPECT_TRUE(hashes.insert(film_hash(film)).second) << pixels;
    }
}

}  // namespace
}  // namespace warpath
