#include <gtest/gtest.h>

#include "support/render_image.h"
#include "synthetic_work.h"

namespace warpath::experiments {
namespace {

using testing::cuda_device_answers;

TEST(synthetic_gpu, every_scheduler_ends_each_path_once) {
    WARPATH_SKIP_WITHOUT_GPU();
    const auto device = make_cuda_synthetic_device(0);
    for (const uint64_t num_paths : {1u, 33u, 200'000u}) {
        SyntheticWork work;
        work.stream = mixed_stream(num_paths);
        work.state_words = 2;
        work.shade_spins.fill(1);
        expect_each_path_once(*device, work);
    }
    SyntheticWork empty;
    empty.num_paths = 100'000, empty.rays_per_path = 8;
    expect_each_path_once(*device, empty);
}

TEST(synthetic_gpu, no_scheduler_beats_the_bound) {
    WARPATH_SKIP_WITHOUT_GPU();
    const auto device = make_cuda_synthetic_device(0);
    expect_bound_holds(*device, 100'000, 256, 16);
}

}  // namespace
}  // namespace warpath::experiments
