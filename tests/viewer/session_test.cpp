// What the window wants and knows, without a window.
#include "viewer/session.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "support/temporary_folder.h"
#include "warpath/error.h"
#include "warpath/image.h"

namespace warpath::viewer {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Where pictures go until the device is lost.
class LosingStore : public HostStore {
  public:
    explicit LosingStore(const std::atomic<bool>& lost) : lost_(lost) {}
    void write(int slot, const std::vector<LiveFrame*>& frames, const DevelopOptions& develop, Picture& picture) override {
        if (lost_) throw Error(ErrorCode::Device, "the device is lost");
        HostStore::write(slot, frames, develop, picture);
    }

  private:
    const std::atomic<bool>& lost_;
};

class SessionTest : public testing::Test {
  protected:
    static ViewOptions options() {
        ViewOptions options;
        options.render.backend = "cpu";
        options.render.num_threads = 2;
        options.film = Size{16, 12};
        options.max_depth = 3;
        return options;
    }
    /// Turns the session until something holds; false after twenty seconds.
    bool run_until(const std::function<bool()>& holds) {
        const Clock::time_point limit = Clock::now() + std::chrono::seconds(20);
        while (Clock::now() < limit) {
            session.update(seconds_since(start), {16, 12});
            if (const auto next = session.render.pictures().take()) session.picture = next->second;
            if (holds()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return false;
    }
    bool run_until_samples(uint32_t n) {
        run_until([] { return true; });  // posts what was changed
        return run_until([&] { return session.is_settled() && session.picture.num_samples >= n; });
    }
    void open_triangle() {
        session.open(WARPATH_SOURCE_DIR "/scenes/triangle.obj");
        ASSERT_TRUE(run_until_samples(1));
    }

    Clock::time_point start = Clock::now();
    std::atomic<bool> is_lost{false};
    Session session{options(), std::make_unique<LosingStore>(is_lost), [] {}};
};

TEST_F(SessionTest, only_what_is_visible_begins_the_picture_anew) {
    open_triangle();
    ASSERT_TRUE(run_until_samples(50));
    session.perform(Action::FlipScheduler);
    session.perform(Action::Brighter);
    session.schedule.batch = 7;
    session.samples_per_pass = 3;
    ASSERT_TRUE(run_until_samples(1));
    EXPECT_GE(session.picture.num_samples, 50u);
    EXPECT_NE(session.scheduler, "auto");
    session.paused = true;
    session.scene.camera.orbit(0.3f, 0);
    ASSERT_TRUE(run_until_samples(1));
    EXPECT_LT(session.picture.num_samples, 50u);
}

TEST_F(SessionTest, a_view_that_stands_still_is_shown_less_often_than_it_is_rendered) {
    open_triangle();
    ASSERT_TRUE(run_until_samples(100));
    const uint64_t first = session.num_passes;
    const Clock::time_point began = Clock::now();
    uint32_t shown = session.picture.num_samples;
    size_t num_pictures = 0;
    ASSERT_TRUE(run_until([&] {
        if (session.picture.num_samples != shown) ++num_pictures, shown = session.picture.num_samples;
        return session.num_passes >= first + 1000;
    }));
    // An eighth more samples each: 21 times until there are eleven times as many; and ten a second.
    EXPECT_LT(static_cast<double>(num_pictures), 40 + 15 * seconds_since(began));
    EXPECT_GE(num_pictures, 3u);
}

TEST_F(SessionTest, a_scheduler_runs_with_the_next_frame) {
    open_triangle();
    for (const SchedulerInfo& info : session.schedulers) {
        session.choose_scheduler(info.name);
        run_until([] { return true; });
        EXPECT_TRUE(run_until([&] { return session.is_settled() && session.picture.scheduler == info.name; })) << info.name;
    }
    EXPECT_GE(session.schedulers.size(), 5u);
    EXPECT_THROW(session.choose_scheduler("fastest"), Error);
}

TEST_F(SessionTest, a_switch_between_slow_schedulers_starts_coarse) {
    open_triangle();
    const auto switch_to = [&](size_t index) {
        session.choose_scheduler(session.schedulers.at(index).name);
        run_until([] { return true; });
    };
    session.frame_budget_ms = 1e9f;
    switch_to(1);
    EXPECT_FALSE(session.is_moving()) << "a pass fits the budget";
    ASSERT_TRUE(run_until_samples(1));
    session.frame_budget_ms = 1e-9f;
    switch_to(0);
    EXPECT_TRUE(session.is_moving());
    ASSERT_TRUE(run_until_samples(1)) << "at full size again";
    session.dynamic_resolution = false;
    switch_to(1);
    EXPECT_FALSE(session.is_moving());
}

TEST_F(SessionTest, a_limit_of_samples_is_kept) {
    open_triangle();
    ++session.restarts;
    session.sample_limit = 10, session.samples_per_pass = 4;
    ASSERT_TRUE(run_until_samples(10));
    EXPECT_EQ(session.picture.num_samples, 10u);
}

TEST_F(SessionTest, a_scene_that_fails_leaves_the_one_before) {
    open_triangle();
    session.open("missing.obj");
    ASSERT_TRUE(run_until([&] { return !session.messages.empty() && session.messages.back().is_error; }));
    EXPECT_NE(session.messages.back().text.find("missing.obj"), std::string::npos);
    EXPECT_EQ(session.scene.path.filename(), "triangle.obj");
    EXPECT_TRUE(run_until_samples(1));
}

TEST_F(SessionTest, a_lost_device_is_a_sentence_and_the_next_scene_may_have_another) {
    open_triangle();
    const uint64_t shown = session.picture.num_passes;
    is_lost = true;
    ++session.restarts;
    ASSERT_TRUE(run_until([&] { return !session.messages.empty() && session.messages.back().is_error; }));
    EXPECT_NE(session.messages.back().text.find("the device is lost"), std::string::npos);
    EXPECT_EQ(session.messages.size(), 1u);
    EXPECT_GE(session.picture.num_passes, shown);  // the picture stays
    EXPECT_EQ(session.picture.width, 16u);
    is_lost = false;
    open_triangle();
    EXPECT_EQ(session.scene.number, 2u);
}

TEST_F(SessionTest, what_is_saved_while_the_camera_moves_is_whole) {
    session.options.film = Size{200, 150};
    open_triangle();
    const test::TemporaryFolder folder;
    for (uint64_t i = 0; i < 15; ++i) {
        ASSERT_TRUE(run_until_samples(3));
        session.scene.camera.orbit(0.1f, 0);  // gives up the pass under way, which only refines what is shown
        run_until([] { return true; });
        const std::filesystem::path path = folder.path() / (std::to_string(i) + ".exr");
        session.save(path);
        ASSERT_TRUE(run_until([&] { return session.num_saved == i + 1; }));
        ASSERT_TRUE(std::filesystem::exists(path)) << (session.messages.empty() ? "" : session.messages.back().text);
        const Image saved = read_image(path);
        LoadOptions load;
        load.camera = session.scene.camera.camera();
        RenderOptions render = options().render;
        render.width = 200, render.height = 150, render.max_depth = 3;
        render.spp = static_cast<uint32_t>(std::stoul(saved.attributes.at("samples_per_pixel")));
        OutputTarget target;
        const Image whole = warpath::render(LoadedScene::load(WARPATH_SOURCE_DIR "/scenes/triangle.obj", load), render, target).image;
        for (size_t c = 0; c < 3; ++c) ASSERT_EQ(saved.channels[c].values, whole.channels[c].values) << i;
    }
}

TEST_F(SessionTest, picking_names_the_surface) {
    open_triangle();
    session.pick(0.5f, 0.5f, PickPurpose::Material);
    ASSERT_TRUE(run_until([&] { return session.selection.has_value() || !session.messages.empty(); }));
    if (session.selection) {
        EXPECT_LT(session.selection->material, session.scene.materials.size());
    }
}

TEST_F(SessionTest, closing_takes_less_than_a_second_while_a_pass_renders) {
    open_triangle();
    session.options.film = Size{3000, 3000};
    run_until([] { return true; });
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_TRUE(session.close(5));  // a second on a machine that does nothing else
}

TEST_F(SessionTest, no_place_for_the_picture_is_no_pixel) {
    session.options.film.reset();
    open_triangle();
    run_until([&] { return session.update(seconds_since(start), {0, 0}), true; });
    session.update(seconds_since(start), {0, 0});
    EXPECT_TRUE(run_until([&] { return session.picture.width > 0; }));
}

}  // namespace
}  // namespace warpath::viewer
