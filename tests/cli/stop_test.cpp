#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/run_program.h"
#include "warpath/image.h"

namespace warpath {
namespace {

using test::LampFolder;
using test::Program;
using test::RunResult;

/// Hours of work, were it not stopped.
std::vector<std::string> endless_render() {
    return test::words(
        "render lamp.obj -o out.exr --backend cpu --camera 0,0,4/0,0,0/0,1,0/40 --size 512x512 --spp 16777216 --aov "
        "samples --json run.json");
}

class stop : public testing::TestWithParam<int> {};

TEST_P(stop, writes_an_unbiased_picture_of_the_samples_so_far) {
    const LampFolder folder;
    Program program(folder.path(), endless_render());
    ASSERT_TRUE(program.wait_until_rendering());
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    program.send(GetParam());
    const RunResult run = program.wait();
    EXPECT_EQ(run.status, 130) << run.err;
    const Image image = read_image(folder / "out.exr");
    const std::vector<float>&samples = image.find("samples.Y")->values, &radiance = image.find("R")->values;
    for (size_t i = 0; i < samples.size(); ++i)
        ASSERT_NEAR(radiance[i], samples[i] > 0 ? 1.0f : 0.0f, 1e-5f) << "pixel " << i;
    const auto json = nlohmann::json::parse(test::file_bytes(folder / "run.json"));
    EXPECT_EQ(json["stopped"], true);
    EXPECT_EQ(json["samples"].get<double>(), std::accumulate(samples.begin(), samples.end(), 0.0));
    EXPECT_LT(json["samples_per_pixel"].get<double>(), 16777216.0);
    EXPECT_NE(run.err.find("stopped after"), std::string::npos) << run.err;
}

INSTANTIATE_TEST_SUITE_P(first_signal, stop, testing::Values(SIGINT, SIGTERM));

TEST(second_stop, ends_at_once_without_a_picture) {
    const LampFolder folder;
    Program program(folder.path(), endless_render());
    ASSERT_TRUE(program.wait_until_rendering());
    // Two kinds, since two pending signals of one kind would be delivered as one.
    program.send(SIGTERM), program.send(SIGINT);
    EXPECT_EQ(program.wait().status, 130);
    EXPECT_FALSE(std::filesystem::exists(folder / "out.exr"));
    EXPECT_EQ(folder.num_entries(), 2u);  // the scene's own files
}

}  // namespace
}  // namespace warpath
