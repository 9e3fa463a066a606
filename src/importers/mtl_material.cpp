#include <algorithm>
#include <cmath>

#include "importers/mtl.h"
#include "importers/resource_path.h"

// How MTL statements become the principled material:
// - illum 0 and 1, or Ks 0 or absent: Lambert with albedo Kd (no dielectric reflection).
// - illum 2 and more: diffuse Kd under a dielectric whose reflectance at normal incidence is Ks: the ior gives max(Ks),
// the
//   specular colour gives Ks / max(Ks). The material lets only light that is not reflected reach the diffuse part, so
//   Kd + Ks > 1 gains no energy. GGX alpha = sqrt(2 / (Ns + 2)) (Walter et al., "Microfacet Models for Refraction",
//   EGSR 2007), roughness = sqrt(alpha); without Ns the reflection is rough.
// - Pm (PBR): metal with reflectance Ks, or Kd where Ks is absent or 0; Pr is the roughness.
// - illum 6 and 7: solid glass, tinted by Tf (white if absent), ior Ni (1.5 if absent), smooth unless Pr says
// otherwise; Ks is not
//   used. Tf elsewhere is not used: many exporters write it on opaque materials.
// - d (or 1 - Tr) and map_d are coverage. map_d: the alpha channel if the picture's varies, else its (red) value.
namespace warpath {

namespace {

Vec3 color(const Vec3& c, float limit = infinity) {
    return {clamp(c.x, 0.0f, limit), clamp(c.y, 0.0f, limit), clamp(c.z, 0.0f, limit)};
}

float roughness_from_exponent(float ns) { return std::pow(2.0f / (std::max(ns, 0.0f) + 2.0f), 0.25f); }

bool is_normal_map(const Texture& texture, const TextureFacts& facts) {
    if (facts.is_grey || facts.missing || texture.texels8.empty()) return false;
    double sum[3] = {0, 0, 0};
    const size_t n = texture.texels8.size() / 4;
    for (size_t i = 0; i < n; ++i)
        for (size_t c = 0; c < 3; ++c) sum[c] += texture.texels8[4 * i + c];
    const double to_mean = 1.0 / (255.0 * static_cast<double>(n));
    return std::abs(sum[0] * to_mean - 0.5) < 0.1 && std::abs(sum[1] * to_mean - 0.5) < 0.1 && sum[2] * to_mean > 0.75;
}

bool alpha_varies(const Texture& texture) {
    for (size_t i = 3; i < texture.texels8.size(); i += 4)
        if (texture.texels8[i] != 255) return true;
    return std::any_of(texture.texels32.begin(), texture.texels32.end(), [](const Vec4& t) { return t.w != 1.0f; });
}

/// Makes one material; the textures it names are loaded on the way.
class Converter {
  public:
    Converter(const MtlMaterial& mtl, TextureCache& textures, Scene& scene)
        : mtl_(mtl), textures_(textures), scene_(scene) {}

    Material run() {
        Material m;
        const float metallic = saturate(mtl_.pm.value_or(mtl_.map_pm ? 1.0f : 0.0f));
        const bool glass = (mtl_.illum == 6 || mtl_.illum == 7) && metallic == 0.0f;
        m.base_color = color(mtl_.kd.value_or(Vec3(mtl_.map_kd ? 1.0f : 0.8f)), 1.0f);
        if (mtl_.map_kd) m.base_color_tex = texture(*mtl_.map_kd, TextureUse::Color);
        if (glass)
            make_glass(m);
        else if (metallic > 0.0f)
            make_metal(m, metallic);
        else
            make_classic(m);
        set_emission(m);
        set_coverage(m);
        set_normals(m);
        return m;
    }

  private:
    TextureRef texture(const MtlMap& map, TextureUse use) {
        return reference(map, textures_.from_file(resolve(map), use));
    }

    std::filesystem::path resolve(const MtlMap& map) { return resolve_resource(mtl_.file, map.file, scene_.warnings); }

    /// Options -s and -o act on MTL coordinates, whose v runs up; with v' = 1 - v that is v'' = s v' + 1 - s - o.
    static TextureRef reference(const MtlMap& map, uint32_t index) {
        TextureRef ref;
        ref.texture = index;
        ref.m00 = map.scale_u, ref.m11 = map.scale_v;
        ref.offset = {map.offset_u, 1.0f - map.scale_v - map.offset_v};
        if (map.clamp) ref.wrap_u = ref.wrap_v = WrapMode::Clamp;
        return ref;
    }

    static uint8_t channel(const MtlMap& map, uint8_t otherwise) {
        switch (map.channel) {
            case 'r':
            case 'l':
                return 0;
            case 'g':
                return 1;
            case 'b':
                return 2;
            case 'm':
                return 3;
            default:
                return otherwise;
        }
    }

    TextureRef scalar_texture(const MtlMap& map) {
        TextureRef ref = texture(map, TextureUse::Data);
        ref.channel = channel(map, 0);
        return ref;
    }

    void make_glass(Material& m) {
        m.base_color = color(mtl_.tf.value_or(Vec3(1.0f)), 1.0f);
        m.base_color_tex = {};
        m.transmission = 1.0f;
        m.ior = mtl_.ni && *mtl_.ni > 0.0f ? clamp(*mtl_.ni, 0.1f, 10.0f) : 1.5f;
        set_roughness(m, 0.0f);
    }

