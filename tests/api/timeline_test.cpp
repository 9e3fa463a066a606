#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "support/render_image.h"

/// Timelines and group records of real frames on the CPU, for every scheduler that runs there; `resident` keeps no timeline.
namespace warpath::testing {
namespace {

using Json = nlohmann::json;

RenderOptions traced_frame(const std::string& scheduler) {
    RenderOptions options = small_frame("cpu");
    options.num_threads = 2;
    options.scheduler = scheduler;
    options.timeline = true;
    options.timeline_events = 200000;
    return options;
}

uint64_t counter(const RenderResult& result, Counter id) { return result.counters[static_cast<size_t>(id)]; }

/// Events of a track in the order of the file: each begins where the one before ended, or later, or lies within an earlier one that goes on.
void expect_nested(const std::vector<Json>& events, const std::string& track) {
    std::vector<std::pair<double, double>> open;
    std::vector<Json> sorted = events;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Json& a, const Json& b) {
        const double x = a["ts"], y = b["ts"];
        return x != y ? x < y : a["dur"].get<double>() > b["dur"].get<double>();
    });
    for (const Json& event : sorted) {
        const double begin = event["ts"], end = begin + event["dur"].get<double>();
        ASSERT_GE(event["dur"].get<double>(), 0.0);
        while (!open.empty() && open.back().second <= begin + 1e-4) open.pop_back();
        if (!open.empty()) {
            ASSERT_LE(end, open.back().second + 1e-4) << track << ": " << event;
        }
        open.push_back({begin, end});
    }
}

class TimelineOf : public ::testing::TestWithParam<std::string> {};

TEST_P(TimelineOf, a_frame_is_a_trace_whose_events_nest_and_add_up) {
    const RenderResult result = render_quietly(load_shipped_scene("cornell.json"), traced_frame(GetParam()));
    ASSERT_TRUE(result.timeline.has_value());
    EXPECT_EQ(result.timeline->num_dropped_batches, 0u);
    const Json json = Json::parse(chrome_trace(*result.timeline));
    EXPECT_EQ(json["otherData"]["dropped_batches"], 0);
    std::map<std::string, std::vector<Json>> tracks;
    std::map<std::string, uint64_t> items;
    size_t num_depths = 0;
    for (const Json& event : json["traceEvents"]) {
        if (event["ph"] == "C") ++num_depths;
        if (event["ph"] != "X") continue;
        tracks[event["pid"].dump() + "/" + event["tid"].dump()].push_back(event);
        if (event["args"].contains("items")) items[event["name"]] += event["args"]["items"].get<uint64_t>();
    }
    for (const auto& [track, events] : tracks) expect_nested(events, track);
    EXPECT_GE(tracks.size(), 2u) << "the host, and a thread or two";
    EXPECT_EQ(items["generate"], counter(result, Counter::GenerateItems));
    EXPECT_EQ(items["intersect"], counter(result, Counter::IntersectItems));
    EXPECT_EQ(items["shade"], counter(result, Counter::ShadeItems));
    EXPECT_EQ(items["occlude"], counter(result, Counter::OccludeItems));
    const bool has_queues = GetParam().find("megakernel") == std::string::npos;
    EXPECT_EQ(num_depths > 0, has_queues);
}

void expect_groups_to_account_for_the_frame(const RenderResult& result) {
    const FrameRecord& record = result.record;
    ASSERT_GE(record.groups.size(), 1u);
    EXPECT_LE(record.groups.size(), 2u);
    uint64_t busy = 0, idle = 0;
    for (const GroupTimes& group : record.groups) {
        EXPECT_LE(group.first_work_ns, group.last_work_ns);
        EXPECT_LE(group.last_work_ns, record.span_ns);
        EXPECT_LE(group.busy_ns + group.idle_ns, record.span_ns);
        busy += group.busy_ns, idle += group.idle_ns;
    }
    EXPECT_EQ(busy, counter(result, Counter::BusyTime));
    EXPECT_EQ(idle, counter(result, Counter::IdleTime));
    EXPECT_LE(record.gap_ns, record.span_ns);
    EXPECT_LE(record.span_ns, record.frame_ns);
    ASSERT_FALSE(record.busy.empty());
    EXPECT_EQ(record.busy.back().num_busy, 0u) << "whoever became busy has stopped";
    for (double value : result.figures) EXPECT_GE(value, 0.0);
}

