#pragma once

#include <array>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "viewer/camera_controller.h"
#include "viewer/camera_json.h"
#include "viewer/dynamic_resolution.h"
#include "viewer/key_bindings.h"
#include "viewer/recording.h"
#include "viewer/render_thread.h"
#include "viewer/rolling.h"
#include "viewer/scene_loader.h"
#include "viewer/view_options.h"

namespace warpath::viewer {

inline constexpr size_t num_columns = std::size(sample_columns);

/// The scene that is shown, and what was changed in it.
struct SceneState {
    uint64_t number = 0;             ///< 0: none yet
    std::filesystem::path path;
    SceneInfo info;
    std::vector<MaterialInfo> materials;
    std::string backend, device;     ///< empty until it is on the device
    std::map<uint32_t, MaterialParameters> edits;
    CameraController camera;
    float environment_rotation_deg = 0, environment_scale = 1;
    std::vector<Bookmark> bookmarks;
    size_t bookmark = 0;
};

/// The last passes of a scheduler at full resolution.
struct SchedulerStatistics {
    std::array<RollingSeries, num_columns> series;  ///< by sample_columns
    RollingSeries latency_ms{1000};                 ///< from an input to the first picture that shows its effect
    double sample_ms = 0;                           ///< time of a sample of every pixel at full size, in the last pass
};

struct Message {
    std::string text;
    bool is_error = false;
    double time_s = 0;
};

/// All that the window knows and wants, without the window: keys, panels and scripts call the same functions here.
/// Threads: that of the window. Nothing here waits for the renderer.
class Session {
  public:
    Session(const ViewOptions& options, std::unique_ptr<PictureStore> store, std::function<void()> wake);

    // What happens. Names in files are relative to the working folder.
    void perform(Action action);
    void hold(Action action, bool is_down) { is_down ? (void)held.insert(action) : (void)held.erase(action); }
    /// Where a pass of either scheduler takes longer than a frame's budget, pictures start coarse, as when the camera moves.
    void choose_scheduler(const std::string& name);  ///< Errors:  BadOption for one that the backend does not run
    void flip_scheduler();
    void set_mode(Mode mode);
    void open(const std::filesystem::path& path);  ///< a scene, or an environment map for the present one
    void cancel_loading();
    void pick(float x, float y, PickPurpose purpose);
    void save(const std::filesystem::path& path);
    void toggle_recording();
    void write_recording(const std::filesystem::path& path);  ///< Errors:  BadOption, Io
    void edit_material(uint32_t material, const MaterialParameters& parameters);
    const MaterialParameters& material(uint32_t index) const;
    void add_bookmark();
    void go_to_bookmark(size_t index);
    void camera_moved() { moved_at_s_ = now_s_; }
    void note_input(double time_s) { input_at_s_ = time_s; }
    void say(const std::string& text, bool is_error = false);

    /// Once a frame of the window: takes what came from the threads, moves what moves by itself, and posts what is wanted now.
    void update(double now_s, Size film_area);
    /// A picture is on the screen.
    void shown(double now_s);
    bool is_moving() const;
    bool is_settled() const;         ///< the picture shows all that was asked for, and no scene is loading
    /// Ends the threads within a second; false where one of them does not.
    bool close(double limit_s);
    double now_s() const { return now_s_; }

    ViewOptions options;
    RenderThread render;
    SceneLoader loader;
    SceneState scene;
    std::vector<SchedulerInfo> schedulers;   ///< that the backend runs
    std::string scheduler = "auto", last_scheduler;  ///< chosen, and the one before
    std::string scheduler_a, scheduler_b;
    Mode mode = Mode::Single;
    float wipe = 0.5f;
    RenderOptions schedule;                  ///< batch, pool, blocks, refill, depth: the sliders
    uint32_t samples_per_pass = 1, sample_limit = 0;
    DevelopOptions develop;
    bool paused = false, turntable = false, show_panels = true, show_help = false, recording = false, timelines = false;
    bool hash_film = false, without_display = false;
    bool dynamic_resolution = true;
    float frame_budget_ms = 12, turntable_deg_per_s = 30;
    uint64_t restarts = 0;
    Picture picture;                         ///< on the screen
    std::map<std::string, SchedulerStatistics> statistics;
    AbComparison comparison;
    std::optional<double> waiting_a_ms;      ///< time of A's pass until B's comes
    std::optional<Schedule> last_schedule;
    int occupancy_view = 0;                  ///< of the panel: busy, idle, tail
    std::vector<Timeline::Depth> depths;     ///< of the last pass that kept a timeline
    Recording recorded;
    std::optional<Pick> selection;
    std::deque<Message> messages;            ///< newest last
    uint64_t num_passes = 0, last_checksum = 0, last_pass_serial = 0;
    uint32_t last_pass_samples = 0;
    std::vector<double> pass_times_s, new_latencies_ms;  ///< since a measurement cleared them; the newest 100000 at most
    uint64_t num_saved = 0;                  ///< files written, or failed
    std::set<Action> held;
    bool shift = false;
    float cursor_x = 0.5f, cursor_y = 0.5f;  ///< in the picture, 0..1
    // For the window to carry out.
    std::optional<std::string> clipboard;
    bool full_screen_wanted = false, quit_wanted = false;

  private:
    void take_loaded();
    void take_events();
    void take(SceneReady& event);
    void take(SceneFailed& event);
    void take(Picked& event);
    void take(Saved& event);
    void take(Problem& event) { say(event.text, true); }
    void take(PassDone& event);
    void compare(const PassSample& sample);
    void move(double seconds);
    void read_schedulers(const std::string& backend);
    void step_bookmark(size_t step);
    ViewRequest wanted(Size film_area) const;
    std::filesystem::path new_name(const std::string& extension) const;
    std::filesystem::path bookmarks_file() const;

    struct PendingInput {
        uint64_t serial;
        double time_s;
    };
    SceneState before_;              ///< to go back to where the present scene does not come to the device
    uint64_t num_scenes_ = 0;
    double now_s_ = 0, moved_at_s_ = -1e9;
    std::optional<double> input_at_s_;
    std::deque<PendingInput> pending_;
    /// How coarse pictures are while something moves, by scheduler: what a coarse pass takes of a full one differs between them. One for all two-sided modes.
    std::map<std::string, DynamicResolution> resolutions_;
    std::string resolution_of_;
    DynamicResolution& resolution() { return resolutions_[resolution_of_]; }
    const std::string& resolution_key() const;
    void begin_resolution();
    double full_sample_ms_ = 0;      ///< time of a sample of every pixel at full size
    bool was_moving_ = false;
    ViewRequest posted_;
    std::string comparison_key_;
};

/// "auto" stays; else the name must be in the list.
bool knows(const std::vector<SchedulerInfo>& schedulers, const std::string& name);

}  // namespace warpath::viewer
