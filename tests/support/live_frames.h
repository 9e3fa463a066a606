#pragma once

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "support/render_image.h"
#include "support/temporary_folder.h"
#include "warpath/live_frame.h"

/// What live frames promise, on any backend: whatever is changed and however it is scheduled, the picture is the one that rendering the changed scene
/// from the start gives.
namespace warpath::testing {

/// A Cornell box whose front is open to a small sky, in a file of its own; `edit` changes the JSON before it is loaded.
class EditableScene {
  public:
    template <class Edit>
    LoadedScene load(const Edit& edit) {
        const std::filesystem::path sky = folder_ / "sky.hdr";
        if (!std::filesystem::exists(sky)) write_image(make_sky(), sky);
        std::ifstream shipped(std::string(WARPATH_SOURCE_DIR) + "/scenes/cornell.json");
        nlohmann::json scene = nlohmann::json::parse(shipped);
        scene["environment"] = {{"map", "sky.hdr"}, {"rotation_deg", 30}};
        scene["materials"].push_back({{"name", "pane"}, {"base_color", 0.9}, {"alpha", 0.5}, {"alpha_mode", "blend"}});
        scene["shapes"].push_back({{"type", "quad"},
                                   {"name", "pane"},
                                   {"material", "pane"},
                                   {"corners", {{-1.0, 1.2, 0.9}, {-0.4, 1.2, 0.9}, {-0.4, 1.8, 0.9}, {-1.0, 1.8, 0.9}}}});
        edit(scene);
        return LoadedScene::load(folder_.write("scene" + std::to_string(next_++) + ".json", scene.dump()));
    }
    LoadedScene load() {
        return load([](nlohmann::json&) {});
    }

