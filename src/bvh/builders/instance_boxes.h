#pragma once

#include "bvh/build.h"

/// Boxes of instances in the upper tree, and why no ray that meets an instance's triangles can miss them.
///
/// A ray goes through an instance as (o', d') = (L o + a, L d), rounded; L and a are what InstanceSpace::to_object holds,
/// and the instance's triangles are, by definition, where the exact inverse B of that map takes them. All triangles see
/// the same (o', d'), and the mesh's own tree is padded for any ray, so a mesh has no cracks at its place either. What is
/// left is the upper tree: its box must let pass every world ray whose (o', d') meets the mesh.
///
/// Notation as in ray_setup.h: e = 2^-24; O = largest coordinate of the world ray's origin. X_j = largest coordinate of
/// the placed box on axis j; V = largest coordinate of the mesh in its own space; |M| has the magnitudes of M.
/// A row of the map is three roundings, so component i of o' + t d' is wrong by at most
///     3 e (sum_j |L_ij| (|o_j| + |t d_j|) + |a_i|),     where |t d_j| <= X_j + |o_j| as long as the ray is in the box,
/// and the tests of the mesh's tree err by 7 e (V + O'), with O' <= max_i (sum_j |L_ij| O + |a_i|). Seen from the world,
/// that is at most |B| times as much. So on axis k the box is padded by
///     e sum_i |B_ki| (3 (sum_j |L_ij| X_j + |a_i|) + 7 (V + max_i |a_i|)) + 5 e X_k,
/// the last term for the slab distances and for rounding the box, and rays widen every slab, beyond origin_slack, by
///     e O max_k (6 sum_i |B_ki| sum_j |L_ij| + 7 sum_i |B_ki| max_i sum_j |L_ij|) <= 13 stretch e O
/// for the instance where that is largest. Both are multiplied by 5/4, for products of errors and for O' itself.
namespace warpath {

/// By instance. Threads: uses oneTBB.
std::vector<Bounds> instance_boxes(const BvhGeometry& geometry);

/// Makes `columns.instances` out of the geometry's, and `origin_slack`; `mesh_roots` are there.
void enter_instances(const BvhGeometry& geometry, Bvh& bvh);

}  // namespace warpath
