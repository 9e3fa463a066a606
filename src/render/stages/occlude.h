#pragma once

#include "render/stages/trace.h"

namespace warpath {

/// Traces a slot's shadow ray and adds its radiance if nothing is in the way. Finishes the path if it was only waiting
/// for that.
struct Occlude {
    static constexpr StageId id = StageId::Occlude;
    const FrameView& frame;

    template <class Ctx>
    WARPATH_HD StageId operator()(Ctx& ctx, uint32_t slot) const {
        return trace_slot<AnyQuery>(frame, ctx, slot, id);
    }
};

}  // namespace warpath
