#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "experiments/list.h"
#include "experiments/plan_file.h"
#include "support/temporary_folder.h"
#include "warpath/error.h"

namespace warpath::experiments {
namespace {

using test::TemporaryFolder;

Plan plan_of(const std::string& text) {
    const TemporaryFolder folder;
    const auto file = folder.write("plan.json", text);
    Plan plan = default_plan("cpu");
    apply_plan_file(plan, read_plan_file(file), file);
    describe_plan(plan);
    return plan;
}

TEST(Plan, the_default_has_shipped_scenes_and_all_schedulers_of_the_backend) {
    const Plan plan = default_plan("cpu");
    EXPECT_GE(plan.scenes.size(), 3u);
    for (const View& view : plan.scenes) EXPECT_TRUE(std::filesystem::exists(view.scene)) << view.scene;
    EXPECT_EQ(std::count(plan.schedulers.begin(), plan.schedulers.end(), "persistent"), 1);
    EXPECT_EQ(std::count(plan.schedulers.begin(), plan.schedulers.end(), "graph"), 0) << "it does not run on the CPU";
    EXPECT_EQ(plan.experiments.size(), list_experiments().size());
}

TEST(Plan, takes_axes_and_numbers_from_the_file_and_keeps_the_rest) {
    const Plan plan = plan_of(R"({"schedulers": ["launch", "persistent"], "film": ["8x4", "16x8"], "spp": [1, 4], "depth": [0], "pool": [0, 64],
        "scenes": ["a.json", {"file": "b.gltf", "name": "bee", "camera": "0,0,1/0,0,0/0,1,0/40"}], "repeats": 40, "budget": 7.5})");
    EXPECT_EQ(plan.films.size(), 2u);
    EXPECT_EQ(plan.films[1].text(), "16x8");
    EXPECT_EQ(plan.pools, (std::vector<uint32_t>{0, 64}));
    EXPECT_EQ(plan.scenes[0].name, "a");
    EXPECT_EQ(plan.scenes[1].name, "bee");
    EXPECT_TRUE(plan.scenes[1].load.camera);
    EXPECT_EQ(plan.max_repeats, 40u) << "never fewer than the repeats asked for";
    EXPECT_EQ(plan.warm_up, 2u);
    EXPECT_EQ(plan.document["budget"], 7.5);
    const RenderOptions options = plan.render_options();
    EXPECT_EQ(options.width, 8u);
    EXPECT_EQ(options.max_depth, 0u);
}

TEST(Plan, a_wrong_key_is_named_by_its_path) {
    struct Case {
        const char *text, *path, *more;
    };
    for (const Case& wrong : std::initializer_list<Case>{
             {R"({"schedules": ["launch"]})", "/schedules", "did you mean \"schedulers\""},
             {R"({"film": ["8x4", "wide"]})", "/film/1", "1920x1080"},
             {R"({"film": ["0x4"]})", "/film/0", "film size"},
             {R"({"film": ["8x4x2"]})", "/film/0", "film size"},
             {R"({"film": "8x4"})", "/film", "array"},
             {R"({"spp": [0]})", "/spp/0", "between 1 and 65536"},
             {R"({"spp": []})", "/spp", "at least 1"},
             {R"({"depth": [1.5]})", "/depth/0", "integer"},
             {R"({"schedulers": ["persistant"]})", "/schedulers/0", "did you mean \"persistent\""},
             {R"({"schedulers": ["graph"]})", "/schedulers/0", "of this backend"},
             {R"({"experiments": ["scene"]})", "/experiments/0", "did you mean \"scenes\""},
             {R"({"scenes": [{"file": "a.json", "camera": "up"}]})", "/scenes/0/camera", "ex,ey,ez"},
             {R"({"scenes": [{"name": "a"}]})", "/scenes/0", "file"},
             {R"({"options": {"crosover": {}}})", "/options/crosover", "did you mean \"crossover\""},
             {R"({"options": {"crossover": {"most": 1}}})", "/options/crossover/most", "no option"},
             {R"({"budget": 0})", "/budget", "0 excluded"}}) {
        try {
            plan_of(wrong.text);
            ADD_FAILURE() << "accepted: " << wrong.text;
        } catch (const Error& e) {
            const std::string message = e.what();
            EXPECT_EQ(e.code(), ErrorCode::BadInput) << message;
            EXPECT_NE(message.find(std::string("plan.json: ") + wrong.path + " "), std::string::npos) << message;
            EXPECT_NE(message.find(wrong.more), std::string::npos) << message;
        }
    }
}

TEST(Plan, a_file_that_is_no_plan_is_refused) {
    for (const char* text : {"", "[]", "{", "{\"spp\": [1], \"spp\": [2]}", "\"plan\""}) EXPECT_THROW(plan_of(text), Error) << text;
    EXPECT_THROW(read_plan_file("/nowhere/plan.json"), Error);
}

TEST(Experiments, have_names_hypotheses_and_plots_that_the_report_knows) {
    const std::vector<std::string> kinds = {"line", "bar", "heat", "stack", "cdf", "steps", "interval"};
    std::vector<std::string> names;
    for (const Experiment* experiment : list_experiments()) {
        names.push_back(experiment->name);
        EXPECT_GT(std::string(experiment->hypothesis).size(), 20u) << experiment->name;
        EXPECT_GT(std::string(experiment->refutation).size(), 20u) << experiment->name;
        EXPECT_GT(experiment->weight, 0) << experiment->name;
        EXPECT_FALSE(experiment->plots.empty()) << experiment->name;
        for (const Plot& plot : experiment->plots) {
            EXPECT_EQ(std::count(kinds.begin(), kinds.end(), plot.kind), 1) << experiment->name << ": " << plot.kind;
            EXPECT_FALSE(plot.title.empty()) << experiment->name;
            EXPECT_TRUE(plot.relative_to.empty() || !plot.series.empty()) << experiment->name << ": relative to what of which series?";
        }
    }
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::unique(names.begin(), names.end()), names.end()) << "a name twice";
}

}  // namespace
}  // namespace warpath::experiments
