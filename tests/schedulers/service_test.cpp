#include <gtest/gtest.h>

#include "schedulers/parts/stall_report.h"
#include "schedulers/resident.h"
#include "support/emulated_backend.h"
#include "support/fake_stages.h"

/// The protocol of the resident service, without a device: tasks are posted before the kernel starts, or by nobody.
namespace warpath::testing {
namespace {

struct Service {
    Service(uint32_t num_groups, uint32_t groups_per_block, uint64_t num_paths, uint64_t seed)
        : backend(4, num_groups, groups_per_block, {.seed = seed}), slots_per_block(23), num_blocks(num_groups / groups_per_block),
          state(num_paths, slots_per_block * num_blocks) {}

    /// Runs the kernel until it leaves.
    void run(uint64_t wait_limit_ns = 20'000'000'000) {
        FakeStages stages{&state, 0, 9};
        stages.num_materials = &num_materials;
        backend.state.wait_limit_ns = wait_limit_ns;
        const ResidentKernel<FakeStages> kernel{stages, {&mail, &words}, wait_limit_ns, num_blocks, slots_per_block, 2};
        const uint32_t groups = static_cast<uint32_t>(backend.limits().max_resident_groups);
        backend.launch("resident", kernel, groups, service_live_words + BlockPool<ResidentKernel<FakeStages>::Rings>::storage_words(slots_per_block));
    }
    void expect_finished(uint64_t first, uint64_t last, uint32_t times) const {
        for (uint64_t path = first; path < last; ++path) ASSERT_EQ(state.finished[path], times) << "path " << path;
    }

    EmulatedBackend backend;
    uint32_t slots_per_block, num_blocks;
    FakeStages::State state;
    std::atomic<uint64_t> num_materials{0};
    ServiceMail mail{};
    ServiceState words{};
    ServiceClient client{&mail};
};

TEST(service, does_every_task_once_and_in_order) {
    for (uint64_t seed : {1, 2, 3, 4, 5})
        for (uint32_t groups_per_block : {1u, 2u}) {
            Service service(4, groups_per_block, 300, seed);
            service.client.post(ServiceTask::Fence);
            service.client.post(ServiceTask::Render, 0, 100);
            service.client.post(ServiceTask::Render, 100, 1);
            service.client.post(ServiceTask::Render, 101, 0);
            service.client.post(ServiceTask::Material, 3);
            *static_cast<uint64_t*>(service.client.payload()) = 5;
            service.client.post(ServiceTask::Constants);
            service.client.post(ServiceTask::Render, 101, 199);
            service.client.post(ServiceTask::Fence);
            service.client.post(ServiceTask::Terminate);
            service.run();
            service.expect_finished(0, 300, 1);
            EXPECT_EQ(service.state.num_errors, 0u);
            EXPECT_EQ(service.num_materials, 1u);
            EXPECT_EQ(service.words.constants[0], 5u);
            EXPECT_EQ(service.client.completed(), service.client.posted());
            EXPECT_TRUE(service.client.ended());
            EXPECT_EQ(service.backend.state.stall, 0u);
        }
}

TEST(service, works_on_the_film_between_frames_with_all_lanes) {
    for (uint64_t seed : {1, 2, 3}) {
        Service service(4, 2, 200, seed);
        constexpr uint32_t num_lanes = 4 * 4;
        std::vector<std::atomic<uint32_t>> marks(num_lanes);
        uint64_t* const payload = static_cast<uint64_t*>(service.client.payload());
        service.client.post(ServiceTask::Render, 0, 100);
        service.client.post(ServiceTask::Clear);
        *payload = reinterpret_cast<uint64_t>(marks.data());
        service.client.post(ServiceTask::Develop);
        service.client.post(ServiceTask::Render, 100, 100);
        service.client.post(ServiceTask::Terminate);
        service.run();
        service.expect_finished(0, 200, 1);
        for (const auto& mark : marks) EXPECT_EQ(mark, 9u) << "max_bounces, once";
        EXPECT_EQ(service.state.num_clears, num_lanes);
        EXPECT_EQ(service.client.completed(), service.client.posted());
        EXPECT_EQ(service.state.num_errors, 0u);
    }
}

TEST(service, tells_constants_only_where_they_are_news) {
    Service service(2, 1, 20, 3);
    ServicePayload words{};
    words[0] = 4;
    service.client.tell_constants(words);
    EXPECT_EQ(service.client.posted(), 0u) << "the kernel was started with these";
    service.client.tell_constants(words);
    EXPECT_EQ(service.client.posted(), 0u);
    words[0] = 6;
    service.client.tell_constants(words);
    EXPECT_EQ(service.client.posted(), 1u);
    service.client.tell_constants(words);
    EXPECT_EQ(service.client.posted(), 1u);
    service.client.post(ServiceTask::Terminate);
    service.run();
    EXPECT_EQ(service.words.constants[0], 6u);
}

TEST(service, goes_on_where_it_was_parked) {
    Service service(4, 2, 150, 7);
    for (int round = 0; round < 3; ++round) {
        service.client.reopen();
        service.client.post(ServiceTask::Render, static_cast<uint64_t>(round) * 50, 50);
        service.client.post(ServiceTask::Terminate);
        service.run();
        EXPECT_EQ(service.client.completed(), service.client.posted());
    }
    service.expect_finished(0, 150, 1);
    EXPECT_EQ(service.state.num_errors, 0u);
}

TEST(service, takes_as_many_tasks_as_the_ring_holds_and_no_more) {
    Service service(2, 1, 1, 9);
    while (service.client.has_room()) service.client.post(service.client.posted() + 1 == service_ring_size ? ServiceTask::Terminate : ServiceTask::Fence);
    EXPECT_EQ(service.client.posted(), service_ring_size);
    service.run();
    EXPECT_EQ(service.client.completed(), service_ring_size);
}

TEST(service, ends_when_the_host_gives_no_sign_of_life) {
    Service service(4, 2, 1, 11);
    service.run(200'000);
    EXPECT_TRUE(service.client.ended());
    EXPECT_EQ(describe_wait(service.backend.state.stall), "the host's heartbeat stood still; ");
}

TEST(service, leaves_when_told_to_abort) {
    Service service(4, 2, 1, 13);
    service.backend.state.stop = static_cast<uint32_t>(StopLevel::Abort);
    service.run();
    EXPECT_TRUE(service.client.ended());
}

}  // namespace
}  // namespace warpath::testing