  private:
    static Image make_sky() {
        Image image;
        image.width = 16, image.height = 8;
        for (const char* name : {"R", "G", "B"}) {
            image.channels.push_back({name, {}});
            for (uint32_t i = 0; i < 16 * 8; ++i) image.channels.back().values.push_back(i % 37 == 0 ? 8.0f : 0.125f * static_cast<float>(i % 5));
        }
        return image;
    }
    test::TemporaryFolder folder_;
    int next_ = 0;
};

inline uint32_t material_named(const LoadedScene& scene, const std::string& name) {
    const std::vector<MaterialInfo> materials = scene.materials();
    for (uint32_t i = 0; i < materials.size(); ++i)
        if (materials[i].name == name) return i;
    ADD_FAILURE() << "no material " << name;
    return 0;
}

/// What rendering `n` samples from the start gives, by the same renderer so that scenes need not be uploaded again.
inline Image rendered(const Renderer& renderer, RenderOptions options, uint32_t n) {
    OutputTarget silent;
    options.spp = n;
    options.scheduler = "persistent";
    return renderer.render(options, silent).image;
}
inline Image rendered(const LoadedScene& scene, RenderOptions options, uint32_t n) {
    options.spp = n;
    return render_quietly(scene, options).image;
}

/// Schedulers take turns, each adding some samples with other sizes of everything, and nobody can tell.
inline void expect_switches_to_keep_the_picture(const RenderOptions& base) {
    EditableScene files;
    const Renderer renderer(files.load(), base);
    LiveFrame frame = renderer.prepare_live(base);
    uint32_t n = 0, turn = 0;
    for (int round = 0; round < 2; ++round)
        for (const SchedulerInfo& scheduler : schedulers_of(base.backend)) {
            RenderOptions options = base;
            options.scheduler = scheduler.name;
            options.pool = turn % 3 == 1 ? 1000 : 0;
            options.batch = turn % 4 == 2 ? 7 : 0;
            options.blocks_per_sm = turn % 2;
            options.refill_below = turn % 5;
            options.timeline = turn % 4 == 3;
            EXPECT_FALSE(frame.set_options(options)) << scheduler.name;
            const uint32_t wanted = 1 + turn++ % 3;
            const LivePass pass = frame.add_samples(wanted);
            EXPECT_EQ(pass.num_samples, wanted) << scheduler.name;
            EXPECT_EQ(pass.scheduler, scheduler.name);
            EXPECT_EQ(pass.timeline.has_value(), options.timeline);
            EXPECT_FALSE(pass.record.groups.empty()) << scheduler.name;
            EXPECT_FALSE(pass.stopped || pass.timing.aborted);
            EXPECT_EQ(frame.num_samples(), n += wanted);
            const RenderResult result = frame.result();
            EXPECT_EQ(first_difference(rendered(renderer, base, n), result.image), "") << scheduler.name << " made " << n << " samples of it";
            EXPECT_FALSE(result.stopped || result.incomplete);
            EXPECT_EQ(result.scheduler, scheduler.name);
            EXPECT_EQ(result.counters[static_cast<size_t>(Counter::FinishedPaths)], uint64_t{n} * base.width * base.height);
        }
}

/// Every scheduler in turn sees what was changed since, also a kernel that stays.
inline void expect_edits_to_equal_loading(const RenderOptions& base) {
    EditableScene files;
    const LoadedScene scene = files.load();
    const Renderer renderer(scene, base);
    const uint32_t red = material_named(scene, "red"), white = material_named(scene, "white"), lamp = material_named(scene, "lamp"),
                   pane = material_named(scene, "pane");
    std::map<std::string, Image> references;  // by edit: the same for every scheduler
    for (const SchedulerInfo& scheduler : schedulers_of(base.backend)) {
        RenderOptions options = base;
        options.scheduler = scheduler.name;
        LiveFrame frame = renderer.prepare_live(options);
        nlohmann::json materials = nlohmann::json::object();
        float rotation = 30.0f, scale = 1.0f;
        const auto expect_same = [&](const char* what) {
            Image& reference = references[what];
            if (reference.channels.empty()) {
                const LoadedScene edited = files.load([&](nlohmann::json& json) {
                    for (nlohmann::json& material : json["materials"])
                        if (materials.contains(material["name"])) material.update(materials[material["name"].get<std::string>()]);
                    json["environment"]["rotation_deg"] = rotation, json["environment"]["scale"] = scale;
                });
                reference = rendered(edited, base, 3);
            }
            frame.add_samples(3);
            EXPECT_EQ(first_difference(reference, frame.result().image), "") << what << ", " << scheduler.name;
        };
        const auto set = [&](uint32_t material, const char* name, const auto& change, const nlohmann::json& json) {
            MaterialParameters parameters = frame.material(material);
            change(parameters);
            EXPECT_TRUE(frame.set_material(material, parameters));
            EXPECT_EQ(frame.num_samples(), 0u);
            EXPECT_FALSE(frame.set_material(material, parameters)) << "it has these already";
            materials[name].update(json);
        };
        frame.add_samples(1);
        set(red, "red", [](auto& p) { p.base_color = {0.1f, 0.2f, 0.9f}; }, {{"base_color", {0.1f, 0.2f, 0.9f}}});
        expect_same("another colour");
        set(white, "white", [](auto& p) { p.specular = 1, p.roughness = 0.25f; }, {{"specular", 1}, {"roughness", 0.25f}});
        expect_same("another kind of material");
        set(lamp, "lamp", [](auto& p) { p.emission = {2, 40, 2}; }, {{"emission", {2, 40, 2}}});
        expect_same("another emission");
        set(red, "red", [](auto& p) { p.emission = {0.5f, 0, 0}; }, {{"emission", {0.5f, 0, 0}}});
        expect_same("one more emitter");
        set(pane, "pane", [](auto& p) { p.alpha = 0.125f; }, {{"alpha", 0.125f}});
        expect_same("another coverage");
        set(lamp, "lamp", [](auto& p) { p.emission = {}; }, {{"emission", {0, 0, 0}}});
        expect_same("one emitter less");
        EXPECT_TRUE(frame.set_environment(rotation = 250.0f, scale));
        EXPECT_EQ(frame.num_samples(), 0u);
        expect_same("a rotated sky");
        EXPECT_TRUE(frame.set_environment(rotation, scale = 3.5f));
        expect_same("a brighter sky");
        EXPECT_FALSE(frame.set_environment(rotation, scale));
        EXPECT_TRUE(frame.set_environment(rotation, scale = 0.0f));
        expect_same("no sky");
    }
    RenderOptions plain = base;
    EXPECT_EQ(first_difference(rendered(files.load(), base, 2), rendered(renderer, plain, 2)), "") << "the loaded scene must stay as it was";
}

/// Pinhole and lens, and back.
inline void expect_cameras_to_equal_loading(const RenderOptions& base) {
    EditableScene files;
    const LoadedScene scene = files.load();
    const Renderer renderer(scene, base);
    const CameraOption first = scene.info().camera;
    std::map<float, Image> references;  // by angle of view: the same for every scheduler
    const CameraOption others[] = {{{0.5f, 1.5f, 3.0f}, {0, 0.5f, 0}, {0, 1, 0}, 60.0f}, {{0, 1.5f, 40}, {0, 1, 0}, {0, 0, 1}, 4.0f, 0.3f, 39.0f}, first};
    for (const SchedulerInfo& scheduler : schedulers_of(base.backend)) {
        RenderOptions options = base;
        options.scheduler = scheduler.name;
        LiveFrame frame = renderer.prepare_live(options);
        EXPECT_FALSE(frame.set_camera(first));
        for (const CameraOption& camera : others) {
            frame.add_samples(2);
            EXPECT_TRUE(frame.set_camera(camera));
            EXPECT_EQ(frame.camera(), camera);
            EXPECT_EQ(frame.num_samples(), 0u);
            frame.add_samples(1), frame.add_samples(2);
            Image& reference = references[camera.vfov_deg];
            if (reference.channels.empty()) {
                const LoadedScene seen = files.load([&](nlohmann::json& json) {
                    json["camera"] = {{"eye", camera.eye}, {"target", camera.target}, {"up", camera.up}, {"vfov_deg", camera.vfov_deg}};
                    if (camera.aperture > 0) json["camera"]["aperture"] = camera.aperture, json["camera"]["focus_distance"] = camera.focus_distance;
                });
                reference = rendered(seen, base, 3);
            }
            EXPECT_EQ(first_difference(reference, frame.result().image), "") << scheduler.name;
        }
    }
}

/// Bytes of R, G and B of a PNG, alpha 255 behind each.
inline std::vector<uint8_t> png_bytes(const Image& image, const WriteOptions& options) {
    test::TemporaryFolder folder;
    write_image(image, folder / "a.png", options);
    const Image read = read_image(folder / "a.png");
    std::vector<uint8_t> bytes;
    for (size_t i = 0; i < read.channels[0].values.size(); ++i) {
        for (size_t c = 0; c < 3; ++c) {
            const double linear = read.channels[c].values[i];
            const double encoded = linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1.0 / 2.4) - 0.055;
            bytes.push_back(static_cast<uint8_t>(std::lround(255.0 * encoded)));
        }
        bytes.push_back(255);
    }
    return bytes;
}

