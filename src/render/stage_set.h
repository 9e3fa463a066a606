#pragma once

#include "render/frame.h"
#include "render/stages/list.h"

namespace warpath {

/// The four stages of one frame, as schedulers see them: slot numbers in, stage ids out.
struct StageSet {
    FrameView frame;

    /// Paths to render; schedulers count them from 0, wherever in the frame they are.
    WARPATH_HD uint64_t num_paths() const { return frame.constants.num_range_paths(); }

    template <class Ctx>
    WARPATH_HD StageId generate(Ctx& ctx, uint32_t slot, uint64_t path_index) const {
        return Generate{frame}(ctx, slot, frame.constants.range.first + path_index);
    }
    /// Intersect and Occlude in pieces; see TraceCursor. The stack is a variable of its own beside the cursor.
    using Cursor = TraceCursor<EitherQuery>;
    using CursorStack = TraversalStack;
    WARPATH_HD Cursor trace_cursor(CursorStack& stack) const { return Cursor(frame, stack); }
    template <StageId stage, class Ctx>
    WARPATH_HD StageId run(Ctx& ctx, uint32_t slot) const {
        static_assert(stage != StageId::Generate, "Generate needs a path index");
        if constexpr (stage == StageId::Intersect) return Intersect{frame}(ctx, slot);
        if constexpr (stage == StageId::Shade) return Shade{frame}(ctx, slot);
        if constexpr (stage == StageId::Occlude) return Occlude{frame}(ctx, slot);
    }
};

}  // namespace warpath
