#pragma once

#include <cstring>

#include "core/copy_words.h"
#include "render/develop.h"
#include "render/frame.h"
#include "render/stages/list.h"

namespace warpath {

/// What may change from task to task of a kernel that stays. Pointers may not.
struct LiveConstants {
    FrameConstants frame;
    FilmConstants film;
    SceneConstants scene;
};
inline constexpr uint32_t num_live_words = (sizeof(LiveConstants) + 7) / 8;

/// The four stages of one frame, as schedulers see them: slot numbers in, stage ids out. `Traversal`: see TraceCursor.
template <class Traversal>
struct StagesWith {
    FrameView frame;

    /// Paths to render; schedulers count them from 0, wherever in the frame they are.
    WARPATH_HD uint64_t num_paths() const { return frame.constants.num_range_paths(); }

    template <class Ctx>
    WARPATH_HD StageId generate(Ctx& ctx, uint32_t slot, uint64_t path_index) const {
        return Generate{frame}(ctx, slot, frame.first() + path_index);
    }
    /// Intersect and Occlude in pieces; see TraceCursor. The stack is a variable of its own beside the cursor.
    using Cursor = TraceCursor<EitherQuery, Traversal>;
    using CursorStack = typename Traversal::Stack;
    WARPATH_HD Cursor trace_cursor(CursorStack& stack) const { return Cursor(frame, stack); }
    /// For a kernel that stays while frames change: a copy with other constants (bytes of LiveConstants; null: these) and another range.
    using Live = StagesWith;
    /// The lanes of a group call together and copy a word each at a time.
    template <class Ctx>
    WARPATH_HD void make_live(Ctx& ctx, Live& live, const uint64_t* constants, uint64_t first, uint64_t count) const {
        static_assert(sizeof(StagesWith) % 4 == 0 && sizeof(FrameConstants) % 4 == 0 && sizeof(FilmConstants) % 4 == 0 && sizeof(SceneConstants) % 4 == 0);
        copy_words(ctx, &live, this, sizeof(StagesWith));
        ctx.sync_group();
        if (constants) {
            const LiveConstants& now = *reinterpret_cast<const LiveConstants*>(constants);
            copy_words(ctx, &live.frame.constants, &now.frame, sizeof(FrameConstants));
            copy_words(ctx, static_cast<FilmConstants*>(&live.frame.film), &now.film, sizeof(FilmConstants));
            copy_words(ctx, static_cast<SceneConstants*>(&live.frame.scene), &now.scene, sizeof(SceneConstants));
        }
        ctx.sync_group();
        if (ctx.lane() != 0) return;
        live.frame.constants.range = {first, count};
        live.frame.first_path = nullptr;
    }
    static constexpr uint32_t num_constant_words = num_live_words;
    /// What make_live takes, of this frame; the range is left out, as tasks bring their own. Shapes: words[num_constant_words].
    void put_constants(uint64_t* words) const {
        LiveConstants now{frame.constants, frame.film, frame.scene};
        now.frame.range = {};
        memcpy(words, &now, sizeof now);
    }
    /// All lanes of all groups call.
    template <class Ctx>
    WARPATH_HD void clear_film(Ctx& ctx) const {
        warpath::clear_film(FilmLane::of(ctx), frame.film, frame.constants.width * frame.constants.height);
    }
    /// `words`: bytes of a DevelopSettings. All lanes of all groups call.
    template <class Ctx>
    WARPATH_HD void develop(Ctx& ctx, const uint64_t* words) const {
        DevelopSettings settings;
        memcpy(static_cast<void*>(&settings), words, sizeof settings);
        develop_pixels(FilmLane::of(ctx), frame.film, settings);
    }
    /// `words`: bytes of a Material.
    WARPATH_HD void set_material(uint64_t id, const uint64_t* words) const {
        if (id < frame.scene.materials.size) memcpy(static_cast<void*>(const_cast<Material*>(frame.scene.materials.data + id)), words, sizeof(Material));
    }
    WARPATH_HD PathRange range() const { return frame.constants.range; }

    template <StageId stage, class Ctx>
    WARPATH_HD StageId run(Ctx& ctx, uint32_t slot) const {
        static_assert(stage != StageId::Generate, "Generate needs a path index");
        if constexpr (stage == StageId::Intersect) return trace_slot<NearestQuery, Traversal>(frame, ctx, slot, stage);
        if constexpr (stage == StageId::Shade) return Shade{frame}(ctx, slot);
        if constexpr (stage == StageId::Occlude) return trace_slot<AnyQuery, Traversal>(frame, ctx, slot, stage);
    }
};
using StageSet = StagesWith<TwoChildTraversal>;

}  // namespace warpath
