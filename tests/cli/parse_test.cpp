#include "cli/parse.h"

#include <gtest/gtest.h>

#include "cli/film_size.h"
#include "cli/log.h"
#include "cli/progress_report.h"
#include "warpath/error.h"

namespace warpath::cli {
namespace {

/// The message of the Error{BadOption} that `call` must throw; it must name flag and text.
template <class Call>
std::string refusal(const std::string& text, const Call& call) {
    try {
        call();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::BadOption);
        EXPECT_NE(std::string(e.what()).find("--flag '" + text + "'"), std::string::npos) << e.what();
        return e.what();
    }
    ADD_FAILURE() << "'" << text << "' was accepted";
    return {};
}

TEST(parse_integer, reads_whole_numbers_in_range) {
    EXPECT_EQ(parse_integer("--flag", "1", 1, 10), 1u);
    EXPECT_EQ(parse_integer("--flag", "10", 1, 10), 10u);
    EXPECT_EQ(parse_integer("--flag", "007", 1, 10), 7u);
    EXPECT_EQ(parse_integer("--flag", "18446744073709551615", 0, UINT64_MAX), UINT64_MAX);
}

TEST(parse_integer, refuses_everything_else) {
    for (const std::string text : {"", " ", "0", "11", "-1", "+1", "1.0", "1e1", "16x", "x", "many", "1 ", " 1", "0x1",
                                   "1,0", "nan", "18446744073709551616", "99999999999999999999999999"})
        EXPECT_NE(refusal(text, [&] { parse_integer("--flag", text, 1, 10); }).find("from 1 to 10"), std::string::npos);
}

TEST(parse_number, reads_signs_points_and_exponents) {
    EXPECT_EQ(parse_number("--flag", "-1.5", -2, 2), -1.5);
    EXPECT_EQ(parse_number("--flag", "+.5e0", -2, 2), 0.5);
    EXPECT_EQ(parse_number("--flag", "2", -2, 2), 2.0);
    EXPECT_EQ(parse_number("--flag", "1E-3", -2, 2), 1e-3);
}

TEST(parse_number, refuses_everything_else) {
    for (const std::string text :
         {"", "2.1", "-2.1", "nan", "inf", "-inf", "1e999", "1.5x", "1,5", "--1", "+-1", "++1", "0x1", "1e"})
        refusal(text, [&] { parse_number("--flag", text, -2, 2); });
}

TEST(parse_size, reads_width_and_height) {
    const FilmSize size = parse_size("--flag", "1920x1080");
    EXPECT_EQ(size.width, 1920u);
    EXPECT_EQ(size.height, 1080u);
    EXPECT_EQ(parse_size("--flag", "4294967295x1").width, 4294967295u);
}

TEST(parse_size, refuses_everything_else) {
    for (const std::string text : {"", "x", "16", "16x", "x16", "0x0", "0x16", "16x0", "-4x4", "3.5x2", "3x2x1", "3X2",
                                   "3x2 ", "3 x2", "3*2", "4294967296x1", "axb", "1e3x1"})
        refusal(text, [&] { parse_size("--flag", text); });
}

TEST(parse_camera, reads_negative_numbers_and_exponents) {
    const CameraOption camera = parse_camera("--flag", "-1,2.5,-3e-2/0,+0,1e-46/0,1,-.5/0.05595291");
    EXPECT_EQ(camera.eye, (std::array<float, 3>{-1.0f, 2.5f, -0.03f}));
    EXPECT_EQ(camera.target, (std::array<float, 3>{0.0f, 0.0f, 0.0f}));
    EXPECT_EQ(camera.up, (std::array<float, 3>{0.0f, 1.0f, -0.5f}));
    EXPECT_EQ(camera.vfov_deg, 0.05595291f);
}

TEST(parse_camera, reads_back_what_format_camera_writes) {
    const CameraOption camera{{0.1f, -1e-20f, 3e20f}, {16777217.0f, 0, 1.0f / 3}, {0, 1, 0}, 39.9999f};
    const CameraOption read = parse_camera("--flag", format_camera(camera));
    EXPECT_EQ(read.eye, camera.eye);
    EXPECT_EQ(read.target, camera.target);
    EXPECT_EQ(read.up, camera.up);
    EXPECT_EQ(read.vfov_deg, camera.vfov_deg);
}

TEST(parse_camera, refuses_what_is_no_view) {
    for (const std::string text :
         {"", "0,0,4", "0,0,4/0,0,0/0,1,0", "0,0,4/0,0,0/0,1,0/40/1", "0,0/0,0,0/0,1,0/40", "0,0,4,5/0,0,0/0,1,0/40",
          "a,0,4/0,0,0/0,1,0/40", "0,0,nan/0,0,0/0,1,0/40", "0,0,1e39/0,0,0/0,1,0/40", "0,0,4/0,0,0/0,1,0/0",
          "0,0,4/0,0,0/0,1,0/180", "0,0,4/0,0,0/0,1,0/-40", "0,0,4/0,0,0/0,1,0/nan", "0,0,4/0,0,4/0,1,0/40",
          "0,0,4/0,0,0/0,0,1/40", "0,0,4/0,0,0/0,0,0/40", "0,0,4/0,0,0/0,1,0/40x"})
        refusal(text, [&] { parse_camera("--flag", text); });
}

TEST(parse_camera, accepts_views_whose_squares_overflow_a_float) {
    parse_camera("--flag", "0,0,1e30/0,0,0/0,1e30,0/40");
    parse_camera("--flag", "0,0,1e-30/0,0,0/0,1e-30,0/40");
}

TEST(parse_choices, reads_a_list_and_names_the_known) {
    EXPECT_EQ(parse_choices("--flag", "b,a,b", {"a", "b", "c"}), (std::vector<std::string>{"b", "a"}));
    for (const std::string text : {"", "d", "a,", ",a", "a,d", "A", "a b"})
        EXPECT_NE(refusal(text,
                          [&] {
                              parse_choices("--flag", text, {"a", "b", "c"});
                          })
                      .find("a, b and c"),
                  std::string::npos);
    for (const std::string text : {"", "d", "a,b", "A"})
        EXPECT_NE(refusal(text,
                          [&] {
                              parse_choice("--flag", text, {"a", "b", "c"});
                          })
                      .find("a, b and c"),
                  std::string::npos);
}

TEST(check_film_size, refuses_what_cannot_be_held_and_says_how_many_bytes) {
    check_film_size(1, 1, {});
    check_film_size(1920, 1080, {"albedo", "normal", "depth", "samples", "cost"});
    // 40 bytes a pixel: three sums of 8 and three floats of 4, and a count of 4.
    for (const auto& [width, height, bytes] : {std::tuple{100000u, 100000u, "400000000000 bytes"},
                                               {4294967295u, 4294967295u, "bytes"},
                                               {4294967295u, 1u, "171798691800 bytes"}}) {
        try {
            check_film_size(width, height, {});
            ADD_FAILURE() << width << "x" << height;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::BadOption);
            EXPECT_NE(std::string(e.what()).find("--size"), std::string::npos) << e.what();
            EXPECT_NE(std::string(e.what()).find(bytes), std::string::npos) << e.what();
        }
    }
    EXPECT_EQ(film_bytes(10, 10, {"albedo", "samples", "depth"}), 100u * (40 + 36 + 4 + 12));
}

