#include "viewer/script.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "warpath/error.h"

namespace warpath::viewer {
namespace {

std::string refusal(const std::string& text) {
    try {
        check_script(nlohmann::json::parse(text), "steps.json");
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::BadInput);
        return e.what();
    }
    return "";
}

TEST(Script, reads_steps_in_order) {
    const auto steps = check_script(nlohmann::json::parse(R"([{"wait_spp": 4, "within_s": 2.5}, {"key": "Tab"}, {"click": [0.5, 0.5], "button": "left"}])"), "x");
    ASSERT_EQ(steps.size(), 3u);
    EXPECT_STREQ(steps[0].kind->name, "wait_spp");
    EXPECT_EQ(steps[1].value(), "Tab");
    EXPECT_EQ(steps[2].number, 3u);
}

TEST(Script, what_is_wrong_is_named_with_its_step) {
    const std::vector<std::pair<const char*, const char*>> cases = {
        {"{}", "steps.json: a script must be a list of steps"},
        {"[1]", "steps.json: step 1 must be an object"},
        {"[{}]", "steps.json: step 1 is empty"},
        {R"([{"wait_spp": 1}, {"jump": 2}])", "steps.json: step 2 is of no kind that is known: 'jump'"},
        {R"([{"wait_spp": -1}])", "steps.json: step 1 (wait_spp): wait_spp must be a whole number"},
        {R"([{"wait_spp": 1, "button": "left"}])", "steps.json: step 1 (wait_spp) has no key 'button'"},
        {R"([{"move": [1]}])", "steps.json: step 1 (move): move must be [x, y]"},
        {R"([{"resize": [0, 5]}])", "steps.json: step 1 (resize): resize must be [width, height]"},
        {R"([{"drop": "a.obj"}])", "steps.json: step 1 (drop): drop must be a list of texts"},
        {R"([{"close": false}])", "steps.json: step 1 (close): close must be true"},
    };
    for (const auto& [text, message] : cases) EXPECT_EQ(refusal(text).find(message), 0u) << text << ": " << refusal(text);
}

TEST(Script, files_that_are_no_json_are_refused) {
    test::TemporaryFolder folder;
    EXPECT_THROW(read_script(folder.path() / "missing.json"), Error);
    for (const char* text : {"", "[", "[{\"key\": }]"}) {
        folder.write("steps.json", text);
        EXPECT_THROW(read_script(folder.path() / "steps.json"), Error) << text;
    }
}

}  // namespace
}  // namespace warpath::viewer