    void make_metal(Material& m, float metallic) {
        const Vec3 ks = color(mtl_.ks.value_or(Vec3(0.0f)), 1.0f);
        // Where a map mixes metal and others, both take their colour from Kd, as other PBR writers mean it.
        if (!mtl_.map_pm && (!is_zero(ks) || is_zero(m.base_color))) {
            m.base_color = lerp(m.base_color, ks, metallic);
            if (mtl_.map_ks && metallic == 1.0f) m.base_color_tex = texture(*mtl_.map_ks, TextureUse::Color);
        }
        m.metallic = metallic;
        if (mtl_.map_pm) m.metallic_tex = scalar_texture(*mtl_.map_pm);
        set_roughness(m, 1.0f);
    }

    void make_classic(Material& m) {
        const Vec3 ks = color(mtl_.ks.value_or(Vec3(mtl_.map_ks ? 1.0f : 0.0f)), 1.0f);
        const int illum = mtl_.illum.value_or(2);
        m.roughness = 1.0f;
        m.specular = 0.0f;
        if (is_zero(ks) || illum == 0 || illum == 1) return;
        // A reflectance of 1 would need an infinite ior.
        const float f0 = std::min(max_component(ks), 0.98f), root = std::sqrt(f0);
        m.ior = (1.0f + root) / (1.0f - root);
        m.specular = 1.0f;
        m.specular_color = ks / max_component(ks);
        if (mtl_.map_ks) m.specular_color_tex = texture(*mtl_.map_ks, TextureUse::Color);
        set_roughness(m, 1.0f);
    }

    void set_roughness(Material& m, float otherwise) {
        m.roughness = otherwise;
        if (mtl_.pr || mtl_.map_pr) {
            m.roughness = saturate(mtl_.pr.value_or(1.0f));
            if (mtl_.map_pr) m.roughness_tex = scalar_texture(*mtl_.map_pr);
        } else if (m.transmission == 0.0f && mtl_.map_ns) {
            m.roughness = 1.0f;
            m.roughness_tex = roughness_from_map_ns(*mtl_.map_ns);
        } else if (m.transmission == 0.0f && mtl_.ns) {
            m.roughness = roughness_from_exponent(*mtl_.ns);
        }
    }

    /// map_Ns scales the exponent, which is not linear in roughness; so the roughness is computed texel by texel here.
    TextureRef roughness_from_map_ns(const MtlMap& map) {
        const float ns = std::max(mtl_.ns.value_or(1000.0f), 0.0f);
        const uint32_t source = textures_.from_file(resolve(map), TextureUse::Data);
        const uint8_t c = channel(map, 0);
        const std::string name =
            scene_.textures[source].name + " as roughness, Ns " + std::to_string(ns) + ", channel " + std::to_string(c);
        uint32_t index = textures_.find_made(name);
        if (index == invalid_id) {
            Texture made = scene_.textures[source];
            made.name = name;
            made.srgb = false;
            for (size_t i = 0; i < made.texels8.size(); i += 4) {
                const float r = roughness_from_exponent(ns * static_cast<float>(made.texels8[i + c]) / 255.0f);
                std::fill_n(made.texels8.begin() + static_cast<std::ptrdiff_t>(i), 3,
                            static_cast<uint8_t>(std::lround(r * 255.0f)));
            }
            for (Vec4& t : made.texels32) t = Vec4(Vec3(roughness_from_exponent(ns * t[c])), 1.0f);
            index = textures_.add(std::move(made));
        }
        return reference(map, index);
    }

    void set_emission(Material& m) {
        m.emission = color(mtl_.ke.value_or(Vec3(mtl_.map_ke ? 1.0f : 0.0f)));
        if (mtl_.map_ke) m.emission_tex = texture(*mtl_.map_ke, TextureUse::Color);
    }

    void set_coverage(Material& m) {
        m.alpha = saturate(mtl_.d.value_or(1.0f));
        if (mtl_.map_d) {
            const uint32_t index = textures_.from_file(resolve(*mtl_.map_d), TextureUse::Data);
            // The magenta stand-in for a missing picture must not cut holes.
            if (!textures_.facts(index).missing) {
                m.alpha_tex = reference(*mtl_.map_d, index);
                const bool use_alpha = textures_.facts(index).has_alpha && alpha_varies(scene_.textures[index]);
                m.alpha_tex.channel = channel(*mtl_.map_d, use_alpha ? 3 : 0);
            }
        }
        m.alpha_mode = m.alpha < 1.0f || m.alpha_tex.valid() ? AlphaMode::Blend : AlphaMode::Opaque;
    }

    void set_normals(Material& m) {
        const bool given = mtl_.map_norm.has_value();
        if (!given && !mtl_.map_bump) return;
        const MtlMap& map = given ? *mtl_.map_norm : *mtl_.map_bump;
        const uint32_t source = textures_.from_file(resolve(map), TextureUse::Data);
        if (textures_.facts(source).missing || map.bump == 0.0f) return;
        // Several exporters write normal maps under map_Bump; their mean colour gives them away.
        if (given || is_normal_map(scene_.textures[source], textures_.facts(source))) {
            m.normal_tex = reference(map, source);
            m.normal_scale = map.bump;
            return;
        }
        const std::string name = scene_.textures[source].name + " as normals, strength " + std::to_string(map.bump) +
                                 (map.clamp ? ", clamped" : "");
        uint32_t index = textures_.find_made(name);
        if (index == invalid_id) {
            Texture made = normals_from_heights(scene_.textures[source], map.bump, map.clamp);
            made.name = name;
            index = textures_.add(std::move(made));
        }
        m.normal_tex = reference(map, index);
    }

    const MtlMaterial& mtl_;
    TextureCache& textures_;
    Scene& scene_;
};

}  // namespace

Material make_mtl_material(const MtlMaterial& mtl, TextureCache& textures, Scene& scene) {
    return Converter(mtl, textures, scene).run();
}

Material default_obj_material() {
    Material m;
    m.base_color = Vec3(0.8f);
    m.specular = 0.0f;
    return m;
}

}  // namespace warpath
