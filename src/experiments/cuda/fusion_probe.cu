#include "experiments/fusion_probe.h"

#include "api/render_options.h"
#include "api/scene_impl.h"
#include "backends/cuda/cuda_backend.cuh"
#include "backends/device_frame.h"
#include "experiments/cuda/cuda_handles.cuh"
#include "experiments/fused_steps.h"

namespace warpath::experiments {
namespace {

template <bool intersects, bool shades, bool occludes>
using Step = FusedStep<StageSet, intersects, shades, occludes>;

class CudaFusedFrame final : public FusedFrame {
  public:
    CudaFusedFrame(CudaBackend& backend, const DeviceScene<CudaBackend>& scene, const RenderJob& job, Fusion fusion) : backend_(backend), job_(job), fusion_(fusion) {
        num_paths_ = job.frame.num_paths();
        if (num_paths_ > FusionProbe::most_paths || job.frame.max_depth > FusionProbe::most_depth)
            throw Error(ErrorCode::BadOption, "frames of fused stages have at most 2^23 paths and 64 bounces");
        const auto turn = backend.take_turn();
        view_.scene = scene.scene_view, view_.bvh = scene.bvh_view;
        static_cast<FilmConstants&>(view_.film) = job.film;
        view_.constants = job.frame;
        allocate();
    }
    ~CudaFusedFrame() override { backend_.end_frame(state_); }

    FusedRun run() override {
        const auto turn = backend_.take_turn();
        FilmView::for_each_column([&](const char*, auto& array) { array.clear(backend_); }, film_);
        counts_.clear(backend_);
        backend_.begin(job_, state_);
        FusedRun result;
        const uint64_t begin_ns = host_clock_ns();
        enqueue();
        result.aborted = backend_.wait(counts_.data()) == StopLevel::Abort;
        backend_.synchronize();
        result.time_ms = static_cast<double>(host_clock_ns() - begin_ns) * 1e-6;
        CounterWords counters{};
        backend_.read_counters(counters);
        for (const Counter id : {Counter::CameraRays, Counter::ExtensionRays, Counter::ShadowRays}) result.num_rays += counters[static_cast<size_t>(id)];
        result.film = hash_film();
        count_entries(result.num_rays);
        return result;
    }
    std::vector<FusedKernel> kernels() const override {
        switch (fusion_) {
            case Fusion::Split:
                return {kernel<Step<true, false, false>>("intersect"), kernel<Step<false, true, false>>("shade"), kernel<Step<false, false, true>>("occlude")};
            case Fusion::ShadeOcclude: return {kernel<Step<true, false, false>>("intersect"), kernel<Step<false, true, true>>("shade + occlude")};
            case Fusion::IntersectShade: return {kernel<Step<true, true, false>>("intersect + shade"), kernel<Step<false, false, true>>("occlude")};
            case Fusion::All: break;
        }
        return {kernel<Step<true, true, true>>("intersect + shade + occlude")};
    }
    uint32_t launches_per_bounce() const override { return fusion_ == Fusion::Split ? 3 : fusion_ == Fusion::All ? 1 : 2; }
    double list_bytes_per_ray() const override { return list_bytes_per_ray_; }

  private:
    template <class T>
    using Array = CudaBackend::Array<T>;
    enum List : uint32_t { intersect_list, shade_list, occlude_list, num_lists };

