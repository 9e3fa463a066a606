#include <nlohmann/json.hpp>

#include "cli/run_program.h"
#include "warpath/statistics.h"

namespace warpath {
namespace {

using test::contains;
using test::LampFolder;
using test::RunResult;
using Json = nlohmann::json;

TEST(statistics, stats_prints_every_counter_and_figure) {
    const LampFolder folder;
    const RunResult run = folder.render("-o out.png --size 8x8 --spp 1 --stats");
    ASSERT_EQ(run.status, 0) << run.err;
    for (const CounterInfo& info : counter_infos) EXPECT_TRUE(contains(run.err, std::string(info.name) + " ")) << info.name;
    for (const CounterInfo& info : figure_infos) EXPECT_TRUE(contains(run.err, std::string(info.name) + " ")) << info.name;
}

TEST(statistics, json_has_figures_and_times_of_groups) {
    const LampFolder folder;
    ASSERT_EQ(folder.render("-o out.png --size 8x8 --spp 1 --stats --json run.json --threads 2").status, 0);
    const Json json = Json::parse(test::file_bytes(folder / "run.json"));
    EXPECT_EQ(json["figures"].size(), num_figures);
    EXPECT_EQ(json["counters"]["GroupRuns"], json["group_times"]["by_place"]["runs"].size()) << "one resident group a thread";
    EXPECT_EQ(json["group_times"]["by_sm"]["sm"].size(), 1u);
}

TEST(statistics, trace_is_a_file_that_parses) {
    const LampFolder folder;
    const RunResult run = folder.render("-o out.png --size 8x8 --spp 1 --trace trace.json");
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(contains(run.err, "wrote trace.json")) << run.err;
    EXPECT_GT(Json::parse(test::file_bytes(folder / "trace.json"))["traceEvents"].size(), 4u);
}

TEST(statistics, wrong_trace_flags_are_refused_before_rendering) {
    const LampFolder folder;
    EXPECT_EQ(folder.render("-o out.png --size 8x8 --spp 1 --trace nowhere/trace.json").status, 1);
    EXPECT_NE(folder.render("-o out.png --size 8x8 --spp 1 --trace-events 5").status, 0);
    EXPECT_NE(folder.render("-o out.png --size 8x8 --spp 1 --trace t.json --trace-events 0").status, 0);
    EXPECT_NE(folder.render("-o out.png --size 8x8 --spp 1 --trace t.json --json t.json").status, 0);
    EXPECT_FALSE(std::filesystem::exists(folder / "out.png"));
}

}  // namespace
}  // namespace warpath
