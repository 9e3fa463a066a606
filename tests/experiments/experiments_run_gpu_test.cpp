#include "run_experiments.h"
#include "support/render_image.h"

namespace warpath::experiments {
namespace {

using testing::cuda_device_answers;

TEST(experiments_run_gpu, every_experiment_with_kernels_of_its_own_runs) {
    WARPATH_SKIP_WITHOUT_GPU();
    const std::vector<std::string> names = {"empty-stages", "imbalance",  "replay",   "launch-cost", "dispatch-latency",
                                            "contention",   "transfer", "starvation", "roofline", "fusion"};
    const ExperimentRows rows = run_experiments("cuda", names, 120);
    EXPECT_TRUE(rows.succeeded);
    EXPECT_EQ(rows.failures, "");
    for (const std::string& name : names) {
        EXPECT_EQ(rows.done.count(name), 1u) << name << (rows.skipped.count(name) ? ": " + rows.skipped.at(name) : "");
        EXPECT_GT(rows.results.count(name) ? rows.results.at(name) : 0u, 1u) << name;
    }
}

}  // namespace
}  // namespace warpath::experiments