TEST_P(TimelineOf, group_records_account_for_the_frame) {
    RenderOptions options = traced_frame(GetParam());
    options.timeline = false;
    const RenderResult result = render_quietly(load_shipped_scene("cornell.json"), options);
    EXPECT_FALSE(result.timeline.has_value());
    expect_groups_to_account_for_the_frame(result);
    EXPECT_EQ(counter(result, Counter::Launches), result.num_launches);
    EXPECT_EQ(counter(result, Counter::NodeGroupSteps), counter(result, Counter::NodeSteps)) << "one lane";
}

std::vector<std::string> cpu_schedulers() {
    std::vector<std::string> names;
    for (const SchedulerInfo& scheduler : list_schedulers())
        if (scheduler.on_cpu && scheduler.name != "resident") names.push_back(scheduler.name);
    return names;
}
INSTANTIATE_TEST_SUITE_P(schedulers, TimelineOf, ::testing::ValuesIn(cpu_schedulers()), [](const auto& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(timeline, of_a_kernel_that_stays_has_the_hosts_calls_alone) {
    const RenderResult result = render_quietly(load_shipped_scene("cornell.json"), traced_frame("resident"));
    EXPECT_TRUE(result.timeline->batches.empty());
    EXPECT_FALSE(result.timeline->host_calls.empty());
    EXPECT_GT(counter(result, Counter::NodeGroupSteps), 0u);
}

/// Each frame is a task of its own in the groups' accounts, whatever ran before it.
TEST(frame_record, of_a_kernel_that_stays_is_that_of_the_task) {
    RenderOptions options = traced_frame("resident");
    options.timeline = false;
    PreparedFrame frame = Renderer(load_shipped_scene("cornell.json"), options).prepare(options);
    for (int run = 0; run < 3; ++run) {
        frame.run();
        const RenderResult result = frame.result();
        expect_groups_to_account_for_the_frame(result);
        for (const GroupTimes& group : result.record.groups) EXPECT_EQ(group.num_runs, 1u);
    }
}

TEST(timeline, that_is_full_says_how_much_it_dropped) {
    RenderOptions options = traced_frame("persistent");
    options.timeline_events = 10;
    const RenderResult result = render_quietly(load_shipped_scene("cornell.json"), options);
    EXPECT_GT(result.timeline->num_dropped_batches, 0u);
    EXPECT_LE(result.timeline->batches.size() + result.timeline->depths.size(), 20u);
    EXPECT_TRUE(std::any_of(result.warnings.begin(), result.warnings.end(),
                            [](const std::string& text) { return text.find("--trace-events") != std::string::npos; }));
}

TEST(chrome_trace, escapes_names_and_keeps_nanoseconds) {
    Timeline timeline;
    timeline.device = "a \"device\"";
    timeline.host_calls = {{"say \"hi\"\n", "launch", -1500, 1234567, 7}};
    const Json json = Json::parse(chrome_trace(timeline));
    const Json& event = json["traceEvents"].back();
    EXPECT_EQ(event["name"], "say \"hi\"\n");
    EXPECT_DOUBLE_EQ(event["ts"], -1.5);
    EXPECT_DOUBLE_EQ(event["dur"], 1236.067);
    EXPECT_EQ(event["args"]["bytes"], 7);
    EXPECT_EQ(json["otherData"]["device"], "a \"device\"");
}

}  // namespace
}  // namespace warpath::testing
