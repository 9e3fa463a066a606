#include "warpath/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpath {
namespace {

double figure(const Figures& figures, Figure id) { return figures[static_cast<size_t>(id)]; }

/// Four groups that begin together; the last two end at 60 and 100.
FrameRecord uneven_record() {
    FrameRecord record;
    record.group_size = 32;
    record.groups = {{0, 0, 0, 0, 50, 50, 0, 1}, {0, 1, 0, 0, 50, 40, 10, 1}, {1, 0, 1, 0, 60, 60, 0, 1}, {1, 1, 1, 0, 100, 90, 10, 1}};
    record.busy = {{0, 4}, {50, 2}, {60, 1}, {100, 0}};
    record.span_ns = 100;
    record.frame_ns = 125;
    return record;
}

TEST(figures, simt_efficiency_is_lanes_by_group_steps) {
    Counters counters{};
    counters[static_cast<size_t>(Counter::NodeSteps)] = 320;
    counters[static_cast<size_t>(Counter::NodeGroupSteps)] = 20;
    counters[static_cast<size_t>(Counter::ShadeItems)] = 24;
    counters[static_cast<size_t>(Counter::ShadeBatches)] = 3;
    const Figures figures = derive_figures(counters, uneven_record());
    EXPECT_DOUBLE_EQ(figure(figures, Figure::NodeEfficiency), 0.5);
    EXPECT_DOUBLE_EQ(figure(figures, Figure::ShadeEfficiency), 0.25);
    EXPECT_DOUBLE_EQ(figure(figures, Figure::TriangleEfficiency), 1.0) << "nothing ran";
}

TEST(figures, imbalance_and_tail_come_from_the_groups) {
    const Figures figures = derive_figures({}, uneven_record());
    EXPECT_DOUBLE_EQ(figure(figures, Figure::Imbalance), 90.0 / 60 - 1);
    EXPECT_DOUBLE_EQ(figure(figures, Figure::BusyVariation), std::sqrt((100.0 + 400 + 0 + 900) / 4) / 60);
    EXPECT_DOUBLE_EQ(figure(figures, Figure::IdleShare), 20.0 / 260);
    EXPECT_DOUBLE_EQ(figure(figures, Figure::Tail), 50);
    EXPECT_DOUBLE_EQ(figure(figures, Figure::TailShare), 0.5);
}

TEST(figures, under_90_and_50_percent_come_from_the_busy_steps) {
    FrameRecord record = uneven_record();
    Figures figures = derive_figures({}, record);
    EXPECT_DOUBLE_EQ(figure(figures, Figure::Under90), 0.5);
    EXPECT_DOUBLE_EQ(figure(figures, Figure::Under50), 0.4) << "exactly half is not under";
    record.busy = {{0, 2}, {10, 4}, {90, 3}};  // a step never closed lasts to the end
    figures = derive_figures({}, record);
    EXPECT_DOUBLE_EQ(figure(figures, Figure::Under90), 0.2);
    EXPECT_DOUBLE_EQ(figure(figures, Figure::Under50), 0.0);
}

TEST(figures, launch_overhead_is_the_frame_without_kernels) {
    FrameRecord record = uneven_record();
    record.gap_ns = 25;
    Counters counters{};
    counters[static_cast<size_t>(Counter::LaunchTime)] = 5;
    counters[static_cast<size_t>(Counter::WaitTime)] = 100;
    const Figures figures = derive_figures(counters, record);
    EXPECT_DOUBLE_EQ(figure(figures, Figure::LaunchOverhead), (125.0 - 75) / 125);
    EXPECT_DOUBLE_EQ(figure(figures, Figure::HostLaunchShare), 0.04);
    EXPECT_DOUBLE_EQ(figure(figures, Figure::HostWaitShare), 0.8);
}

TEST(figures, of_an_empty_record_are_finite) {
    for (double value : derive_figures({}, {})) EXPECT_TRUE(std::isfinite(value));
}

}  // namespace
}  // namespace warpath
