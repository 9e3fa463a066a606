#include "cli/render_flags.h"

#include <cctype>

#include "cli/film_size.h"
#include "cli/log.h"
#include "cli/parse.h"
#include "warpath/error.h"
#include "warpath/file.h"
#include "warpath/profile.h"

namespace warpath::cli {
namespace {

// The library's own limits, so that a wrong value is refused before the scene is loaded.
constexpr uint64_t max_spp = 1 << 24, max_depth = 1000000, max_batch = 1 << 20, max_pool = 1 << 30, max_trace_events = 1 << 24;
constexpr uint32_t max_device = 1023;

std::vector<std::string> scheduler_names() {
    std::vector<std::string> names{"auto"};
    for (const SchedulerInfo& scheduler : list_schedulers()) names.push_back(scheduler.name);
    return names;
}

/// The backend that an empty name stands for.
std::string default_backend() {
    for (const DeviceInfo& info : list_devices())
        if (info.backend == "cuda" && info.usable) return "cuda";
    return "cpu";
}

std::string lower_case_extension(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return extension;
}

/// Errors:  Unavailable if nothing of that backend answers, BadOption if it has no such device; both list what there
/// is. `flag` and `text` are for the message.
void check_devices(const std::string& backend, const std::vector<uint32_t>& devices, const std::string& flag,
                   const std::string& text) {
    std::vector<std::string> known, unusable;
    for (const DeviceInfo& info : list_devices()) {
        if (info.backend != backend) continue;
        unusable.push_back(info.usable ? "" : info.name + " (" + info.detail + ")");
        known.push_back(std::to_string(known.size()) + ": " + info.name + " (" + info.detail + ")");
    }
    const std::string cannot = "--backend " + backend + " cannot be used here: ";
    if (known.empty()) throw Error(ErrorCode::Unavailable, cannot + "this build does not have it");
    for (const uint32_t device : devices) {
        if (device < known.size() && !unusable[device].empty())
            throw Error(ErrorCode::Unavailable, cannot + unusable[device]);
        if (device >= known.size())
            throw Error(ErrorCode::BadOption,
                        flag + " '" + text + "' is not accepted: the devices are " + list_text(known));
    }
}

}  // namespace

void RenderFlags::add_to(CLI::App& flags) {
    scene_.add_to(flags, true);
    output_.add_to(flags, "FILE",
                   "image to write: .png, .hdr, .exr or .pfm (default: the scene's name with .png, in this folder)");
    size_.add_to(flags, "WxH", "film size in pixels (default: the scene's, else 1280x720)");
    spp_.add_to(flags, "N", "samples per pixel (default: the scene's, else 64)");
    max_depth_.add_to(flags, "N", "scattering events of a path; 0 shows emitters only (default: the scene's, else 16)");
    seed_.add_to(flags, "N", "seed of all random numbers (default: the scene's, else 0)");
    sampler_.add_to(flags, "NAME", "sobol (default) or independent");
    filter_.add_to(flags, "NAME", "pixel filter: box, gaussian or blackman-harris (default)");
    aov_.add_to(flags, "NAMES", "further layers of an .exr: albedo,normal,depth,samples, and one of cost,node-steps,triangle-tests,bounces");
    exposure_.add_to(flags, "STOPS", "brightness of a .png (default: the scene's, else 0)");
    tone_.add_to(flags, "CURVE", "tone curve of a .png: filmic (default) or linear");
    flags.add_flag("--half", half_, "store R, G, B of an .exr as 16-bit half");
    scheduler_.add_to(flags, "NAME", "who runs which stage when (default: auto, which picks one); see `warpath info`");
    backend_.add_to(flags, "NAME", "cpu or cuda (default: cuda if there is a device, else cpu)");
    device_.add_to(flags, "N", "which of the backend's devices (default: 0); see `warpath info`");
    devices_.add_to(flags, "LIST", "several devices, such as 0,1, that share the frame, instead of --device");
    batch_.add_to(flags, "N", "paths taken from the work counter at a time (default: chosen)");
    pool_.add_to(flags, "N", "path slots (default: from the device)");
    reserve_sms_.add_to(flags, "N", "CUDA, persistent kernels: multiprocessors left to other work (default: none)");
    blocks_per_sm_.add_to(flags, "N", "CUDA, persistent kernels (default: by occupancy)");
    block_size_.add_to(flags, "N", "CUDA: threads per block (default: what each kernel is built for)");
    refill_below_.add_to(flags, "N", "lanes of a warp with a ray under way below which the others take new ones (default: tuned)");
    profile_.add_to(flags, "FILE", "numbers that `warpath tune` found, or none (default: those kept for this device and such scenes)");
    watchdog_.add_to(flags, "SECONDS", "give up after so long without progress (default: 10)");
    json_.add_to(flags, "FILE", "write the run's statistics");
    flags.add_flag("--stats", stats_, "print every counter and what follows from them; adds each warp's times to --json");
    trace_.add_to(flags, "FILE", "write a timeline of batches and host calls, for Perfetto or chrome://tracing");
    trace_events_.add_to(flags, "N", "events that --trace keeps per warp or thread (default: 65536, fewer on large devices)");
    flags.add_flag("--quiet", quiet_, "only warnings and errors");
}

void RenderFlags::read_choice(const TextFlag& flag, const std::vector<std::string>& known, std::string& value) const {
    if (flag.given()) value = parse_choice(flag.name(), flag.text(), known);
}

void RenderFlags::read_integer(const TextFlag& flag, uint64_t lo, uint64_t hi, uint32_t& value) const {
    if (flag.given()) value = static_cast<uint32_t>(parse_integer(flag.name(), flag.text(), lo, hi));
}

void RenderFlags::read_sampling(RenderRequest& request) const {
    RenderOptions& options = request.render;
    if (size_.given()) {
        const FilmSize size = parse_size(size_.name(), size_.text());
        options.width = size.width, options.height = size.height;
    }
    read_integer(spp_, 1, max_spp, options.spp);
    read_integer(max_depth_, 0, max_depth, options.max_depth);
    if (seed_.given()) options.seed = parse_integer(seed_.name(), seed_.text(), 0, UINT64_MAX);
    read_choice(sampler_, {"sobol", "independent"}, options.sampler);
    read_choice(filter_, {"box", "gaussian", "blackman-harris"}, options.filter);
    if (aov_.given())
        options.aovs = parse_choices(aov_.name(), aov_.text(), {"albedo", "normal", "depth", "samples", "cost", "node-steps", "triangle-tests", "bounces"});
    if (size_.given()) check_film_size(options.width, options.height, options.aovs);
}

void RenderFlags::read_devices(RenderOptions& options) const {
    if (device_.given() && devices_.given())
        throw Error(ErrorCode::BadOption, "--device and --devices exclude each other; give one of them");
    read_integer(device_, 0, max_device, options.device);
    if (devices_.given()) options.devices = parse_integers(devices_.name(), devices_.text(), 0, max_device);
    if (!backend_.given() && !device_.given() && !devices_.given()) return;
    const std::string backend = options.backend.empty() ? default_backend() : options.backend;
    if (devices_.given())
        check_devices(backend, options.devices, devices_.name(), devices_.text());
    else
        check_devices(backend, {options.device}, device_.name(), std::to_string(options.device));
}

void RenderFlags::read_schedule(RenderRequest& request) const {
    RenderOptions& options = request.render;
    read_choice(scheduler_, scheduler_names(), options.scheduler);
    read_choice(backend_, {"cpu", "cuda"}, options.backend);
    read_devices(options);
    options.num_threads = request.load.num_threads;
    read_integer(batch_, 0, max_batch, options.batch);
    read_integer(pool_, 0, max_pool, options.pool);
    read_integer(blocks_per_sm_, 0, 1024, options.blocks_per_sm);
    read_integer(reserve_sms_, 0, 1024, options.reserve_sms);
    read_integer(block_size_, 0, 1024, options.block_size);
    read_integer(refill_below_, 0, 32, options.refill_below);
    if (watchdog_.given()) options.watchdog_s = parse_number(watchdog_.name(), watchdog_.text(), 0.001, 1e6);
}

void RenderFlags::read_output(RenderRequest& request) const {
    request.output = output_.given() ? output_.text() : request.scene.stem().string() + ".png";
    if (exposure_.given())
        request.write.exposure = static_cast<float>(parse_number(exposure_.name(), exposure_.text(), -64, 64));
    std::string tone = "filmic";
    read_choice(tone_, {"filmic", "linear"}, tone);
    request.write.tone_curve = tone == "linear" ? ToneCurve::Linear : ToneCurve::Filmic;
    request.write.half = half_;
    const std::string extension = lower_case_extension(request.output);
    check_writable(request.output);
    if (extension != ".exr" && aov_.given())
        throw Error(ErrorCode::BadOption,
                    "--aov needs an .exr as output, and " + request.output.string() + " cannot hold layers");
    if (extension != ".exr" && half_)
        throw Error(ErrorCode::BadOption, "--half needs an .exr as output, not " + request.output.string());
    if (extension != ".png" && (exposure_.given() || tone_.given()))
        log_warning("--exposure and --tone change .png files only; " + request.output.string() +
                    " holds linear radiance");
    read_statistics(request);
}

void RenderFlags::read_statistics(RenderRequest& request) const {
    request.print_statistics = stats_;
    if (json_.given()) {
        request.statistics = json_.text();
        check_file_writable(json_.text());
    }
    if (trace_events_.given() && !trace_.given()) throw Error(ErrorCode::BadOption, "--trace-events needs --trace FILE");
    if (!trace_.given()) return;
    request.trace = trace_.text();
    check_file_writable(trace_.text());
    request.render.timeline = true;
    read_integer(trace_events_, 1, max_trace_events, request.render.timeline_events);
}

namespace {

/// Devices such as /dev/null may be named twice.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code failure;
    if (std::filesystem::exists(a, failure) && !std::filesystem::is_regular_file(a, failure)) return false;
    namespace fs = std::filesystem;
    return fs::weakly_canonical(fs::absolute(a), failure) == fs::weakly_canonical(fs::absolute(b), failure);
}

/// Errors:  BadOption if writing one of the outputs would destroy an input or the other output.
void check_files_apart(const RenderRequest& request) {
    const std::filesystem::path& output = request.output;
    const auto refuse = [](const std::string& flag, const std::filesystem::path& file, const std::string& other) {
        throw Error(ErrorCode::BadOption, flag + " " + file.string() + " is also " + other + "; name another file");
    };
    if (same_file(output, request.scene)) refuse("--output", output, "the scene");
    if (request.load.environment && same_file(output, *request.load.environment))
        refuse("--output", output, "the environment map");
    const auto check = [&](const std::string& flag, const std::filesystem::path& file) {
        if (same_file(file, request.scene)) refuse(flag, file, "the scene");
        if (same_file(file, output)) refuse(flag, file, "the image");
        if (request.load.environment && same_file(file, *request.load.environment)) refuse(flag, file, "the environment map");
    };
    if (request.statistics) check("--json", *request.statistics);
    if (request.trace) check("--trace", *request.trace);
    if (request.statistics && request.trace && same_file(*request.trace, *request.statistics)) refuse("--trace", *request.trace, "the statistics");
}

}  // namespace

