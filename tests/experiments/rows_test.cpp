#include "experiments/rows.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/temporary_folder.h"
#include "warpath/error.h"

namespace warpath::experiments {
namespace {

using test::TemporaryFolder;

Json sample(int number) {
    return {{"kind", "sample"}, {"experiment", "x"}, {"cell", {{"paths", 4}}}, {"variant", {{"scheduler", "a"}}}, {"value", number}};
}

const RowKey sample_key = {"x", {{"paths", 4}}, {{"scheduler", "a"}}};

std::string text_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

TEST(RowFile, keeps_rows_and_finds_them_again) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "rows.jsonl";
    {
        RowFile rows(path, false);
        rows.append(sample(1)), rows.append(sample(2));
        rows.append({{"kind", "result"}, {"experiment", "x"}, {"cell", {{"paths", 4}}}, {"variant", {{"scheduler", "b"}}}, {"complete", true}});
    }
    const RowFile rows(path, true);
    ASSERT_EQ(rows.rows().size(), 3u);
    ASSERT_EQ(rows.samples(sample_key).size(), 2u);
    EXPECT_EQ(rows.samples(sample_key)[1].value, 2);
    EXPECT_FALSE(rows.is_complete(sample_key));
    EXPECT_TRUE(rows.is_complete({"x", {{"paths", 4}}, {{"scheduler", "b"}}}));
    EXPECT_FALSE(rows.is_complete({"y", {{"paths", 4}}, {{"scheduler", "b"}}}));
}

TEST(RowFile, may_be_a_device_that_keeps_nothing) {
    RowFile rows("/dev/null", false);
    rows.append(sample(1));
    EXPECT_EQ(rows.samples(sample_key).size(), 1u);
}

TEST(RowFile, the_last_result_of_a_name_counts) {
    const TemporaryFolder folder;
    RowFile rows(folder.path() / "rows.jsonl", false);
    for (const bool complete : {false, true})
        rows.append({{"kind", "result"}, {"experiment", "x"}, {"cell", {{"paths", 4}}}, {"variant", {{"scheduler", "a"}}}, {"complete", complete}});
    EXPECT_TRUE(rows.is_complete(sample_key));
}

TEST(RowFile, an_earlier_run_is_not_added_to_by_accident) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "rows.jsonl";
    RowFile(path, false).append(sample(1));
    try {
        RowFile rows(path, false);
        FAIL() << "it was opened";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::BadOption);
        EXPECT_NE(std::string(e.what()).find("--resume"), std::string::npos) << e.what();
    }
}

TEST(RowFile, a_last_line_that_was_cut_off_is_removed) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "rows.jsonl";
    RowFile(path, false).append(sample(1));
    const std::string whole = text_of(path);
    std::ofstream(path, std::ios::app) << R"({"kind": "sample", "experi)";
    {
        RowFile rows(path, true);
        EXPECT_EQ(rows.rows().size(), 1u);
        EXPECT_EQ(text_of(path), whole);
        rows.append(sample(2));
    }
    EXPECT_EQ(RowFile(path, true).samples(sample_key).size(), 2u);
}

TEST(RowFile, a_damaged_line_is_named) {
    for (const char* line : {"{\"kind\": ", "[]", "{\"kind\": \"sample\", \"experiment\": \"x\"}", "{\"no\": 1}",
                             R"({"kind": "sample", "experiment": "x", "cell": {}, "variant": {}, "value": "fast"})"}) {
        const TemporaryFolder folder;
        const auto path = folder.path() / "rows.jsonl";
        RowFile(path, false).append(sample(1));
        std::ofstream(path, std::ios::app) << line << "\n" << sample(2).dump() << "\n";
        try {
            RowFile rows(path, true);
            FAIL() << "it was read: " << line;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::BadInput);
            EXPECT_NE(std::string(e.what()).find("rows.jsonl:2"), std::string::npos) << e.what();
        }
    }
}

/// A program that is killed in the middle of writing loses no row that it had been told is written.
TEST(RowFile, kill_9_loses_nothing) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "rows.jsonl";
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        RowFile rows(path, false);
        for (int i = 0;; ++i) {
            rows.append(sample(i));
            if (write(pipe_ends[1], &i, sizeof i) != sizeof i) _exit(1);
        }
    }
    close(pipe_ends[1]);
    int last = -1;
    while (last < 500) ASSERT_EQ(read(pipe_ends[0], &last, sizeof last), static_cast<ssize_t>(sizeof last));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    for (int more; read(pipe_ends[0], &more, sizeof more) == static_cast<ssize_t>(sizeof more);) last = more;
    close(pipe_ends[0]);

    const std::vector<SampleRow> samples = RowFile(path, true).samples(sample_key);
    ASSERT_GE(samples.size(), static_cast<size_t>(last) + 1);
    for (size_t i = 0; i < samples.size(); ++i) EXPECT_EQ(samples[i].value, static_cast<double>(i));
}

}  // namespace
}  // namespace warpath::experiments
