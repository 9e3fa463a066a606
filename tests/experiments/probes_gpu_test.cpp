#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "experiments/contention_probe.h"
#include "experiments/dispatch_probe.h"
#include "experiments/launch_probe.h"
#include "experiments/roofline_probe.h"
#include "experiments/starvation_probe.h"
#include "experiments/transfer_probe.h"
#include "experiments/waiting_probe.h"
#include "support/render_image.h"

/// Every probe, small: what it measures is there, and what it promises about it holds.
namespace warpath::experiments {
namespace {

using testing::cuda_device_answers;

TEST(launch_probe_gpu, every_launch_takes_time) {
    WARPATH_SKIP_WITHOUT_GPU();
    const auto probe = make_launch_probe(0);
    std::vector<double> second;
    const std::vector<double> first = probe->first_launches_us(second);
    ASSERT_EQ(first.size(), second.size());
    EXPECT_GT(*std::min_element(second.begin(), second.end()), 0);
    for (const uint32_t bytes : LaunchProbe::parameter_sizes) EXPECT_GT(probe->call_us(bytes, 4), 0);
    for (const HostWait wait : {HostWait::Stream, HostWait::Event, HostWait::BlockingEvent, HostWait::Device, HostWait::Query})
        EXPECT_GT(probe->round_trip_us(132, 128, wait), 0);
    EXPECT_GT(probe->stream_us(), 0);
    for (const bool one_by_one : {false, true}) EXPECT_GT(probe->chain_us(4, one_by_one), 0);
    EXPECT_GE(probe->streams_us(1, 8, 20), 150) << "8 kernels of 20 us in a row";
    for (const LaunchStyle style : {LaunchStyle::WaitForEach, LaunchStyle::GraphForEach, LaunchStyle::Ahead, LaunchStyle::Graph, LaunchStyle::Fused})
        EXPECT_GE(probe->iteration_us(style, 50, 4), 45) << launch_style_names[static_cast<int>(style)] << ": no iteration is shorter than its kernel";
}

TEST(dispatch_probe_gpu, every_request_is_answered) {
    WARPATH_SKIP_WITHOUT_GPU();
    const auto probe = make_dispatch_probe(0);
    for (const bool graph : {false, true}) EXPECT_EQ(probe->launches_us(graph, 10, 5).size(), 10u);
    for (const uint32_t pollers : {1u, 33u})
        for (const uint32_t pause_ns : {0u, 500u}) {
            for (const bool own_lines : {false, true}) EXPECT_EQ(probe->host_queue_us({pollers, pause_ns, own_lines}, 500, 5).size(), 500u);
            EXPECT_EQ(probe->device_queue_ns({pollers, pause_ns}, 500, 5).size(), 500u);
        }
    const DispatchProbe::Pollers resting{.num = 1, .pause_ns = 20'000, .backs_off = true, .rest_us = 100};
    EXPECT_EQ(probe->host_queue_us(resting, 500, 5).size(), 500u);
    EXPECT_EQ(probe->device_queue_ns(resting, 500, 5).size(), 500u);
}

TEST(waiting_probe_gpu, longer_pauses_are_fewer_looks_and_fewer_warps_look_less) {
    WARPATH_SKIP_WITHOUT_GPU();
    const auto probe = make_waiting_probe(0);
    const auto looks = [&](bool every_warp, uint32_t longest_pause_ns) {
        probe->begin({every_warp, longest_pause_ns});
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return probe->end();
    };
    const uint64_t eager = looks(false, 0), resting = looks(false, 64'000);
    EXPECT_GT(resting, 0u);
    EXPECT_GT(eager, 10 * resting);
    EXPECT_GT(looks(true, 64'000), 4 * resting) << "16 warps of a block look, not one";
}

TEST(contention_probe_gpu, every_item_is_handed_out_once) {
    WARPATH_SKIP_WITHOUT_GPU();
    const auto probe = make_contention_probe(0);
    for (const GrabLevel level : {GrabLevel::Lane, GrabLevel::Warp, GrabLevel::Block})
        for (const GrabSource source : {GrabSource::OneCounter, GrabSource::PerSm, GrabSource::Donation})
            for (const uint32_t batch : {1u, 33u, 1024u})
                for (const uint32_t blocks : {1u, 32u})
                    for (const uint64_t items : {0u, 1u, 1000u, 300'000u})
                        EXPECT_TRUE(probe->hand_out({level, source}, batch, blocks, items).correct(items))
                            << static_cast<int>(level) << ", " << static_cast<int>(source) << ", batch " << batch << ", blocks " << blocks << ", items " << items;
}

TEST(transfer_probe_gpu, every_byte_arrives) {
    WARPATH_SKIP_WITHOUT_GPU();
    const auto probe = make_transfer_probe(0);
    for (const TransferWay way : {TransferWay::Pageable, TransferWay::Pinned, TransferWay::Mapped, TransferWay::Pieces})
        for (const bool to_device : {true, false}) EXPECT_GT(probe->copy_us(way, to_device, 1 << 20), 0);
    EXPECT_GT(probe->overlap(1 << 20).both_us, 0);
}

TEST(starvation_probe_gpu, measures_against_starvation_serve_every_request) {
    WARPATH_SKIP_WITHOUT_GPU();
    const auto probe = make_starvation_probe(0);
    for (const SecondWorkload workload : {SecondWorkload::SmallKernel, SecondWorkload::ToneMapping, SecondWorkload::Copies}) {
        const char* name = second_workload_names[static_cast<int>(workload)];
        for (const Occupant occupant : {Occupant::None, Occupant::FewerBlocks, Occupant::GreenContext, Occupant::Parked}) {
            if (occupant == Occupant::GreenContext && !probe->why_no_green_contexts().empty()) continue;
            const Requests requests = probe->beside_occupant(occupant, workload, 0.02);
            EXPECT_EQ(requests.num_unserved, 0u) << name << ", " << occupant_names[static_cast<int>(occupant)];
            EXPECT_GT(requests.latency_us.size(), 2u);
        }
        const bool needs_room = workload != SecondWorkload::Copies;
        EXPECT_EQ(probe->beside_occupant(Occupant::Full, workload, 0.02).num_unserved, needs_room ? 1u : 0u)
            << name << ": kernels find no room beside one that holds all multiprocessors, copies need none";
        EXPECT_EQ(probe->beside_others(workload, 0.01, true).num_unserved, 0u);
        probe->settle();
    }
}

TEST(roofline_probe_gpu, ceilings_are_in_order) {
    WARPATH_SKIP_WITHOUT_GPU();
    const auto probe = make_roofline_probe(0);
    EXPECT_GT(probe->measure(Ceiling::Fma), 0);
    EXPECT_GT(probe->measure(Ceiling::L2Bytes), probe->measure(Ceiling::DramBytes));
    EXPECT_GT(probe->measure(Ceiling::L2Fetches), probe->measure(Ceiling::DramFetches));
}

}  // namespace
}  // namespace warpath::experiments
