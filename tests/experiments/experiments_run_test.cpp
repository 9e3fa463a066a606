#include "run_experiments.h"

namespace warpath::experiments {
namespace {

TEST(experiments_run, those_that_make_sense_run_on_the_cpu) {
    const std::vector<std::string> names = {"empty-stages", "imbalance", "replay", "contention", "traversal"};
    const ExperimentRows rows = run_experiments("cpu", names, 240);
    EXPECT_TRUE(rows.succeeded);
    EXPECT_EQ(rows.failures, "");
    for (const std::string& name : names) {
        EXPECT_EQ(rows.done.count(name), 1u) << name;
        EXPECT_GT(rows.results.count(name) ? rows.results.at(name) : 0u, 1u) << name;
    }
}

TEST(experiments_run, the_rest_say_why_they_do_not) {
    const std::vector<std::string> names = {"launch-cost", "dispatch-latency", "transfer", "starvation", "roofline", "fusion"};
    const ExperimentRows rows = run_experiments("cpu", names, 5);
    EXPECT_TRUE(rows.succeeded);
    for (const std::string& name : names) {
        ASSERT_EQ(rows.skipped.count(name), 1u) << name;
        EXPECT_NE(rows.skipped.at(name).find("needs a CUDA device"), std::string::npos) << rows.skipped.at(name);
    }
}

}  // namespace
}  // namespace warpath::experiments
