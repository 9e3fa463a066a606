#include <gtest/gtest.h>

#include "support/live_frames.h"

/// Live frames on the CPU, and what needs no device.
namespace warpath::testing {
namespace {

RenderOptions live_options() {
    RenderOptions options = small_frame("cpu");
    options.width = 33, options.height = 21;
    options.max_depth = 6;
    return options;
}

TEST(live_frame, keeps_its_picture_over_switches_of_the_scheduler) { expect_switches_to_keep_the_picture(live_options()); }
TEST(live_frame, that_is_edited_equals_a_scene_loaded_so) { expect_edits_to_equal_loading(live_options()); }
TEST(live_frame, whose_camera_moves_equals_a_scene_loaded_so) { expect_cameras_to_equal_loading(live_options()); }
TEST(live_frame, develops_the_bytes_of_a_png) { expect_develop_to_equal_png(live_options()); }
TEST(live_frame, keeps_the_cost_that_is_asked_for) { expect_costs_to_be_the_counters(live_options()); }
TEST(live_frame, restarts_where_the_picture_changes) { expect_restarts_where_the_picture_changes(live_options()); }
TEST(live_frame, that_was_dropped_begins_anew) { expect_drop_to_leave_a_frame_usable(live_options()); }
TEST(live_frame, that_was_stopped_goes_on) { expect_stop_to_leave_a_frame_usable(live_options()); }
TEST(live_frame, takes_turns_with_another) { expect_two_frames_to_take_turns(live_options()); }

TEST(live_frame, adds_no_more_samples_than_its_film_has_room_for) {
    RenderOptions options = live_options();
    options.width = options.height = 1;
    options.max_depth = 0;
    const LoadedScene scene = load_shipped_scene("triangle.obj");
    LiveFrame frame = Renderer(scene, options).prepare_live(options);
    EXPECT_EQ(frame.max_samples(), 65536u);
    frame.add_samples(65000);
    EXPECT_EQ(frame.add_samples(1000).num_samples, 536u);
    EXPECT_EQ(frame.add_samples(1000).num_samples, 0u);
    EXPECT_EQ(frame.num_samples(), 65536u);
    EXPECT_EQ(first_difference(rendered(scene, options, 65536), frame.result().image), "");
}

TEST(live_frame, picks_what_the_middle_of_a_pixel_sees) {
    EditableScene files;
    RenderOptions options = live_options();
    const LoadedScene scene = files.load();
    LiveFrame frame = Renderer(scene, options).prepare_live(options);
    const CameraOption camera = scene.info().camera;  // looks along -z from (0, 1, 4.05)
    const double half = std::tan(camera.vfov_deg * 3.14159265358979 / 360.0), step = 2.0 * half / options.height;
    const auto direction = [&](uint32_t x, uint32_t y) {
        return std::array<double, 3>{(x + 0.5 - 0.5 * options.width) * step, (0.5 * options.height - y - 0.5) * step, -1.0};
    };
    // Column 16 is the middle; row 20 meets the floor y = 0 in front of the block, row 0 the ceiling or the back wall.
    const auto low = direction(16, 20);
    const double t = (0.0 - camera.eye[1]) / low[1];
    const std::optional<Pick> floor = frame.pick(16, 20);
    ASSERT_TRUE(floor);
    EXPECT_EQ(floor->object_name, "floor");
    EXPECT_EQ(floor->material_name, "white");
    EXPECT_EQ(floor->material, material_named(scene, "white"));
    EXPECT_NEAR(floor->position[0], t * low[0], 1e-4);
    EXPECT_NEAR(floor->position[1], 0.0, 1e-5);
    EXPECT_NEAR(floor->position[2], camera.eye[2] - t, 1e-4);
    EXPECT_NEAR(floor->view_distance, t, 1e-4);
    EXPECT_NEAR(floor->distance, t * std::sqrt(low[0] * low[0] + low[1] * low[1] + 1.0), 1e-4);
    EXPECT_EQ(floor->normal, (std::array<float, 3>{0, 1, 0}));

    const CameraOption away{{0, 1, 4}, {0, 1, 8}, {0, 1, 0}, 30.0f};
    frame.set_camera(away);
    EXPECT_FALSE(frame.pick(16, 10));
    EXPECT_THROW(frame.pick(33, 0), Error);
    EXPECT_THROW(frame.pick(0, 21), Error);
}

TEST(live_frame, picks_through_what_is_mostly_transparent) {
    EditableScene files;
    const LoadedScene scene = files.load();
    RenderOptions options = live_options();
    LiveFrame frame = Renderer(scene, options).prepare_live(options);
    frame.set_camera({{-0.7f, 1.5f, 4}, {-0.7f, 1.5f, 0}, {0, 1, 0}, 5.0f});
    ASSERT_TRUE(frame.pick(16, 10));
    EXPECT_EQ(frame.pick(16, 10)->object_name, "pane") << "half is enough";
    const uint32_t pane = material_named(scene, "pane");
    MaterialParameters parameters = frame.material(pane);
    parameters.alpha = 0.25f;
    frame.set_material(pane, parameters);
    ASSERT_TRUE(frame.pick(16, 10));
    EXPECT_EQ(frame.pick(16, 10)->object_name, "back wall");
}

TEST(live_frame, refuses_what_cannot_be_changed_live) {
    EditableScene files;
    const LoadedScene scene = files.load();
    RenderOptions options = live_options();
    const Renderer renderer(scene, options);
    LiveFrame frame = renderer.prepare_live(options);
    EXPECT_THROW(frame.result(), Error);
    frame.add_samples(2);
    const uint64_t before = frame.film_checksum();

    const auto refuses = [&](uint32_t material, const auto& change) {
        MaterialParameters parameters = frame.material(material);
        change(parameters);
        EXPECT_THROW(frame.set_material(material, parameters), Error);
    };
    const uint32_t white = material_named(scene, "white"), pane = material_named(scene, "pane");
    refuses(white, [](auto& p) { p.roughness = std::nanf(""); });
    refuses(white, [](auto& p) { p.emission[1] = -1; });
    EXPECT_THROW(frame.set_material(1000, {}), Error);
    EXPECT_THROW(frame.material(1000), Error);
    EXPECT_THROW(frame.set_environment(std::nanf(""), 1), Error);
    EXPECT_THROW(frame.set_environment(0, -1), Error);
    EXPECT_THROW(frame.set_camera({{0, 0, 0}, {0, 0, 0}, {0, 1, 0}, 40}), Error);
    options.num_threads = 7;
    EXPECT_THROW(frame.set_options(options), Error);
    EXPECT_EQ(frame.num_samples(), 2u);
    EXPECT_EQ(frame.film_checksum(), before);
    EXPECT_TRUE(scene.materials()[pane].may_be_transparent);
    EXPECT_FALSE(scene.materials()[white].may_be_transparent);

    options = live_options(), options.aovs = {};
    frame.set_options(options);
    std::vector<uint8_t> bytes(4 * 33 * 21);
    EXPECT_THROW(frame.develop({DisplayLayer::Albedo}, bytes.data()), Error);
    EXPECT_THROW(frame.develop({DisplayLayer::Color, ToneCurve::Filmic, std::nanf("")}, bytes.data()), Error);
    frame.develop({DisplayLayer::Samples, {}, 0, 0, 1}, bytes.data());
    options.aovs = {"bounces"};
    frame.set_options(options);
    frame.develop({DisplayLayer::Bounces, {}, 0, 0, 1}, bytes.data());
    EXPECT_THROW(frame.develop({DisplayLayer::NodeSteps, {}, 0, 0, 1}, bytes.data()), Error);
    options.aovs = {"bounces", "node-steps"};  // the film has room for one
    EXPECT_THROW(frame.set_options(options), Error);

    options.devices = {0, 0};
    EXPECT_THROW(Renderer(scene, options).prepare_live(options), Error);
}

TEST(live_frame, refuses_to_make_an_opaque_material_transparent) {
    EditableScene files;
    const LoadedScene scene = files.load([](nlohmann::json& json) {
        for (nlohmann::json& material : json["materials"])
            if (material["name"] == "pane") material["alpha"] = 1;
    });
    LiveFrame frame = Renderer(scene, live_options()).prepare_live(live_options());
    const uint32_t pane = material_named(scene, "pane");
    EXPECT_FALSE(scene.materials()[pane].may_be_transparent);
    MaterialParameters parameters = frame.material(pane);
    parameters.alpha = 0.5f;
    EXPECT_THROW(frame.set_material(pane, parameters), Error);
    EXPECT_EQ(frame.material(pane).alpha, 1.0f);
}

TEST(live_frame, without_an_environment_has_none_to_turn) {
    EditableScene files;
    const LoadedScene scene = files.load([](nlohmann::json& json) { json.erase("environment"); });
    LiveFrame frame = Renderer(scene, live_options()).prepare_live(live_options());
    EXPECT_THROW(frame.set_environment(10, 1), Error);
}

TEST(scene, lists_its_materials) {
    const LoadedScene scene = load_shipped_scene("cornell.json");
    const std::vector<MaterialInfo> materials = scene.materials();
    ASSERT_EQ(materials.size(), scene.info().num_materials);
    const MaterialInfo& metal = materials[material_named(scene, "brushed metal")];
    EXPECT_EQ(metal.parameters.metallic, 1.0f);
    EXPECT_EQ(metal.parameters.roughness, 0.16f);
    EXPECT_EQ(metal.parameters.base_color, (std::array<float, 3>{0.96f, 0.93f, 0.87f}));
    EXPECT_EQ(metal.alpha_mode, "opaque");
    EXPECT_TRUE(metal.textured.empty());
}

}  // namespace
}  // namespace warpath::testing
