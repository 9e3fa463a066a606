#include "experiments/sweep_flags.h"

#include <algorithm>
#include <cstdio>

#include "warpath/error.h"
#include "warpath/file.h"

namespace warpath::experiments {
namespace {

[[noreturn]] void refuse(const std::string& flag, const std::string& text, const std::string& accepted) {
    throw Error(ErrorCode::BadOption, flag + " '" + text + "' is not accepted: give " + accepted);
}

/// The numbers of a text like a pattern of scanf, all of it.
template <class... Numbers>
bool scan_all(const std::string& text, const std::string& pattern, Numbers*... numbers) {
    int length = 0;
    const int n = std::sscanf(text.c_str(), (pattern + "%n").c_str(), numbers..., &length);
    return n == static_cast<int>(sizeof...(numbers)) && static_cast<size_t>(length) == text.size() &&
           text.find('-') == std::string::npos;
}

}  // namespace

void SweepFlags::add_to(CLI::App& flags) {
    RenderOptions& o = request.options;
    flags.add_option("scenes", scenes, "scene files, seen by their own cameras");
    flags.add_option("--views", views, "list of views, such as scripts/data/views.json");
    flags.add_option("--folder", folder,
                     "folder that the files in the list of views are relative to (default: this one)");
    flags.add_option("--only", only, "views of the list, separated by commas (default: all)")
        ->delimiter(',')
        ->allow_extra_args(false);
    flags.add_option("--schedulers", schedulers, "separated by commas (default: all that the backend runs)")
        ->delimiter(',')
        ->allow_extra_args(false);
    flags.add_option("--sizes", sizes, "film sizes WxH, separated by commas (default: 1920x1080)")
        ->delimiter(',')
        ->allow_extra_args(false);
    flags.add_option("--spp", spps, "samples per pixel, separated by commas (default: 1)")
        ->delimiter(',')
        ->allow_extra_args(false);
    flags.add_option("--depths", depths, "depth limits, separated by commas (default: 16)")
        ->delimiter(',')
        ->allow_extra_args(false);
    flags.add_option("--cells", more_cells, "further cells WxH:SPP:DEPTH, separated by commas")
        ->delimiter(',')
        ->allow_extra_args(false);
    flags.add_option("--repeats", request.repeats, "timed runs of each frame (default: 10)")
        ->check(CLI::Range(1u, 100000u));
    flags.add_option("--warm-up", request.warm_up, "runs of each frame before those (default: 2)")
        ->check(CLI::Range(0u, 100000u));
    flags.add_option("--limit", request.limit_s, "seconds after which the rest is left out")
        ->check(CLI::NonNegativeNumber);
    flags.add_option("-o,--output", request.output, "JSON file to write")->required();
    flags.add_option("--commit", request.commit, "written into the file");
    flags.add_option("--backend", o.backend, "cpu or cuda (default: cuda if there is a device, else cpu)");
    auto* device = flags.add_option("--device", o.device, "which of the backend's devices (default: 0)");
    flags.add_option("--devices", o.devices, "several that share every frame")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->excludes(device);
    flags.add_option("--threads", o.num_threads, "CPU threads (default: all cores)");
    flags.add_option("--seed", o.seed, "seed of all random numbers (default: 0)");
    flags.add_option("--pool", o.pool, "path slots (default: from the device)");
    flags.add_option("--batch", o.batch, "paths taken from the work counter at a time (default: chosen)");
    flags.add_option("--blocks-per-sm", o.blocks_per_sm, "CUDA, persistent kernels (default: by occupancy)");
    flags.add_option("--block-size", o.block_size, "CUDA: threads per block (default: what each kernel is built for)");
    flags.add_option("--refill-below", o.refill_below,
                     "lanes with a ray below which others take new ones (default: tuned)");
    flags.add_option("--watchdog", o.watchdog_s, "give a run up after so many seconds without progress (default: 10)");
    flags.add_option("--bvh", bvh, "fast (default), balanced or best")->check(CLI::IsMember(bvh_quality_names()));
}

void SweepFlags::read_cells() {
    for (const std::string& size : sizes) {
        SweepCell cell;
        if (!scan_all(size, "%ux%u", &cell.width, &cell.height))
            refuse("--sizes", size, "WIDTHxHEIGHT, such as 1920x1080");
        for (const uint32_t spp : spps)
            for (const uint32_t depth : depths) request.cells.push_back({cell.width, cell.height, spp, depth});
    }
    for (const std::string& text : more_cells) {
        SweepCell& cell = request.cells.emplace_back();
        if (!scan_all(text, "%ux%u:%u:%u", &cell.width, &cell.height, &cell.spp, &cell.max_depth))
            refuse("--cells", text, "WIDTHxHEIGHT:SPP:DEPTH, such as 1920x1080:16:16");
    }
}

void SweepFlags::choose_schedulers() {
    const std::vector<DeviceInfo> devices = list_devices();
    const bool has_cuda = std::any_of(devices.begin(), devices.end(),
                                      [](const DeviceInfo& d) { return d.backend == "cuda" && d.usable; });
    RenderOptions& o = request.options;
    if (o.backend.empty()) o.backend = has_cuda ? "cuda" : "cpu";
    std::string known;
    std::vector<std::string> all;
    for (const SchedulerInfo& scheduler : list_schedulers())
        if (o.backend == "cpu" ? scheduler.on_cpu : scheduler.on_cuda) {
            all.push_back(scheduler.name);
            known += (known.empty() ? "" : ", ") + scheduler.name;
        }
    for (const std::string& name : schedulers)
        if (std::find(all.begin(), all.end(), name) == all.end()) refuse("--schedulers", name, "some of " + known);
    request.schedulers = schedulers.empty() ? all : schedulers;
}

void SweepFlags::complete() {
    request.bvh = bvh_quality_of(bvh);
    read_cells();
    choose_schedulers();
    if (!views.empty()) request.views = read_views(views, folder, only);
    for (const std::string& scene : scenes) request.views.push_back(view_of_scene(scene));
    if (request.views.empty())
        throw Error(ErrorCode::BadOption, "there is nothing to measure: name scenes, or a list of --views");
    check_file_writable(request.output);
}

}  // namespace warpath::experiments
