#include "report/trace_events.h"

#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace blockloom::report {
namespace {

using profile::Lane;
using profile::Span;
using profile::Trace;

/// As a JSON string with its quotes.
std::string json_text(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Nanoseconds as microseconds: no digit is lost.
std::string microseconds(Nanoseconds ns) {
    return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

class Events {
public:
    void add(std::string_view event) {
        text_ += text_.empty() ? "\n" : ",\n";
        text_ += event;
    }
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
    std::string text_;
};

void add_metadata(Events& events, std::size_t process, std::size_t thread, const char* what,
                  std::string_view key, const std::string& value) {
    events.add(
        fmt::format(R"({{"ph":"M","pid":{},"tid":{},"ts":0,"name":"{}","args":{{"{}":{}}}}})",
                    process, thread, what, key, value));
}

void add_span(Events& events, std::size_t process, std::size_t thread, const Span& span,
              const Trace& trace, const std::vector<std::string>& names) {
    std::string arguments;
    auto to = std::back_inserter(arguments);
    if (span.block != profile::none)
        fmt::format_to(to, R"("block":{},)", trace.heights[span.block]);
    if (span.wave() != 0) // numbered as in the run's document, from 0
        fmt::format_to(to, R"("wave":{},)", span.task);
    else if (span.task != profile::none)
        fmt::format_to(to, R"("task":{},)", span.task);
    fmt::format_to(to, R"("detail":{})", span.detail);
    events.add(fmt::format(
        R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{},"cat":"{}","args":{{{}}}}})",
        process, thread, microseconds(span.begin), microseconds(span.duration()), names[span.name],
        name_of(span.category), arguments));
}

void add_run(Events& events, std::size_t process, const TracedRun& run) {
    const Trace& trace = *run.trace;
    add_metadata(
        events, process, 0, "process_name", "name",
        json_text(fmt::format("{} · {} {}", run.run->id, run.run->backend, run.run->strategy)));
    add_metadata(events, process, 0, "process_sort_index", "sort_index", std::to_string(process));
    std::vector<std::string> names;
    for (const std::string& name : trace.names) names.push_back(json_text(name));
    for (std::size_t i = 0; i < trace.lanes.size(); ++i) {
        const Lane& lane = trace.lanes[i];
        add_metadata(events, process, i + 1, "thread_name", "name", json_text(title_of(trace, i)));
        add_metadata(events, process, i + 1, "thread_sort_index", "sort_index",
                     std::to_string(i + 1));
        for (const Span& span : lane.spans) add_span(events, process, i + 1, span, trace, names);
    }
    for (const profile::Counter& counter : trace.counters)
        for (const profile::Counter::Point& point : counter.points)
            events.add(
                fmt::format(R"({{"ph":"C","pid":{},"tid":0,"ts":{},"name":{},"args":{{{}:{}}}}})",
                            process, microseconds(point.at), json_text(counter.name),
                            json_text(counter.unit.empty() ? "value" : counter.unit), point.value));
}

} // namespace

std::string trace_events_json(std::span<const TracedRun> runs, const runs::Provenance& provenance) {
    Events events;
    nlohmann::ordered_json other = {{"program", "Blockloom " + provenance.version},
                                    {"exported", provenance.date}};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        add_run(events, i + 1, runs[i]);
        const runs::KeptRun& run = *runs[i].run;
        other["run " + std::to_string(i + 1)] = {{"run", run.id},
                                                 {"date", run.date},
                                                 {"device", run.device},
                                                 {"processor", run.processor},
                                                 {"kernel", run.kernel},
                                                 {"compiler", run.compiler},
                                                 {"version", run.version},
                                                 {"state_digest", run.state_digest},
                                                 {"spans_dropped", runs[i].trace->dropped}};
    }
    return fmt::format(
        "{{\"displayTimeUnit\":\"ns\",\n\"otherData\":{},\n\"traceEvents\":[{}\n]}}\n",
        other.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), events.text());
}

} // namespace blockloom::report
