#include "viewer/view_flags.h"

#include <algorithm>

#include "cli/parse.h"
#include "warpath/error.h"
#include "warpath/file.h"
#include "warpath/image.h"

namespace warpath::viewer {
namespace {

constexpr uint64_t max_spp = 1 << 24, max_depth = 1000000, max_side = 16384;
constexpr double default_time_limit_s = 600;

Size parse_window(const cli::TextFlag& flag) {
    const cli::FilmSize size = cli::parse_size(flag.name(), flag.text());
    if (size.width > max_side || size.height > max_side)
        throw Error(ErrorCode::BadOption, flag.name() + " '" + flag.text() + "' is not accepted: a side has at most " +
                                              std::to_string(max_side) + " pixels here");
    return {static_cast<int>(size.width), static_cast<int>(size.height)};
}

void check_backend(const std::string& backend) {
    std::string reason = "this build does not have it";
    for (const DeviceInfo& info : list_devices()) {
        if (info.backend != backend) continue;
        if (info.usable) return;
        reason = info.name + " (" + info.detail + ")";
    }
    throw Error(ErrorCode::Unavailable, "--backend " + backend + " cannot be used here: " + reason);
}

}  // namespace

void ViewFlags::add_to(CLI::App& flags) {
    scene_.add_to(flags, false);
    size_.add_to(flags, "WxH", "size of the film, whatever the window's (default: the picture's place in the window)");
    spp_.add_to(flags, "N", "stop refining at so many samples per pixel (default: go on)");
    max_depth_.add_to(flags, "N", "scattering events of a path (default: the scene's, else 16)");
    seed_.add_to(flags, "N", "seed of all random numbers (default: the scene's, else 0)");
    sampler_.add_to(flags, "NAME", "sobol (default) or independent");
    filter_.add_to(flags, "NAME", "pixel filter: box, gaussian or blackman-harris (default)");
    scheduler_.add_to(flags, "NAME", "the first one (default: auto); see `warpath info`");
    backend_.add_to(flags, "NAME", "cpu or cuda (default: cuda if there is a device, else cpu)");
    device_.add_to(flags, "N", "which of the backend's devices (default: 0)");
    watchdog_.add_to(flags, "SECONDS", "give a pass up after so long without progress (default: 10)");
    window_.add_to(flags, "WxH", "size of the window (default: 1440x810)");
    ui_scale_.add_to(flags, "FACTOR", "size of text and widgets (default: the monitor's)");
    bookmarks_.add_to(flags, "FILE", "cameras to come back to (default: SCENE.bookmarks.json)");
    script_.add_to(flags, "FILE", "play steps: docs/viewer.md lists them");
    screenshot_.add_to(flags, "FILE", "write the window as .png at the end, and close it");
    exit_after_.add_to(flags, "N", "close the window when the picture has N samples per pixel and the script, if any, is over");
    time_limit_.add_to(flags, "SECONDS", "fail where script, --screenshot or --exit-after take longer (default: 600)");
    flags.add_flag("--full-screen", full_screen_, "without a frame");
    flags.add_flag("--no-panels", no_panels_, "the picture alone; key P shows the panels");
}

ViewOptions ViewFlags::options() const {
    ViewOptions o;
    o.scene = scene_.has_scene() ? std::filesystem::path(scene_.scene()) : shipped_scene();
    o.load = scene_.load_options();
    const auto integer = [](const cli::TextFlag& flag, uint64_t lo, uint64_t hi) { return cli::parse_integer(flag.name(), flag.text(), lo, hi); };
    if (size_.given()) o.film = parse_window(size_);
    if (window_.given()) o.window = parse_window(window_);
    if (spp_.given()) o.spp = static_cast<uint32_t>(integer(spp_, 1, max_spp));
    if (max_depth_.given()) o.max_depth = static_cast<uint32_t>(integer(max_depth_, 0, max_depth));
    if (seed_.given()) o.seed = integer(seed_, 0, UINT64_MAX);
    if (sampler_.given()) o.sampler = cli::parse_choice(sampler_.name(), sampler_.text(), {"sobol", "independent"});
    if (filter_.given()) o.filter = cli::parse_choice(filter_.name(), filter_.text(), {"box", "gaussian", "blackman-harris"});
    if (backend_.given()) check_backend(o.render.backend = cli::parse_choice(backend_.name(), backend_.text(), {"cpu", "cuda"}));
    if (device_.given()) o.render.device = static_cast<uint32_t>(integer(device_, 0, 1023));
    if (scheduler_.given()) {
        std::vector<std::string> names{"auto"};
        for (const SchedulerInfo& info : list_schedulers()) names.push_back(info.name);
        o.render.scheduler = cli::parse_choice(scheduler_.name(), scheduler_.text(), names);
    }
    if (watchdog_.given()) o.render.watchdog_s = cli::parse_number(watchdog_.name(), watchdog_.text(), 0.001, 1e6);
    o.render.num_threads = o.load.num_threads;
    if (o.spp) o.render.spp = *o.spp;
    if (ui_scale_.given()) o.ui_scale = static_cast<float>(cli::parse_number(ui_scale_.name(), ui_scale_.text(), 0.5, 8));
    if (bookmarks_.given()) o.bookmarks = bookmarks_.text();
    if (script_.given()) o.script = script_.text();
    if (exit_after_.given()) o.exit_after = static_cast<uint32_t>(integer(exit_after_, 1, 65536));
    if (screenshot_.given()) {
        o.screenshot = screenshot_.text();
        if (o.screenshot->extension() != ".png") throw Error(ErrorCode::BadOption, "--screenshot must end in .png, and " + screenshot_.text() + " does not");
        check_writable(*o.screenshot);
    }
    o.full_screen = full_screen_, o.no_panels = no_panels_;
    const bool is_scripted = o.script || o.screenshot || o.exit_after > 0;
    if (time_limit_.given())
        o.time_limit_s = cli::parse_number(time_limit_.name(), time_limit_.text(), 0.001, 1e6);
    else if (is_scripted)
        o.time_limit_s = default_time_limit_s;
    return o;
}

std::filesystem::path shipped_scene() {
    std::error_code failure;
    const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", failure).parent_path();
    for (const std::filesystem::path& place : {folder / "../scenes", folder / "../../scenes", folder / "../share/warpath/scenes", std::filesystem::path("scenes")})
        if (std::filesystem::exists(place / "cornell.json", failure)) return (place / "cornell.json").lexically_normal();
    return {};
}

}  // namespace warpath::viewer
