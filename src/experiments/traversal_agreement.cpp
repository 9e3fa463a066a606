#include "experiments/traversal_agreement.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace warpath::experiments {
namespace {

bool is_hit(const TraversalResults& results, size_t ray) { return results.hits ? results.hits[ray].prim_id != invalid_id : results.occluded[ray] != 0; }

bool is_near(double a, double b, double share, double absolute) { return std::abs(a - b) <= std::max(share * std::min(a, b), absolute); }

void compare_ray(const TraversalResults& reference, const TraversalResults& other, size_t ray, double absolute, Agreement& sum) {
    const bool expected = is_hit(reference, ray);
    bool listed = false;
    if (expected != is_hit(other, ray)) {
        ++sum.hit_miss;
        listed = true;
    } else if (expected && reference.hits) {
        const Hit &a = reference.hits[ray], &b = other.hits[ray];
        if (is_near(a.t, b.t, Agreement::relative, 0)) {
            sum.ties += a.prim_id != b.prim_id;
        } else if (is_near(a.t, b.t, 0, absolute)) {
            ++sum.near;
        } else {
            ++sum.distance;
            listed = true;
        }
    }
    if (listed && sum.listed.size() < Agreement::most_listed) sum.listed.push_back(static_cast<uint32_t>(ray));
}

}  // namespace

Json Agreement::json() const {
    return {{"rays", num_rays}, {"ties", ties}, {"near", near}, {"distance", distance}, {"hit_miss", hit_miss}};
}

Agreement compare_results(const TraversalResults& reference, const TraversalResults& other, size_t num_rays, float diagonal) {
    constexpr size_t part_size = 1u << 16;
    std::vector<Agreement> parts((num_rays + part_size - 1) / part_size);
    tbb::parallel_for(size_t{0}, parts.size(), [&](size_t part) {
        for (size_t ray = part * part_size; ray < std::min(num_rays, (part + 1) * part_size); ++ray)
            compare_ray(reference, other, ray, Agreement::of_diagonal * diagonal, parts[part]);
    });
    Agreement sum;
    sum.num_rays = num_rays;
    for (const Agreement& part : parts) {
        sum.ties += part.ties, sum.near += part.near, sum.distance += part.distance, sum.hit_miss += part.hit_miss;
        const size_t room = Agreement::most_listed - sum.listed.size();
        sum.listed.insert(sum.listed.end(), part.listed.begin(), part.listed.begin() + static_cast<ptrdiff_t>(std::min(room, part.listed.size())));
    }
    return sum;
}

size_t num_refuted(const TraversalResults& results, const std::vector<uint32_t>& rays, const std::vector<double>& exact, float diagonal) {
    size_t n = 0;
    for (size_t i = 0; i < rays.size(); ++i) {
        const bool expected = std::isfinite(exact[i]);
        if (expected != is_hit(results, rays[i])) ++n;
        else if (expected && results.hits) n += !is_near(exact[i], results.hits[rays[i]].t, Agreement::relative, Agreement::of_diagonal * diagonal);
    }
    return n;
}

}  // namespace warpath::experiments
