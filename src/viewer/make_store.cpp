#include "viewer/app.h"
#ifdef WARPATH_HAS_CUDA
#include "viewer/cuda_store.h"
#endif

namespace warpath::viewer {

std::unique_ptr<PictureStore> make_store(const ViewOptions& options, Window& window) {
#ifdef WARPATH_HAS_CUDA
    if (options.render.backend != "cpu")
        if (std::unique_ptr<PictureStore> store = make_cuda_store(options.render.device, window)) return store;
#else
    (void)options, (void)window;
#endif
    return std::make_unique<HostStore>();
}

}  // namespace warpath::viewer