RenderRequest RenderFlags::request() const {
    RenderRequest request;
    request.scene = scene_.scene();
    request.quiet = quiet_;
    set_quiet(quiet_);
    request.load = scene_.load_options();
    read_sampling(request);
    read_schedule(request);
    read_output(request);
    check_files_apart(request);
    return request;
}

void RenderFlags::apply_scene_settings(const SceneInfo& scene, RenderRequest& request) const {
    RenderOptions& options = request.render;
    if (!size_.given()) {
        options.width = scene.width.value_or(options.width), options.height = scene.height.value_or(options.height);
        check_film_size(options.width, options.height, options.aovs);
    }
    if (!spp_.given()) options.spp = scene.spp.value_or(options.spp);
    if (!max_depth_.given()) options.max_depth = scene.max_depth.value_or(options.max_depth);
    if (!seed_.given()) options.seed = scene.seed.value_or(options.seed);
    if (!sampler_.given()) options.sampler = scene.sampler.value_or(options.sampler);
    if (!filter_.given()) options.filter = scene.filter.value_or(options.filter);
    if (!exposure_.given()) request.write.exposure = scene.exposure.value_or(request.write.exposure);
}

void RenderFlags::apply_profile(const LoadedScene& scene, RenderRequest& request) const {
    const bool given = batch_.given() || pool_.given() || blocks_per_sm_.given() || block_size_.given() || refill_below_.given();
    const std::string name = profile_.given() ? profile_.text() : "";
    if (name == "none" || (name.empty() && (given || !request.render.devices.empty()))) return;
    if (!name.empty() && given)
        throw Error(ErrorCode::BadOption, "--profile and flags that a profile stands for (--batch, --pool, --blocks-per-sm, --block-size, --refill-below) "
                                          "exclude each other; give one or the other");
    FoundProfile found;
    if (name.empty()) {
        found = find_profile(profile_key(scene, request.render), profile_folder());
    } else {
        found.file = name;
        found.profile = read_profile(name);
    }
    if (!found.warning.empty()) log_warning(found.warning);
    if (!found.profile) return;
    warpath::apply_profile(*found.profile, request.render);
    request.profile = found.file;
    log_info("profile " + found.file.string() + ": " + profile_text(*found.profile));
}

}  // namespace warpath::cli