/// A channel's middle byte or two: what a colour scale or a transfer curve makes of values in 0..1.
inline std::vector<uint8_t> scale_bytes(const Image& image, const char* channel, float scale_max) {
    std::vector<uint8_t> bytes;
    for (float value : image.find(channel)->values) {
        for (uint8_t byte : scale_color(value / scale_max)) bytes.push_back(byte);
        bytes.push_back(255);
    }
    return bytes;
}

inline std::vector<uint8_t> developed(LiveFrame& frame, const DevelopOptions& options) {
    std::vector<uint8_t> bytes(4ull * frame.options().width * frame.options().height, 7);
    frame.develop(options, bytes.data());
    return bytes;
}

/// Every scheduler, before and after others had the device: the picture is what the image says.
inline void expect_develop_to_equal_png(const RenderOptions& base) {
    EditableScene files;
    const Renderer renderer(files.load(), base);
    LiveFrame frame = renderer.prepare_live(base), other = renderer.prepare_live(base);
    const std::vector<uint8_t> black = developed(frame, {});
    for (size_t i = 0; i < black.size(); ++i) ASSERT_EQ(black[i], i % 4 == 3 ? 255 : 0) << "nothing was rendered yet";
    for (const SchedulerInfo& scheduler : schedulers_of(base.backend)) {
        RenderOptions options = base;
        options.scheduler = scheduler.name;
        frame.set_options(options);
        frame.add_samples(2);
        for (ToneCurve curve : {ToneCurve::Filmic, ToneCurve::Linear})
            for (float exposure : {0.0f, 3.25f, -6.0f}) {
                const std::vector<uint8_t> picture = developed(frame, {DisplayLayer::Color, curve, exposure});
                EXPECT_EQ(picture, png_bytes(frame.result().image, {curve, exposure})) << scheduler.name << " at " << exposure << " stops";
            }
        const Image image = frame.result().image;
        EXPECT_EQ(developed(frame, {DisplayLayer::Depth, {}, 0, 0, 8.0f}), scale_bytes(image, "depth.Z", 8.0f)) << scheduler.name;
        EXPECT_EQ(developed(frame, {DisplayLayer::Samples, {}, 0, 0, 64.0f}), scale_bytes(image, "samples.Y", 64.0f)) << scheduler.name;
        EXPECT_EQ(developed(frame, {DisplayLayer::Cost, {}, 0, 0, 512.0f}), scale_bytes(image, "cost.Y", 512.0f)) << scheduler.name;
        const std::vector<uint8_t> normals = developed(frame, {DisplayLayer::Normal}), albedos = developed(frame, {DisplayLayer::Albedo});
        for (size_t i = 0; i < image.channels[0].values.size(); ++i)
            for (size_t c = 0; c < 3; ++c) {
                const float normal = image.find(std::string("normal.") + "XYZ"[c])->values[i], albedo = image.find(std::string("albedo.") + "RGB"[c])->values[i];
                ASSERT_NEAR(normals[4 * i + c], 255 * (0.5 * normal + 0.5), 0.501) << scheduler.name;
                const double encoded = albedo <= 0.0031308 ? 12.92 * albedo : 1.055 * std::pow(static_cast<double>(albedo), 1.0 / 2.4) - 0.055;
                ASSERT_NEAR(albedos[4 * i + c], 255 * encoded, 0.501) << scheduler.name;
            }
        other.add_samples(1);
        EXPECT_EQ(developed(frame, {}), png_bytes(image, {})) << scheduler.name << ", after another frame had the device";
    }
}

