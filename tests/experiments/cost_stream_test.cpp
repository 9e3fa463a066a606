#include "experiments/cost_stream.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary_folder.h"
#include "warpath/error.h"

namespace warpath::experiments {
namespace {

CostStream small_stream() {
    CostStream stream;
    stream.first_ray = {0, 1, 4};
    stream.rays = {pack_ray(false, 3, 17), pack_ray(false, 0, 5), pack_ray(true, 0, 2), pack_ray(false, 15, max_ray_steps)};
    return stream;
}

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void expect_refused(const std::filesystem::path& path, const std::string& bytes, const std::string& why) {
    std::ofstream(path, std::ios::binary) << bytes;
    try {
        read_stream(path);
        ADD_FAILURE() << "accepted: " << why;
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::BadInput);
        EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
    }
}

TEST(ray_cost, keeps_what_was_packed) {
    for (const bool shadow : {false, true})
        for (const uint32_t shading : {0u, 7u, num_shading_classes - 1})
            for (const uint32_t steps : {0u, 1u, max_ray_steps}) {
                const uint32_t ray = pack_ray(shadow, shading, steps);
                EXPECT_EQ(is_shadow_ray(ray), shadow);
                EXPECT_EQ(class_of_ray(ray), shading);
                EXPECT_EQ(steps_of_ray(ray), steps);
            }
}

TEST(cost_stream, sums_up_its_rays) {
    const CostStream stream = small_stream();
    EXPECT_EQ(stream.num_paths(), 2u);
    EXPECT_EQ(stream.path_steps(0), 17u);
    EXPECT_EQ(stream.path_steps(1), 7u + max_ray_steps);
    EXPECT_EQ(stream.total_steps(), 24u + max_ray_steps);
    EXPECT_EQ(stream.longest_path_steps(), 7u + max_ray_steps);
    EXPECT_EQ(stream.most_bounces(), 2u);
}

TEST(cost_stream, a_file_gives_back_the_stream_it_was_written_from) {
    const test::TemporaryFolder folder;
    const auto path = folder / "a.cost";
    write_stream(path, small_stream());
    EXPECT_TRUE(read_stream(path) == small_stream());
}

TEST(cost_stream, a_damaged_file_is_refused) {
    const test::TemporaryFolder folder;
    const auto path = folder / "a.cost";
    write_stream(path, small_stream());
    const std::string good = bytes_of(path);
    for (const size_t size : {good.size() - 1, good.size() - 8, size_t{20}, size_t{0}})
        expect_refused(path, good.substr(0, size), size >= 32 ? "cut short" : "not a recorded cost stream");
    for (size_t i = 32; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ 0x40);
        expect_refused(path, bad, "checksum");
    }
    for (size_t i = 16; i < 32; ++i) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ 0x40);
        expect_refused(path, bad, "numbers of paths and rays");
    }
    EXPECT_THROW(read_stream(folder / "missing.cost"), Error);
}

TEST(cost_stream, a_stream_that_no_path_could_have_made_is_refused) {
    const test::TemporaryFolder folder;
    const auto path = folder / "a.cost";
    const auto refused = [&](auto change) {
        CostStream stream = small_stream();
        change(stream);
        write_stream(path, stream);
        EXPECT_THROW(read_stream(path), Error);
    };
    refused([](CostStream& s) { s.first_ray[1] = 0; });
    refused([](CostStream& s) { s.first_ray[1] = 9; });
    refused([](CostStream& s) { s.first_ray[2] = 3; });
    refused([](CostStream& s) { s.rays[1] = pack_ray(true, 0, 1); });
    refused([](CostStream& s) { s.rays[3] = pack_ray(true, 0, 1); });
}

}  // namespace
}  // namespace warpath::experiments
