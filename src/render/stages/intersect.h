#pragma once

#include "render/stages/trace.h"

namespace warpath {

/// Traces a slot's extension ray to its nearest hit.
struct Intersect {
    static constexpr StageId id = StageId::Intersect;
    const FrameView& frame;

    template <class Ctx>
    WARPATH_HD StageId operator()(Ctx& ctx, uint32_t slot) const {
        return trace_slot<NearestQuery>(frame, ctx, slot, id);
    }
};

}  // namespace warpath