/// Every scheduler and every kind of cost: the film's sums are the counters, and its colours are the image's. Radiance stays what it is.
inline void expect_costs_to_be_the_counters(const RenderOptions& base) {
    struct Kind {
        const char* aov;
        DisplayLayer layer;
        std::vector<Counter> counters;
    };
    EditableScene files;
    const Renderer renderer(files.load(), base);
    LiveFrame frame = renderer.prepare_live(base);
    uint64_t radiance = 0;
    for (const SchedulerInfo& scheduler : schedulers_of(base.backend))
        for (const Kind& kind : {Kind{"cost", DisplayLayer::Cost, {Counter::NodeSteps, Counter::TriangleTests}},
                                 Kind{"node-steps", DisplayLayer::NodeSteps, {Counter::NodeSteps}},
                                 Kind{"bounces", DisplayLayer::Bounces, {Counter::ExtensionRays}},
                                 Kind{"triangle-tests", DisplayLayer::TriangleTests, {Counter::TriangleTests}}}) {
            RenderOptions options = base;
            options.scheduler = scheduler.name, options.aovs = {kind.aov};
            frame.set_options(options);
            frame.restart();
            frame.add_samples(1);  // of one sample a pixel's mean is its sum
            const RenderResult result = frame.result();
            const std::string channel = std::string(kind.aov) + ".Y";
            double sum = 0, counted = 0;
            ASSERT_NE(result.image.find(channel), nullptr) << channel;
            for (float value : result.image.find(channel)->values) sum += static_cast<double>(value);
            for (Counter counter : kind.counters) counted += static_cast<double>(result.counters[static_cast<size_t>(counter)]);
            EXPECT_EQ(sum, counted) << kind.aov << " with " << scheduler.name;
            EXPECT_GT(counted, 0) << kind.aov;
            const float end = frame.scale_of(kind.layer)[1];
            EXPECT_EQ(developed(frame, {kind.layer, {}, 0, 0, end}), scale_bytes(result.image, channel.c_str(), end)) << kind.aov << " with " << scheduler.name;
            if (radiance == 0) radiance = frame.film_checksum();
            EXPECT_EQ(frame.film_checksum(), radiance) << kind.aov << " with " << scheduler.name;
        }
}

/// What alters the picture, and what does not.
inline void expect_restarts_where_the_picture_changes(const RenderOptions& base) {
    EditableScene files;
    const LoadedScene scene = files.load();
    const Renderer renderer(scene, base);
    RenderOptions options = base;
    LiveFrame frame = renderer.prepare_live(options);
    const auto expect = [&](bool restarts, const char* what) {
        frame.add_samples(2);
        const uint64_t before = frame.film_checksum();
        EXPECT_EQ(frame.set_options(options), restarts) << what;
        EXPECT_EQ(frame.num_samples(), restarts ? 0u : 2u) << what;
        if (!restarts) {
            EXPECT_EQ(frame.film_checksum(), before) << what;
        } else {
            frame.add_samples(2);
            EXPECT_EQ(first_difference(rendered(renderer, options, 2), frame.result().image), "") << what;
        }
        frame.restart();
        EXPECT_EQ(frame.num_samples(), 0u);
    };
    expect(false, "nothing");
    options.scheduler = "megakernel", options.pool = 500, options.batch = 3, options.watchdog_s = 20, options.block_size = 64;
    expect(false, "the schedule");
    options.spp = 100;
    expect(false, "samples for which there is room anyway");
    options.max_depth = 2;
    expect(true, "depth");
    options.seed += 1;
    expect(true, "seed");
    options.filter = "box";
    expect(true, "filter");
    options.sampler = "independent";
    expect(true, "sampler");
    options.aovs = {"depth"};
    expect(true, "layers");
    options.spp = 70000;
    EXPECT_TRUE(frame.set_options(options)) << "a film with room for more samples has another scale";
    EXPECT_EQ(frame.max_samples(), 70000u);
    options.spp = 2;
    expect(true, "room for fewer samples");
    for (const auto& [width, height] : {std::pair{1u, 1u}, {5u, 3u}, {200u, 1u}, {64u, 48u}}) {
        options.width = width, options.height = height;
        expect(true, "size");
    }
    options.spp = 0;
    EXPECT_THROW(frame.set_options(options), Error);
    EXPECT_EQ(frame.options().width, 64u) << "refused options change nothing";
    frame.add_samples(1);
    EXPECT_EQ(frame.num_samples(), 1u);
}

