#include "viewer/recording.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "support/temporary_folder.h"
#include "warpath/error.h"

namespace warpath::viewer {
namespace {

Recording some_passes() {
    Recording recording;
    for (int i = 0; i < 20; ++i) {
        PassSample sample;
        sample.scheduler = i % 2 ? "launch" : "persistent";
        sample.side = i % 2 ? 'B' : 'A';
        sample.time_s = i, sample.time_ms = i % 2 ? 5 : 4, sample.num_samples = 1;
        recording.add(sample);
    }
    return recording;
}

TEST(Recording, csv_has_a_line_for_each_pass_and_a_cell_for_each_column) {
    std::istringstream lines(some_passes().csv());
    size_t num_lines = 0, num_commas = 0;
    for (std::string line; std::getline(lines, line); ++num_lines) {
        const size_t commas = static_cast<size_t>(std::count(line.begin(), line.end(), ','));
        if (num_lines == 0) num_commas = commas;
        EXPECT_EQ(commas, num_commas) << line;
    }
    EXPECT_EQ(num_lines, 21u);
}

TEST(Recording, json_has_medians_by_scheduler) {
    const auto json = nlohmann::json::parse(some_passes().json("a \"scene\"", "a device"));
    EXPECT_EQ(json["scene"], "a \"scene\"");
    EXPECT_EQ(json["passes"].size(), 20u);
    EXPECT_EQ(json["by_scheduler"]["launch"]["passes"], 10);
    EXPECT_EQ(json["by_scheduler"]["launch"]["time_ms"]["median"], 5);
    EXPECT_EQ(json["by_scheduler"]["persistent"]["time_ms"]["hi95"], 4);
}

TEST(Recording, is_written_by_extension) {
    const test::TemporaryFolder folder;
    some_passes().write(folder.path() / "a.csv", "", "");
    some_passes().write(folder.path() / "a.json", "", "");
    EXPECT_TRUE(nlohmann::json::accept(test::file_bytes(folder.path() / "a.json")));
    EXPECT_THROW(some_passes().write(folder.path() / "a.txt", "", ""), Error);
}

}  // namespace
}  // namespace warpath::viewer
