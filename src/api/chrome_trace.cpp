#include <cinttypes>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "warpath/timeline.h"

namespace warpath {

namespace {

constexpr uint32_t host_pid = 0, first_device_pid = 1;

/// Appends events as text: a document of a million events takes the memory of its text alone.
class TraceWriter {
  public:
    void metadata(const char* what, uint32_t pid, uint32_t tid, const std::string& name) {
        begin_event();
        text_ += "{\"ph\":\"M\",\"name\":\"" + std::string(what) + "\",\"pid\":" + std::to_string(pid) + ",\"tid\":" + std::to_string(tid) +
                 ",\"args\":{\"name\":" + quoted(name) + "}}";
    }
    /// arguments: the members of an object, or nothing.
    void span(uint32_t pid, uint32_t tid, const std::string& quoted_name, int64_t begin_ns, int64_t end_ns, const std::string& arguments) {
        begin_event();
        text_ += "{\"ph\":\"X\",\"name\":" + quoted_name + ",\"pid\":" + std::to_string(pid) + ",\"tid\":" + std::to_string(tid) +
                 ",\"ts\":" + microseconds(begin_ns) + ",\"dur\":" + microseconds(end_ns - begin_ns) + ",\"args\":{" + arguments + "}}";
    }
    void counter(const char* name, int64_t time_ns, uint64_t value) {
        begin_event();
        text_ += "{\"ph\":\"C\",\"name\":\"" + std::string(name) + "\",\"pid\":" + std::to_string(host_pid) + ",\"ts\":" + microseconds(time_ns) +
                 ",\"args\":{\"slots\":" + std::to_string(value) + "}}";
    }
    std::string finish(const Timeline& timeline) {
        const nlohmann::ordered_json other = {{"device", timeline.device},
                                              {"dropped_batches", timeline.num_dropped_batches},
                                              {"dropped_host_calls", timeline.num_dropped_host_calls},
                                              {"clock_error_ns", timeline.clock_error_ns}};
        return text_ + "\n],\"displayTimeUnit\":\"ns\",\"otherData\":" + other.dump() + "}\n";
    }
    static std::string quoted(const std::string& text) {
        return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }

  private:
    void begin_event() {
        text_ += first_ ? "\n" : ",\n";
        first_ = false;
    }
    /// With all nanoseconds: the format counts in microseconds.
    static std::string microseconds(int64_t ns) {
        char text[40];
        const uint64_t size = static_cast<uint64_t>(ns < 0 ? -ns : ns);
        snprintf(text, sizeof text, "%s%" PRIu64 ".%03" PRIu64, ns < 0 ? "-" : "", size / 1000, size % 1000);
        return text;
    }
    std::string text_ = "{\"traceEvents\":[";
    bool first_ = true;
};

void write_names(TraceWriter& writer, const Timeline& timeline) {
    writer.metadata("process_name", host_pid, 0, "host");
    writer.metadata("thread_name", host_pid, 0, "calls");
    std::set<uint32_t> sms;
    std::set<std::pair<uint32_t, uint32_t>> slots;
    for (const Timeline::Batch& batch : timeline.batches) {
        if (sms.insert(batch.sm).second)
            writer.metadata("process_name", first_device_pid + batch.sm, 0, timeline.has_sms ? "SM " + std::to_string(batch.sm) : timeline.device);
        if (slots.insert({batch.sm, batch.slot}).second)
            writer.metadata("thread_name", first_device_pid + batch.sm, batch.slot,
                            (timeline.has_sms ? "warp slot " : "thread ") + std::to_string(batch.slot));
    }
}

}  // namespace

std::string chrome_trace(const Timeline& timeline) {
    TraceWriter writer;
    write_names(writer, timeline);
    for (const Timeline::HostCall& call : timeline.host_calls) {
        std::string arguments = "\"kind\":\"" + std::string(call.kind) + "\"";
        if (call.num_bytes > 0) arguments += ",\"bytes\":" + std::to_string(call.num_bytes);
        writer.span(host_pid, 0, TraceWriter::quoted(call.name), call.begin_ns, call.end_ns, arguments);
    }
    for (const Timeline::Batch& batch : timeline.batches)
        writer.span(first_device_pid + batch.sm, batch.slot, TraceWriter::quoted(batch.stage), batch.begin_ns, batch.end_ns,
                    batch.num_items > 0 ? std::string("\"items\":").append(std::to_string(batch.num_items)) : std::string());
    for (const Timeline::Depth& depth : timeline.depths)
        writer.counter((std::string("waiting: ") + depth.queue).c_str(), depth.time_ns, depth.num_entries);
    return writer.finish(timeline);
}

}  // namespace warpath
