#include "session/run_traces.h"

#include "runs/kept_runs.h"
#include "store/kept_folders.h"

namespace blockloom::ui {

RunTraces::RunTraces()
    : RunTraces([](const std::string& folder, const std::string& id) -> Result<Trace> {
          const auto runs = store::open_runs(folder);
          if (!runs) return runs.error();
          return runs::kept_spans(*runs, id);
      }) {}

RunTraces::RunTraces(Read read) : read_(std::move(read)) {}

void RunTraces::finished(const std::string& folder, const std::string& id, Trace trace) {
    const std::lock_guard lock(guard_);
    std::erase_if(held_, [](const auto& entry) { return entry.second.expired(); });
    held_[{folder, id}] = trace;
    last_ = std::move(trace);
}

Result<RunTraces::Trace> RunTraces::trace_of(const std::string& folder, const std::string& id) {
    {
        const std::lock_guard lock(guard_);
        if (const auto at = held_.find({folder, id}); at != held_.end())
            if (Trace trace = at->second.lock()) return trace;
        ++reads_;
    }
    auto trace = read_(folder, id);
    if (trace && *trace != nullptr) {
        const std::lock_guard lock(guard_);
        held_[{folder, id}] = *trace;
    }
    return trace;
}

void RunTraces::forget(const std::string& folder, const std::string& id) {
    const std::lock_guard lock(guard_);
    held_.erase({folder, id});
}

std::size_t RunTraces::reads() const {
    const std::lock_guard lock(guard_);
    return reads_;
}

} // namespace blockloom::ui