TEST(progress_text, shows_samples_rate_and_remaining_time) {
    EXPECT_EQ(progress_text({250, 1000, 30000000, 10.0}, 64),
              "16/64 spp  25 %  3.0 Mrays/s  elapsed 0:10  remaining 0:30");
    EXPECT_EQ(progress_text({0, 1000, 0, 0.0}, 64), "0/64 spp  0 %  0.0 Mrays/s  elapsed 0:00  remaining ?");
}

TEST(progress_bar, fits_the_terminal) {
    EXPECT_EQ(progress_bar(0.5, "text", 17), "[=====>    ] text");
    EXPECT_EQ(progress_bar(1.0, "text", 17), "[==========] text");
    EXPECT_EQ(progress_bar(0.5, "a long text", 8), "a long t");
    for (const double fraction : {-1.0, 0.0, 0.3, 1.0, 2.0})
        for (size_t columns = 0; columns < 120; ++columns)
            EXPECT_LE(progress_bar(fraction, "text", columns).size(), columns);
}

TEST(duration_text, shows_hours_only_when_there_are_any) {
    EXPECT_EQ(duration_text(0.4), "0:00");
    EXPECT_EQ(duration_text(65), "1:05");
    EXPECT_EQ(duration_text(7384), "2:03:04");
}

TEST(bytes_text, chooses_the_unit) {
    EXPECT_EQ(bytes_text(1023), "1023 B");
    EXPECT_EQ(bytes_text(1536), "1.5 KiB");
    EXPECT_EQ(bytes_text(uint64_t{3} << 40), "3.0 TiB");
}

TEST(printable, keeps_one_line_one_line) { EXPECT_EQ(printable("a\nwarning: b\x1b[31m"), "a?warning: b?[31m"); }

}  // namespace
}  // namespace warpath::cli
