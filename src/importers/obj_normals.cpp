#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "importers/obj_data.h"
#include "importers/triangulate.h"

namespace warpath {

namespace {

/// Unit normals of the faces; (0,0,0) for those without area.
std::vector<Vec3> face_normals(const ObjData& data) {
    std::vector<Vec3> normals(data.faces.size(), Vec3(0.0f));
    std::vector<Vec3> polygon;
    for (size_t f = 0; f < data.faces.size(); ++f) {
        polygon.clear();
        for (size_t c = data.faces[f].first_corner; c < data.corner_end(f); ++c)
            polygon.push_back(data.positions[data.corners[c].position]);
        const glm::dvec3 n = newell_normal(polygon);
        const double length = std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
        if (length > 0.0 && std::isfinite(length)) normals[f] = Vec3(n / length);
    }
    return normals;
}

/// The angle of a face at one of its corners, in [0, pi].
float corner_angle(const ObjData& data, size_t first, size_t end, size_t corner) {
    const auto at = [&](size_t c) { return glm::dvec3(data.positions[data.corners[c].position]); };
    const glm::dvec3 here = at(corner);
    const glm::dvec3 a = at(corner == first ? end - 1 : corner - 1) - here,
                     b = at(corner + 1 == end ? first : corner + 1) - here;
    const double lengths = std::sqrt((a.x * a.x + a.y * a.y + a.z * a.z) * (b.x * b.x + b.y * b.y + b.z * b.z));
    const double cosine = (a.x * b.x + a.y * b.y + a.z * b.z) / lengths;
    return lengths > 0.0 && std::isfinite(cosine) ? static_cast<float>(std::acos(std::clamp(cosine, -1.0, 1.0))) : 0.0f;
}

Vec3 unit_or_zero(Vec3 v) {
    const float length = std::sqrt(dot(v, v));
    return length > 1e-6f ? v / length : Vec3(0.0f);
}

/// The summed normals of each (position, group). They form a chain per position, which is short, as few positions lie
/// in several groups; what a chain has no room for is hashed, so that hostile files stay linear.
class GroupSums {
  public:
    explicit GroupSums(size_t num_positions) : head_(num_positions, invalid_id) {}

    uint32_t find_or_add(uint32_t position, uint32_t group) {
        uint32_t s = head_[position], length = 0;
        for (; s != invalid_id && sums_[s].group != group; s = sums_[s].next) ++length;
        if (s != invalid_id) return s;
        const auto added = static_cast<uint32_t>(sums_.size());
        if (length < max_chain) {
            sums_.push_back({Vec3(0.0f), group, head_[position]});
            head_[position] = added;
            return added;
        }
        const auto [it, is_new] = hashed_.try_emplace(uint64_t{position} << 32 | group, added);
        if (is_new) sums_.push_back({Vec3(0.0f), group, invalid_id});
        return it->second;
    }
    void add(uint32_t sum, Vec3 normal) { sums_[sum].normal += normal; }
    void append_to(std::vector<Vec3>& normals) const {
        for (const Sum& s : sums_) normals.push_back(unit_or_zero(s.normal));
    }