/// A dropped pass is given up, without a warning, and the next one starts anew.
inline void expect_drop_to_leave_a_frame_usable(const RenderOptions& base) {
    EditableScene files;
    const Renderer renderer(files.load(), base);
    const std::atomic<bool> drop{true};
    for (const SchedulerInfo& scheduler : schedulers_of(base.backend)) {
        RenderOptions options = base;
        options.scheduler = scheduler.name;
        LiveFrame frame = renderer.prepare_live(options);
        frame.add_samples(3);
        const LivePass pass = frame.add_samples(4096, nullptr, &drop);
        EXPECT_TRUE(pass.stopped) << scheduler.name;
        EXPECT_EQ(pass.warning, "") << scheduler.name;
        EXPECT_EQ(pass.num_samples, 0u);
        EXPECT_EQ(frame.add_samples(2).num_samples, 2u);
        EXPECT_EQ(first_difference(rendered(renderer, base, 2), frame.result().image), "") << scheduler.name;
    }
}

/// A stopped pass leaves an unbiased picture, and the next one starts anew.
inline void expect_stop_to_leave_a_frame_usable(const RenderOptions& base) {
    EditableScene files;
    const Renderer renderer(files.load(), base);
    const std::atomic<bool> stop{true};
    for (const SchedulerInfo& scheduler : schedulers_of(base.backend)) {
        RenderOptions options = base;
        options.scheduler = scheduler.name;
        options.pool = 100000;  // so that nobody has started every path before he hears of the stop
        LiveFrame frame = renderer.prepare_live(options);
        frame.add_samples(3);
        const LivePass pass = frame.add_samples(4096, &stop);
        EXPECT_TRUE(pass.stopped) << scheduler.name;
        EXPECT_EQ(pass.num_samples, 0u);
        EXPECT_EQ(frame.num_samples(), 3u);
        const RenderResult result = frame.result();
        EXPECT_TRUE(result.stopped);
        double samples = 0;
        for (float n : result.image.find("samples.Y")->values) {
            EXPECT_GE(n, 3.0f);
            samples += n;
        }
        EXPECT_EQ(samples, static_cast<double>(result.counters[static_cast<size_t>(Counter::FinishedPaths)])) << scheduler.name;
        developed(frame, {});
        EXPECT_EQ(frame.add_samples(2).num_samples, 2u);
        EXPECT_EQ(frame.num_samples(), 2u) << scheduler.name << ": what was uneven is left behind";
        EXPECT_EQ(first_difference(rendered(renderer, base, 2), frame.result().image), "") << scheduler.name;
    }
}

/// Two frames of one renderer take turns with the device, frame by frame, as a comparison of two schedulers does.
inline void expect_two_frames_to_take_turns(const RenderOptions& base) {
    EditableScene files;
    const Renderer renderer(files.load(), base);
    const std::vector<SchedulerInfo> schedulers = schedulers_of(base.backend);
    RenderOptions options = base;
    LiveFrame a = renderer.prepare_live(options), b = renderer.prepare_live(options);
    for (size_t i = 0; i < 2 * schedulers.size(); ++i) {
        options.scheduler = schedulers[i % schedulers.size()].name;
        a.set_options(options);
        options.scheduler = i % 2 ? "resident" : "persistent";
        b.set_options(options);
        a.add_samples(1), b.add_samples(1);
        EXPECT_EQ(a.film_checksum(), b.film_checksum()) << schedulers[i % schedulers.size()].name;
        if (i % 3 == 0) b.park();
    }
    { const LiveFrame gone = renderer.prepare_live(options); }
    a.add_samples(1), b.add_samples(1);
    EXPECT_EQ(first_difference(a.result().image, b.result().image), "");
}

}  // namespace warpath::testing
