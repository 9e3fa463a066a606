#include "api/render_options.h"

#include <unistd.h>

#include <array>
#include <cmath>

#include "core/type_list.h"
#include "schedulers/auto.h"
#include "schedulers/list.h"
#include "warpath/error.h"

namespace warpath {

namespace {

[[noreturn]] void bad_option(const std::string& message) { throw Error(ErrorCode::BadOption, message); }

template <class Enum>
Enum named(const char* option, const std::string& value, std::initializer_list<std::pair<const char*, Enum>> names) {
    std::string known;
    for (const auto& [name, result] : names) {
        if (value == name) return result;
        known += std::string(known.empty() ? "" : ", ") + name;
    }
    bad_option(std::string("--") + option + " \"" + value + "\" is unknown; known are " + known);
}

/// Bytes of film that a size takes, with the layers asked for and the float image that is made of it.
double film_bytes(const RenderOptions& options) {
    const double pixels = static_cast<double>(options.width) * options.height;
    return pixels * (28.0 + 12.0 + 36.0 * static_cast<double>(options.aovs.size()));
}

constexpr uint32_t max_side = 1u << 28;  // path_key counts the pixels of four rows in 32 bits

void check_size(const RenderOptions& options) {
    const std::string size = std::to_string(options.width) + "x" + std::to_string(options.height);
    if (options.width == 0 || options.height == 0) bad_option("--size " + size + ": width and height must be at least 1 (this film would take 0 bytes)");
    const double physical = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    const double bytes = film_bytes(options);
    const double pixels = static_cast<double>(options.width) * options.height;
    char text[256];
    if (bytes > 0.8 * physical || pixels >= 2147483648.0 || options.width > max_side || options.height > max_side) {
        snprintf(text, sizeof text, "--size %s: the film would take %.0f bytes, and this machine has %.0f (at most 80 %% of it, 2^31 pixels and 2^28 a side are allowed)",
                 size.c_str(), bytes, physical);
        bad_option(text);
    }
}

std::string known_schedulers() {
    std::string known = auto_scheduler_name;
    SchedulerList::for_each([&]<class Scheduler>() { known.append(", ").append(Scheduler::name); });
    return known;
}

void check_numbers(const RenderOptions& options) {
    if (options.spp == 0) bad_option("--spp 0: at least one sample per pixel is needed");
    if (options.spp > 1u << 24) bad_option("--spp " + std::to_string(options.spp) + ": at most 16777216 samples per pixel");
    if (options.max_depth > 1000000) bad_option("--max-depth " + std::to_string(options.max_depth) + ": at most 1000000");
    if (options.num_threads > 4096) bad_option("--threads " + std::to_string(options.num_threads) + ": at most 4096");
    if (options.batch > 1u << 20) bad_option("--batch " + std::to_string(options.batch) + ": at most 1048576 paths");
    if (options.pool > 1u << 30) bad_option("--pool " + std::to_string(options.pool) + ": at most 1073741824 slots");
    if (options.timeline_events > 1u << 24) bad_option("--trace-events " + std::to_string(options.timeline_events) + ": at most 16777216");
    if (!(options.watchdog_s > 0.0)) bad_option("--watchdog: the time must be positive");
}

void ask_for_layers(RenderJob& job, const std::vector<std::string>& aovs) {
    bool samples = false;  // always there
    std::array<bool, 4> costs{};  // by CostKind
    for (const std::string& aov : aovs)
        *named<bool*>("aov", aov, {{"albedo", &job.albedo}, {"normal", &job.normal}, {"depth", &job.depth}, {"samples", &samples},
                                   {"cost", &costs[0]}, {"node-steps", &costs[1]}, {"triangle-tests", &costs[2]}, {"bounces", &costs[3]}}) = true;
    for (uint32_t kind = 0; kind < costs.size(); ++kind) {
        if (!costs[kind]) continue;
        if (job.cost) bad_option("--aov: a film holds one of cost, node-steps, triangle-tests and bounces at a time");
        job.cost = static_cast<CostKind>(kind);
    }
}

}  // namespace

FilmConstants film_of(const SceneConstants& scene, Vec3 eye, uint32_t spp, std::optional<CostKind> cost) {
    const float reach = length(scene.bounds.extent()) + length(scene.bounds.center() - eye);
    FilmConstants film = film_constants(scene.max_radiance, reach, spp);
    film.count_as_cost(cost.value_or(CostKind::Steps));
    return film;
}

RenderJob make_job(const SceneData& scene, const Bvh& bvh, const RenderOptions& options) {
    check_size(options);
    check_numbers(options);
    RenderJob job;
    job.scene = &scene;
    job.bvh = &bvh;
    job.scheduler = options.scheduler;
    if (options.scheduler != auto_scheduler_name && !SchedulerList::with_name(options.scheduler, []<class Scheduler>() {}))
        throw Error(ErrorCode::Unavailable, "there is no scheduler \"" + options.scheduler + "\"; known are " + known_schedulers());
    FrameConstants& frame = job.frame;
    frame.width = options.width, frame.height = options.height, frame.spp = options.spp;
    frame.max_depth = options.max_depth;
    frame.seed = options.seed;
    frame.sampler = named<SamplerKind>("sampler", options.sampler, {{"sobol", SamplerKind::Sobol}, {"independent", SamplerKind::Independent}});
    frame.filter = named<FilterKind>("filter", options.filter,
                                     {{"box", FilterKind::Box}, {"gaussian", FilterKind::Gaussian}, {"blackman-harris", FilterKind::BlackmanHarris}});
    frame.camera = camera_constants(scene.cameras.front(), options.width, options.height);
    ask_for_layers(job, options.aovs);
    job.film = film_of(scene.constants, scene.cameras.front().eye, options.spp, job.cost);
    job.schedule = {options.pool, options.batch, options.num_threads, options.blocks_per_sm, options.block_size, options.refill_below, options.reserve_sms};
    job.watchdog_s = options.watchdog_s;
    job.timeline = options.timeline;
    job.events_per_place = options.timeline_events;
    return job;
}

namespace {

std::vector<uint32_t> device_indices(const RenderOptions& options) {
    return options.devices.empty() ? std::vector<uint32_t>{options.device} : options.devices;
}

/// `why_no_other` says why there is no device but 0; that one may be named more than once.
ChosenBackend choose_cpu(const RenderOptions& options, const std::string& reason, const std::string& why_no_other) {
    ChosenBackend chosen{{}, reason};
    for (uint32_t device : device_indices(options)) {
        if (device != 0) throw Error(ErrorCode::Unavailable, "there is no device " + std::to_string(device) + ": " + why_no_other);
        chosen.devices.push_back(make_cpu_backend(options.num_threads));
    }
    return chosen;
}

}  // namespace

ChosenBackend choose_backend(const RenderOptions& options) {
    const std::string& name = options.backend;
    if (!name.empty() && name != "cpu" && name != "cuda")
        throw Error(ErrorCode::Unavailable, "there is no backend \"" + name + "\"; known are cpu, cuda");
    if (name == "cpu") return choose_cpu(options, "asked for", "the CPU backend has device 0 alone");
#if WARPATH_HAS_CUDA
    const std::vector<DeviceInfo> devices = list_cuda_devices();
    if (name == "cuda" || (devices.front().usable && name.empty())) {
        ChosenBackend chosen{{}, name.empty() ? "a CUDA device answers" : "asked for"};
        for (uint32_t device : device_indices(options))
            chosen.devices.push_back(make_cuda_backend(static_cast<int>(device)));
        return chosen;
    }
    const std::string reason = "no CUDA device answers: " + devices.front().detail;
#else
    if (name == "cuda")
        throw Error(ErrorCode::Unavailable, "this build has no CUDA backend; configure it with -DWARPATH_CUDA=ON where nvcc is, or use --backend cpu");
    const std::string reason = "this build has no CUDA backend";
#endif
    return choose_cpu(options, reason, reason);
}

}  // namespace warpath
