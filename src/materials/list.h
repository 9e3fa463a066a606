#pragma once

#include "materials/conductor.h"
#include "materials/dielectric.h"
#include "materials/lambert.h"
#include "materials/principled.h"

/// The materials. A material is a struct with
///
///     static constexpr MaterialKind kind
///     bool accepts(const Material&)                                  it can stand in for the principled material
///     LobeMix mix(const MaterialParams&)                             how much it has of each lobe (lobes.h)
///
/// A lobe that no material has yet goes into lobes.h, once for all.
/// To add one: a file, its kind in scene/material.h, and its name in this list, before Principled, which accepts all.
namespace warpath {

template <class... Ts>
struct MaterialSet {
    /// Calls f.template operator()<Material>() for the material of this kind: the switch over the closed set.
    template <class Result, class F>
    WARPATH_HD static Result visit(MaterialKind kind, const F& f) {
        Result result{};
        static_cast<void>(((kind == Ts::kind ? (result = f(Ts{}), true) : false) || ...));
        return result;
    }
    /// The first material of the list that can stand in for the principled one.
    static MaterialKind first_accepting(const Material& material) {
        MaterialKind kind = MaterialKind::Principled;
        static_cast<void>(((Ts::accepts(material) ? (kind = Ts::kind, true) : false) || ...));
        return kind;
    }
};

using Materials = MaterialSet<Lambert, Conductor, Dielectric, Principled>;

}  // namespace warpath
