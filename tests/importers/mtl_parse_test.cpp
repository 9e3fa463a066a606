#include <gtest/gtest.h>

#include "importers/mtl.h"

namespace warpath::test {
namespace {

struct Parsed {
    std::vector<MtlMaterial> materials;
    std::vector<std::string> warnings;
    const MtlMaterial& operator()(size_t i = 0) const { return materials.at(i); }
};

Parsed parse(std::string text) {
    Parsed p;
    p.materials = parse_mtl(text, "test.mtl", p.warnings);
    return p;
}

MtlMap map_of(const std::string& arguments) { return parse("newmtl a\nmap_Kd " + arguments + "\n")().map_kd.value(); }

TEST(ParseMtl, absent_is_not_zero) {
    const Parsed p = parse("newmtl a\nnewmtl b\nKd 0 0 0\nNs 0\nd 0\nillum 0\n");
    ASSERT_EQ(p.materials.size(), 2u);
    EXPECT_FALSE(p(0).kd || p(0).ks || p(0).ns || p(0).d || p(0).illum || p(0).map_kd);
    EXPECT_EQ(p(1).kd, Vec3(0.0f));
    EXPECT_EQ(p(1).ns, 0.0f);
    EXPECT_EQ(p(1).d, 0.0f);
    EXPECT_EQ(p(1).illum, 0);
}

TEST(ParseMtl, all_values) {
    const Parsed p = parse(
        "newmtl a b\nKd .1 2e-1 +0.3\nKs 0.4\nKe 5 6 7\nTf 0.8 0.9 1\nNs 96.078\nNi 1.33\nPr 0.25\nPm 1\nillum 7\n");
    EXPECT_EQ(p().name, "a b");
    EXPECT_EQ(p().kd, Vec3(0.1f, 0.2f, 0.3f));
    EXPECT_EQ(p().ks, Vec3(0.4f)) << "one number stands for three";
    EXPECT_EQ(p().ke, Vec3(5, 6, 7));
    EXPECT_EQ(p().tf, Vec3(0.8f, 0.9f, 1.0f));
    EXPECT_FLOAT_EQ(p().ns.value(), 96.078f);
    EXPECT_FLOAT_EQ(p().ni.value(), 1.33f);
    EXPECT_EQ(p().pr, 0.25f);
    EXPECT_EQ(p().pm, 1.0f);
    EXPECT_EQ(p().illum, 7);
    EXPECT_TRUE(p.warnings.empty());
}

TEST(ParseMtl, d_wins_over_tr_in_either_order) {
    EXPECT_EQ(parse("newmtl a\nd 0.25\n")().d, 0.25f);
    EXPECT_EQ(parse("newmtl a\nTr 0.75\n")().d, 0.25f);
    EXPECT_EQ(parse("newmtl a\nTr 0.75\nd 1\n")().d, 1.0f);
    EXPECT_EQ(parse("newmtl a\nd 1\nTr 0.75\n")().d, 1.0f);
    EXPECT_EQ(parse("newmtl a\nd -halo 0.5\n")().d, 0.5f);
}

TEST(ParseMtl, keys_in_any_letter_case_line_ends_and_indents) {
    const Parsed p = parse("\xEF\xBB\xBF# x\r\nNEWMTL a \r\n\tKD 1 0 0\r\n  map_bump n.png\r\n\tillum\t1");
    EXPECT_EQ(p().name, "a");
    EXPECT_EQ(p().kd, Vec3(1, 0, 0));
    EXPECT_EQ(p().map_bump.value().file, "n.png");
    EXPECT_EQ(p().illum, 1);
}

TEST(ParseMtl, options_may_have_fewer_values_than_allowed) {
    EXPECT_EQ(map_of("-s 2 wood.png").scale_u, 2.0f);
    EXPECT_EQ(map_of("-s 2 wood.png").scale_v, 1.0f);
    EXPECT_EQ(map_of("-s 2 wood.png").file, "wood.png");
    const MtlMap m = map_of("-o 0.5 0.25 -s 2 3 1 -clamp on -bm 0.5 -imfchan g my wood 2.png");
    EXPECT_EQ(m.offset_u, 0.5f);
    EXPECT_EQ(m.offset_v, 0.25f);
    EXPECT_EQ(m.scale_u, 2.0f);
    EXPECT_EQ(m.scale_v, 3.0f);
    EXPECT_EQ(m.bump, 0.5f);
    EXPECT_EQ(m.channel, 'g');
    EXPECT_TRUE(m.clamp);
    EXPECT_EQ(m.file, "my wood 2.png");
    EXPECT_EQ(map_of("-s 1 1 2").file, "2") << "the last word is the file";
    EXPECT_FALSE(map_of("-clamp off a.png").clamp);
}

TEST(ParseMtl, other_options_are_skipped_with_their_values) {
    EXPECT_EQ(map_of("-blendu off -blendv on -cc off -mm 0.1 1.5 -boost 2 -texres 512 -t 1 1 1 -type sphere "
                     "-colorspace sRGB w.png")
                  .file,
              "w.png");
}

TEST(ParseMtl, options_after_the_file_name_and_names_with_spaces) {
    const MtlMap m = map_of("my  wood.png -s 4 4 4");
    EXPECT_EQ(m.file, "my  wood.png");
    EXPECT_EQ(m.scale_u, 4.0f);
}

TEST(ParseMtl, every_map_is_kept_apart) {
    const Parsed p =
        parse("newmtl a\nmap_Kd 1\nmap_Ks 2\nmap_Ke 3\nmap_Ns 4\nmap_d 5\nbump 6\nnorm 7\nmap_Pr 8\nmap_Pm 9\n");
    const MtlMaterial& m = p();
    const std::optional<MtlMap>* maps[] = {&m.map_kd,   &m.map_ks,   &m.map_ke, &m.map_ns, &m.map_d,
                                           &m.map_bump, &m.map_norm, &m.map_pr, &m.map_pm};
    for (size_t i = 0; i < 9; ++i) EXPECT_EQ(maps[i]->value().file, std::to_string(i + 1));
}

TEST(ParseMtl, what_makes_no_sense_is_a_warning_with_its_line) {
    const Parsed p = parse("Kd 1 1 1\nnewmtl a\nKd spectral file.rfl\nNs many\nmap_Kd\nKs 1 1\nKe nan 0 0\nKa 1 1 1\n");
    EXPECT_FALSE(p().kd || p().ns || p().map_kd || p().ks || p().ke);
    ASSERT_EQ(p.warnings.size(), 6u);
    EXPECT_NE(p.warnings[0].find("test.mtl:1:"), std::string::npos);
    EXPECT_NE(p.warnings[1].find("test.mtl:3:"), std::string::npos);
}

TEST(ParseMtl, garbage_gives_no_materials) {
    EXPECT_TRUE(parse("").materials.empty());
    EXPECT_TRUE(parse(std::string("\0\x01\xff newmtl\n\n", 12)).materials.empty());
}

}  // namespace
}  // namespace warpath::test
