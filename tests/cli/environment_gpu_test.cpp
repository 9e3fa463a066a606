#include <cstdlib>

#include "cli/run_program.h"
#include "support/render_image.h"

/// Settings of the CUDA runtime that change when launches return and when kernels are loaded. A kernel that stays must not be waited for.
namespace warpath::test {
namespace {

/// A variable of the environment that programs started meanwhile inherit.
class Setting {
  public:
    Setting(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
    ~Setting() { unsetenv(name_); }
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;

  private:
    const char* name_;
};

/// Renders the lamp with a scheduler, which may bring flags, into SCHEDULER.pfm.
RunResult render(const LampFolder& folder, const std::string& scheduler) {
    return run_program(folder.path(), words("render lamp.obj --backend cuda --camera 0,0,4/0,0,0/0,1,0/40 --size 40x30 --spp 4 --watchdog 5 -o " +
                                            words(scheduler).front() + ".pfm --scheduler " + scheduler));
}

TEST(environment_gpu, launches_that_wait_for_the_kernel_change_no_image_and_resident_says_why_it_cannot) {
    WARPATH_SKIP_WITHOUT_GPU();
    const LampFolder folder;
    ASSERT_EQ(render(folder, "megakernel").status, 0);
    const std::string reference = file_bytes(folder.path() / "megakernel.pfm");
    const Setting setting("CUDA_LAUNCH_BLOCKING", "1");
    for (const SchedulerInfo& scheduler : testing::schedulers_of("cuda")) {
        const RunResult result = render(folder, scheduler.name);
        if (scheduler.name == "resident") {
            EXPECT_EQ(result.status, 1);
            EXPECT_TRUE(contains(result.err, "CUDA_LAUNCH_BLOCKING=1")) << result.err;
            continue;
        }
        EXPECT_EQ(result.status, 0) << scheduler.name << ": " << result.err;
        EXPECT_EQ(file_bytes(folder.path() / (scheduler.name + ".pfm")), reference) << scheduler.name;
    }
}

TEST(environment_gpu, kernels_may_be_loaded_when_first_used_or_at_once) {
    WARPATH_SKIP_WITHOUT_GPU();
    const LampFolder folder;
    ASSERT_EQ(render(folder, "megakernel").status, 0);
    const std::string reference = file_bytes(folder.path() / "megakernel.pfm");
    for (const char* loading : {"LAZY", "EAGER"}) {
        const Setting setting("CUDA_MODULE_LOADING", loading);
        for (const char* scheduler : {"persistent", "resident", "hybrid", "launch"}) {
            const RunResult result = render(folder, scheduler);
            EXPECT_EQ(result.status, 0) << scheduler << ", " << loading << ": " << result.err;
            EXPECT_EQ(file_bytes(folder.path() / (std::string(scheduler) + ".pfm")), reference) << scheduler << ", " << loading;
        }
    }
}

TEST(environment_gpu, multiprocessors_can_be_left_to_others) {
    WARPATH_SKIP_WITHOUT_GPU();
    const LampFolder folder;
    ASSERT_EQ(render(folder, "megakernel").status, 0);
    const std::string reference = file_bytes(folder.path() / "megakernel.pfm");
    for (const std::string scheduler : {"persistent", "resident --reserve-sms 16", "resident --reserve-sms 1000", "persistent --reserve-sms 40"}) {
        const RunResult result = render(folder, scheduler);
        EXPECT_EQ(result.status, 0) << scheduler << ": " << result.err;
        const std::string name = words(scheduler).front() + ".pfm";
        EXPECT_EQ(file_bytes(folder.path() / name), reference) << scheduler;
    }
}

}  // namespace
}  // namespace warpath::test
