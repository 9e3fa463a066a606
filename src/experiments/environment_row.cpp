#include "experiments/bench.h"
#include "experiments/device_identity.h"
#include "experiments/environment.h"
#include "experiments/statistics.h"

namespace warpath::experiments {

Json environment_row(const BenchRequest& request, const Json& device_description, const std::string& why_no_telemetry) {
    const Plan& plan = request.plan;
    Json row = {{"kind", "environment"},
                {"format", 1},
                {"date", date_text()},
                {"version", version()},
                {"build", build_description()},
                {"flags", WARPATH_COMPILE_FLAGS},
                {"commit", request.commit.empty() ? git_commit() : request.commit},
                {"command", request.command},
                {"machine", machine()},
                {"backend", plan.backend},
                {"device", device_text(plan.backend, plan.device)},
                {"nvml", device_description}};
    if (device_description.is_null()) row["no_telemetry"] = why_no_telemetry;
    row["confidence"] = confidence;
    row["seed"] = plan.seed;
    row["plan"] = plan.document;
    return row;
}

}  // namespace warpath::experiments