  private:
    static constexpr uint32_t max_chain = 32;
    struct Sum {
        Vec3 normal;
        uint32_t group, next;
    };
    std::vector<uint32_t> head_;
    std::vector<Sum> sums_;
    std::unordered_map<uint64_t, uint32_t> hashed_;
};

void smooth_groups(ObjData& data, const std::vector<Vec3>& face_normal) {
    GroupSums sums(data.positions.size());
    const auto base = static_cast<uint32_t>(data.normals.size());
    for (size_t f = 0; f < data.faces.size(); ++f) {
        const ObjFace& face = data.faces[f];
        if (face.smoothing == 0) continue;
        for (size_t c = face.first_corner; c < data.corner_end(f); ++c) {
            ObjCorner& corner = data.corners[c];
            if (corner.normal != invalid_id) continue;
            const uint32_t s = sums.find_or_add(corner.position, face.smoothing);
            sums.add(s, face_normal[f] * corner_angle(data, face.first_corner, data.corner_end(f), c));
            corner.normal = base + s;
        }
    }
    sums.append_to(data.normals);
}

/// Corners by position: those of position p are order[begin[p] .. begin[p + 1]).
struct Incidence {
    std::vector<uint32_t> begin, order;
    std::vector<uint32_t> face;  ///< of each corner
    std::vector<float> angle;    ///< at each corner
};

Incidence corners_by_position(const ObjData& data) {
    Incidence in;
    in.begin.assign(data.positions.size() + 1, 0);
    for (const ObjCorner& c : data.corners) ++in.begin[c.position + 1];
    for (size_t p = 0; p < data.positions.size(); ++p) in.begin[p + 1] += in.begin[p];
    in.order.resize(data.corners.size());
    in.face.resize(data.corners.size());
    in.angle.resize(data.corners.size());
    std::vector<uint32_t> fill(in.begin.begin(), in.begin.end() - 1);
    for (size_t f = 0; f < data.faces.size(); ++f)
        for (size_t c = data.faces[f].first_corner; c < data.corner_end(f); ++c) {
            in.order[fill[data.corners[c].position]++] = static_cast<uint32_t>(c);
            in.face[c] = static_cast<uint32_t>(f);
            in.angle[c] = corner_angle(data, data.faces[f].first_corner, data.corner_end(f), c);
        }
    return in;
}

/// Faces around one position that have the very same normal.
struct Facet {
    Vec3 normal;
    float weight;     ///< sum of the angles
    uint32_t smooth;  ///< index of its smoothed normal; invalid_id: stays flat
};

/// Gives each facet the mean over those that lean by less than 30 degrees from it; one without such company stays flat.
void smooth_facets(std::vector<Facet>& facets, std::vector<Vec3>& normals) {
    constexpr float cos_limit = 0.8660254f;
    const size_t first = normals.size();
    for (Facet& own : facets) {
        Vec3 sum(0.0f);
        bool shared = false;
        for (const Facet& other : facets) {
            if (&other != &own && dot(other.normal, own.normal) <= cos_limit) continue;
            sum += other.normal * other.weight;
            shared = shared || &other != &own;
        }
        const Vec3 normal = unit_or_zero(sum);
        if (!shared || is_zero(normal)) continue;
        own.smooth = static_cast<uint32_t>(
            std::find(normals.begin() + static_cast<std::ptrdiff_t>(first), normals.end(), normal) - normals.begin());
        if (own.smooth == normals.size()) normals.push_back(normal);
    }
}

void smooth_by_angle(ObjData& data, const std::vector<Vec3>& face_normal) {
    // Comparing facets costs the square of their number; a hub of more than this stays flat rather than taking minutes.
    constexpr size_t max_facets = 2048;
    const Incidence in = corners_by_position(data);
    std::vector<Facet> facets;
    std::vector<uint32_t> facet_of;  // of each corner at the position
    for (size_t p = 0; p < data.positions.size(); ++p) {
        facets.clear(), facet_of.clear();
        for (size_t i = in.begin[p]; i < in.begin[p + 1] && facets.size() <= max_facets; ++i) {
            const uint32_t corner = in.order[i];
            const Vec3 normal = face_normal[in.face[corner]];
            size_t k = 0;
            while (k < facets.size() && facets[k].normal != normal) ++k;
            if (k == facets.size()) facets.push_back({normal, 0.0f, invalid_id});
            facets[k].weight += in.angle[corner];
            facet_of.push_back(static_cast<uint32_t>(k));
        }
        if (facets.size() < 2 || facets.size() > max_facets) continue;
        smooth_facets(facets, data.normals);
        for (size_t i = 0; i < facet_of.size(); ++i)
            data.corners[in.order[in.begin[p] + i]].normal = facets[facet_of[i]].smooth;
    }
}

}  // namespace

void make_obj_normals(ObjData& data) {
    const bool by_angle = data.normals.empty() && !data.has_smoothing;
    const bool by_group =
        std::any_of(data.faces.begin(), data.faces.end(), [](const ObjFace& f) { return f.smoothing != 0; });
    if (!by_angle && !by_group) return;
    const std::vector<Vec3> normals = face_normals(data);
    if (by_group) smooth_groups(data, normals);
    if (by_angle) smooth_by_angle(data, normals);
}

}  // namespace warpath
