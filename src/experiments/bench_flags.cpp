#include "experiments/bench_flags.h"

#include <algorithm>
#include <cstdio>

#include "experiments/environment.h"
#include "experiments/list.h"
#include "experiments/plan_file.h"
#include "importers/json_messages.h"
#include "warpath/error.h"
#include "warpath/stop_signal.h"

namespace warpath::experiments {
namespace {

void list_all() {
    for (const Experiment* experiment : list_experiments())
        std::printf("%s\n    %s\n    refuted by: %s\n", experiment->name, experiment->hypothesis, experiment->refutation);
}

std::vector<std::string> experiment_names() {
    std::vector<std::string> names;
    for (const Experiment* experiment : list_experiments()) names.push_back(experiment->name);
    return names;
}

void check_experiments(const std::vector<std::string>& names) {
    const std::vector<std::string> known = experiment_names();
    for (const std::string& name : names)
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw Error(ErrorCode::BadOption, "--experiment '" + name + "' is not accepted: there are " + listed(known, "and"));
}

/// A folder of this moment's name.
std::string default_folder() {
    std::string name = "warpath-bench-" + date_text();
    name.resize(name.size() - 4);  // without " UTC"
    std::replace(name.begin(), name.end(), ' ', '-');
    name.erase(std::remove(name.begin(), name.end(), ':'), name.end());
    return name;
}

}  // namespace

void BenchFlags::add_to(CLI::App& program) {
    program.add_option("scenes", scenes_, "scene files instead of the plan's, seen by their own cameras");
    program.add_option("--plan", plan_file_, "JSON file with axes and numbers of the protocol (docs/bench-plan.schema.json)");
    program.add_option("--experiment", experiments_, "only these, separated by commas; --list names them")->delimiter(',')->allow_extra_args(false);
    program.add_option("--out", folder_, "folder for rows.jsonl and report.html (default: one of this moment's name)");
    program.add_flag("--resume", resume_, "go on with the rows in the folder: what is complete is not measured again");
    program.add_option("--budget", budget_s_, "seconds for all of it (default: the plan's, else 300)")->check(CLI::Range(1.0, 1e6));
    program.add_option("--backend", backend_, "cpu or cuda (default: the plan's, else cuda if there is a device, else cpu)")
        ->check(CLI::IsMember({"cpu", "cuda"}));
    program.add_option("--views", views_, "list of views, such as scripts/data/views.json, beside the scenes");
    program.add_option("--folder", views_folder_, "folder that the files in the list of views are relative to (default: this one)");
    program.add_option("--only", only_, "views of the list, separated by commas (default: all)")->delimiter(',')->allow_extra_args(false);
    program.add_option("--commit", commit_, "for the record (default: asked from git)");
    program.add_flag("--no-report", no_report_, "rows and table only");
    program.add_flag("--list", list_, "list the experiments with their hypotheses, and end");
}

Plan BenchFlags::plan() const {
    const nlohmann::json document = plan_file_.empty() ? nlohmann::json::object() : read_plan_file(plan_file_);
    Plan plan = default_plan(backend_.empty() ? backend_of_plan(document) : backend_);
    apply_plan_file(plan, document, plan_file_);
    std::vector<View> views;
    if (!views_.empty()) views = read_views(views_, views_folder_, only_);
    for (const std::string& scene : scenes_) views.push_back(view_of_scene(scene));
    if (!views.empty()) plan.scenes = views;
    if (!experiments_.empty()) plan.experiments = experiments_;
    if (budget_s_ > 0) plan.budget_s = budget_s_;
    describe_plan(plan);
    return plan;
}

int BenchFlags::run(const std::string& command) {
    if (list_) {
        list_all();
        return 0;
    }
    check_experiments(experiments_);
    if (resume_ && folder_.empty()) throw Error(ErrorCode::BadOption, "--resume needs --out, the folder to go on in");
    const BenchRequest request{plan(), folder_.empty() ? default_folder() : folder_, resume_, !no_report_, commit_, command};
    const StopSignal stop;
    const bool good = run_bench(request, stop.flag());
    std::fprintf(stderr, "the rows are in %s\n", (request.folder / "rows.jsonl").c_str());
    if (stop.flag()) return 130;
    return good ? 0 : 1;
}

}  // namespace warpath::experiments
