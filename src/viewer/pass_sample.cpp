#include "viewer/pass_sample.h"

namespace warpath::viewer {
namespace {

double counter(const LivePass& pass, Counter id) { return static_cast<double>(pass.timing.counters[static_cast<size_t>(id)]); }
double figure(const LivePass& pass, Figure id) { return pass.timing.figures[static_cast<size_t>(id)]; }

}  // namespace

PassSample summarize(const LivePass& pass, const RenderOptions& options) {
    PassSample sample;
    sample.scheduler = pass.scheduler;
    sample.width = options.width, sample.height = options.height;
    sample.num_samples = pass.num_samples, sample.max_depth = options.max_depth;
    sample.time_ms = pass.timing.time_ms;
    const double rays = counter(pass, Counter::CameraRays) + counter(pass, Counter::ExtensionRays) + counter(pass, Counter::ShadowRays);
    if (sample.time_ms > 0) {
        sample.mrays_per_s = rays / sample.time_ms * 1e-3;
        sample.msamples_per_s = counter(pass, Counter::FinishedPaths) / sample.time_ms * 1e-3;
    }
    sample.launches = static_cast<double>(pass.timing.num_launches);
    sample.launch_overhead = figure(pass, Figure::LaunchOverhead);
    sample.tail_share = figure(pass, Figure::TailShare);
    sample.idle_share = figure(pass, Figure::IdleShare);
    sample.simt_efficiency = figure(pass, Figure::NodeEfficiency);
    return sample;
}

}  // namespace warpath::viewer
