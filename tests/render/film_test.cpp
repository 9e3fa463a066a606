#include "render/film.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "render/frame.h"

namespace warpath::testing {
namespace {

struct PlainContext {
    Counters counters{};
    void count(Counter id, uint32_t n) { counters[static_cast<size_t>(id)] += n; }
    template <class T>
    T add(T* p, T n) {
        const T old = *p;
        *p += n;
        return old;
    }
};

struct SmallFilm {
    std::vector<uint64_t> radiance = std::vector<uint64_t>(6), depth = std::vector<uint64_t>(2), normal = std::vector<uint64_t>(6);
    std::vector<uint32_t> samples = std::vector<uint32_t>(2), bad_pixels = std::vector<uint32_t>(max_bad_pixels), num_bad = std::vector<uint32_t>(1);
    FilmView view(float max_radiance, uint32_t spp) {
        FilmView film{};
        film.radiance = radiance.data(), film.samples = samples.data(), film.bad_pixels = bad_pixels.data(), film.num_bad = num_bad.data();
        film.depth = depth.data(), film.normal = normal.data();
        static_cast<FilmConstants&>(film) = film_constants(max_radiance, 10.0f, spp);
        return film;
    }
};

double mean(uint64_t sum, double scale, double n) { return static_cast<double>(static_cast<int64_t>(sum)) / scale / n; }

TEST(film, sums_do_not_depend_on_the_order) {
    std::mt19937 random(1);
    std::vector<Vec3> samples(1000);
    for (Vec3& s : samples) s = Vec3(std::exp(std::normal_distribution<float>(0, 4)(random)), 1e-6f, -0.25f);
    SmallFilm forward, shuffled;
    PlainContext ctx;
    for (Vec3 s : samples) forward.view(1e4f, 1000).add_sample(ctx, 1, s, 0);
    std::shuffle(samples.begin(), samples.end(), random);
    for (Vec3 s : samples) shuffled.view(1e4f, 1000).add_sample(ctx, 1, s, 0);
    EXPECT_EQ(forward.radiance, shuffled.radiance);
}

TEST(film, rounds_each_sample_to_less_than_a_billionth_of_the_light) {
    SmallFilm film;
    const FilmView view = film.view(1.0f, 65536);
    PlainContext ctx;
    for (int i = 0; i < 1000; ++i) view.add_sample(ctx, 0, Vec3(0.1f, 1e-5f, 3.0f), 0);
    EXPECT_NEAR(mean(film.radiance[0], view.radiance_scale, 1000), 0.1f, 1e-9);
    EXPECT_NEAR(mean(film.radiance[1], view.radiance_scale, 1000), 1e-5f, 1e-9);
    EXPECT_NEAR(mean(film.radiance[2], view.radiance_scale, 1000), 3.0f, 1e-9);
    EXPECT_EQ(film.samples[0], 1000u);
}

TEST(film, cannot_overflow_with_every_sample_at_the_maximum) {
    for (float max_radiance : {1e-20f, 1.0f, 65000.0f, 1e30f})
        for (uint32_t spp : {1u, 3u, 1u << 20}) {
            const FilmConstants c = film_constants(max_radiance, 1.0f, spp);
            EXPECT_GE(c.radiance_max, std::min(1e38f, max_radiance));
            EXPECT_LT(static_cast<double>(c.radiance_max) * c.radiance_scale * spp, 9.2e18) << max_radiance << ", " << spp;
        }
}

TEST(film, clamps_and_counts_what_is_beyond_its_range) {
    SmallFilm film;
    const FilmView view = film.view(1.0f, 4);
    PlainContext ctx;
    view.add_sample(ctx, 0, Vec3(1e30f, 0.0f, 0.0f), 0);
    EXPECT_EQ(ctx.counters[static_cast<size_t>(Counter::ClampedSamples)], 1u);
    EXPECT_FLOAT_EQ(static_cast<float>(mean(film.radiance[0], view.radiance_scale, 1)), view.radiance_max);
}

TEST(film, drops_counts_and_locates_what_is_not_finite) {
    SmallFilm film;
    const FilmView view = film.view(1.0f, 100);
    PlainContext ctx;
    view.add_sample(ctx, 1, Vec3(NAN, 0.0f, 0.0f), 0);
    view.add_sample(ctx, 0, Vec3(0.0f, INFINITY, 0.0f), 0);
    for (int i = 0; i < 50; ++i) view.add_sample(ctx, 1, Vec3(0.0f, 0.0f, -INFINITY), 0);
    EXPECT_EQ(film.num_bad[0], 52u);
    EXPECT_EQ(film.bad_pixels[0], 1u);
    EXPECT_EQ(film.bad_pixels[1], 0u);
    EXPECT_EQ(ctx.counters[static_cast<size_t>(Counter::BadSamples)], 52u);
    EXPECT_EQ(film.radiance, std::vector<uint64_t>(6, 0));
    EXPECT_EQ(film.samples[1], 51u) << "a dropped sample counts, as black";
}

TEST(film, keeps_the_sign_of_normals) {
    SmallFilm film;
    const FilmView view = film.view(1.0f, 2);
    PlainContext ctx;
    view.add_first_hit(ctx, 0, Vec3(0.0f), Vec3(-1.0f, 0.5f, 0.0f), 7.0f);
    EXPECT_EQ(mean(film.normal[0], view.aov_scale, 1), -1.0);
    EXPECT_EQ(mean(film.normal[1], view.aov_scale, 1), 0.5);
    EXPECT_EQ(mean(film.depth[0], view.depth_scale, 1), 7.0);
}

TEST(path_key, covers_every_pixel_and_sample_once) {
    for (auto [width, height] : {std::pair{1u, 1u}, {8u, 4u}, {61u, 35u}, {7u, 3u}, {9u, 5u}, {1u, 100u}, {100u, 1u}, {64u, 64u}}) {
        FrameConstants frame;
        frame.width = width, frame.height = height, frame.spp = 3;
        std::set<std::pair<uint32_t, uint32_t>> seen;
        for (uint64_t i = 0; i < frame.num_paths(); ++i) {
            const PathKey key = path_key(frame, i);
            EXPECT_LT(key.pixel, width * height);
            EXPECT_LT(key.sample, 3u);
            seen.insert({key.pixel, key.sample});
        }
        EXPECT_EQ(seen.size(), frame.num_paths()) << width << "x" << height;
    }
}

TEST(path_key, starts_32_consecutive_paths_in_one_tile) {
    FrameConstants frame;
    frame.width = 64, frame.height = 16, frame.spp = 1;
    for (uint64_t first = 0; first < frame.num_paths(); first += 32) {
        const PathKey corner = path_key(frame, first);
        for (uint64_t i = 0; i < 32; ++i) {
            const PathKey key = path_key(frame, first + i);
            EXPECT_EQ(key.pixel % 64 / 8, corner.pixel % 64 / 8);
            EXPECT_EQ(key.pixel / 64 / 4, corner.pixel / 64 / 4);
        }
    }
}

FilmColumns<HostColumn> two_pixel_film(uint64_t radiance, std::vector<uint32_t> bad) {
    FilmColumns<HostColumn> film;
    film.radiance.assign(6, radiance), film.samples.assign(2, 1), film.depth.assign(2, 5);
    film.num_bad = {static_cast<uint32_t>(bad.size())};
    bad.resize(max_bad_pixels);
    film.bad_pixels = bad;
    return film;
}

TEST(add_film, adds_sums_and_keeps_the_first_bad_pixels_of_both) {
    FilmColumns<HostColumn> sum = two_pixel_film(~0ull, {7, 8});  // -1
    add_film(sum, two_pixel_film(3, {9}));
    EXPECT_EQ(sum.radiance, std::vector<uint64_t>(6, 2));
    EXPECT_EQ(sum.samples, std::vector<uint32_t>(2, 2));
    EXPECT_EQ(sum.depth, std::vector<uint64_t>(2, 10));
    EXPECT_TRUE(sum.albedo.empty());
    EXPECT_EQ(sum.num_bad.front(), 3u);
    EXPECT_EQ((std::vector<uint32_t>(sum.bad_pixels.begin(), sum.bad_pixels.begin() + 3)), (std::vector<uint32_t>{7, 8, 9}));
    add_film(sum, two_pixel_film(0, std::vector<uint32_t>(40, 1)));
    EXPECT_EQ(sum.num_bad.front(), 43u) << "more than are listed";
    add_film(sum, two_pixel_film(0, {2}));
    EXPECT_EQ(sum.bad_pixels[max_bad_pixels - 1], 1u) << "the list is full";
}

}  // namespace
}  // namespace warpath::testing