    void allocate() {
        const auto place = [&](const char* name, auto& array, auto& column, size_t size) {
            array.allocate(backend_, name, size);
            column = array.data();
        };
        SlotsView::for_each_column([&](const char* name, auto& array, auto& column) { place(name, array, column, num_paths_); }, slots_, view_.slots);
        std::vector<uint64_t> sizes;
        size_film(job_, sizes);
        size_t i = 0;
        FilmView::for_each_column([&](const char* name, auto& array, auto& column) { place(name, array, column, sizes[i++]); }, film_, view_.film);
        entries_.allocate(backend_, "lists", 4 * num_paths_);
        counts_.allocate(backend_, "sizes of lists", num_lists * (FusionProbe::most_depth + 3));
        backend_.synchronize();
    }
    /// Each bounce has counts of its own, so none has to be cleared between kernels; rays of two bounces have lists by turns.
    SlotList list(List id, uint32_t bounce) {
        const uint64_t array = id == intersect_list ? bounce % 2 : 1 + id;
        return {entries_.data() + array * num_paths_, counts_.data() + num_lists * bounce + id};
    }
    FusedLists lists_after(uint32_t bounce) { return {list(intersect_list, bounce + 1), list(shade_list, bounce), list(occlude_list, bounce)}; }
    template <bool intersects, bool shades, bool occludes>
    void launch(const char* name, List in, uint32_t bounce) {
        backend_.launch(name, Step<intersects, shades, occludes>{StageSet{view_}, list(in, bounce), lists_after(bounce), warp_size});
    }
    void enqueue() {
        backend_.launch("generate", FusedGenerate<StageSet>{StageSet{view_}, list(intersect_list, 0), warp_size});
        for (uint32_t bounce = 0; bounce <= job_.frame.max_depth; ++bounce) switch (fusion_) {
                case Fusion::Split:
                    launch<true, false, false>("intersect", intersect_list, bounce);
                    launch<false, true, false>("shade", shade_list, bounce);
                    launch<false, false, true>("occlude", occlude_list, bounce);
                    break;
                case Fusion::ShadeOcclude:
                    launch<true, false, false>("intersect", intersect_list, bounce);
                    launch<false, true, true>("shade, occlude", shade_list, bounce);
                    break;
                case Fusion::IntersectShade:
                    launch<true, true, false>("intersect, shade", intersect_list, bounce);
                    launch<false, false, true>("occlude", occlude_list, bounce);
                    break;
                case Fusion::All: launch<true, true, true>("all", intersect_list, bounce); break;
            }
    }
    uint64_t hash_film() {
        uint64_t hash = 0xcbf29ce484222325ull;
        const auto add = [&](const auto& words) {
            for (const auto word : words) hash = (hash ^ static_cast<uint64_t>(word)) * 0x100000001b3ull, hash = hash << 29 | hash >> 35;
        };
        FilmColumns<HostColumn> film;
        FilmView::for_each_column([&](const char*, auto& array, auto& host) { array.download(backend_, host); }, film_, film);
        add(film.radiance);
        add(film.samples);
        return hash;
    }
    /// Every entry is written once and read once.
    void count_entries(uint64_t num_rays) {
        std::vector<uint64_t> counts;
        counts_.download(backend_, counts);
        double entries = 0;
        for (const uint64_t n : counts) entries += static_cast<double>(n);
        list_bytes_per_ray_ = num_rays > 0 ? 2 * sizeof(uint32_t) * entries / static_cast<double>(num_rays) : 0;
    }
    template <class Kernel>
    FusedKernel kernel(const char* name) const {
        cudaFuncAttributes attributes{};
        cuda_check(cudaFuncGetAttributes(&attributes, run_kernel<Kernel>), "asking for a kernel's attributes");
        const auto groups = static_cast<int>(backend_.resident_groups<Kernel>(0, 0));
        const int per_block = static_cast<int>(backend_.groups_per_block<Kernel>(0));
        int device = 0;
        cuda_check(cudaGetDevice(&device), "asking for the device");
        return {name, attributes.numRegs, static_cast<int>(attributes.localSizeBytes), groups / per_block / num_multiprocessors(device)};
    }

    CudaBackend& backend_;
    RenderJob job_;
    Fusion fusion_;
    FrameView view_{};
    CudaBackend::FrameState state_;
    SlotColumns<CudaBackend::Array> slots_;
    FilmColumns<CudaBackend::Array> film_;
    Array<uint32_t> entries_;
    Array<uint64_t> counts_;
    uint64_t num_paths_ = 0;
    double list_bytes_per_ray_ = 0;
};

class CudaFusionProbe final : public FusionProbe {
  public:
    CudaFusionProbe(int device, const LoadedScene& scene) : scene_((use_device(device), scene)), backend_(device) {
        device_scene_.upload(backend_, scene_.impl().data, scene_.impl().bvh);
    }
    std::unique_ptr<FusedFrame> prepare(const RenderOptions& options, Fusion fusion) override {
        return std::make_unique<CudaFusedFrame>(backend_, device_scene_, make_job(scene_.impl().data, scene_.impl().bvh, options), fusion);
    }

  private:
    LoadedScene scene_;
    CudaBackend backend_;
    DeviceScene<CudaBackend> device_scene_;
};

}  // namespace

std::unique_ptr<FusionProbe> make_fusion_probe(int device, const LoadedScene& scene) { return std::make_unique<CudaFusionProbe>(device, scene); }

}  // namespace warpath::experiments
