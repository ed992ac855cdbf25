// The traces of runs: the one of the run that finished last from memory, others from disk.
#pragma once

#include "base/result.h"
#include "profile/span.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace blockloom::ui {

/// Thread-safe. A trace that is still in use is not read a second time.
class RunTraces {
public:
    using Trace = std::shared_ptr<const profile::Trace>;
    /// Reads the trace of a kept run: slow. Null: kept without a trace.
    using Read = std::function<Result<Trace>(const std::string& folder, const std::string& id)>;

    RunTraces(); ///< reads from workspaces
    explicit RunTraces(Read read);

    /// A run was just kept in the workspace `folder` under `id`. Its trace stays in memory until
    /// the next run finishes.
    void finished(const std::string& folder, const std::string& id, Trace trace);

    /// The trace of a run; null: it has none. May read it from disk, so call it off the GUI thread.
    [[nodiscard]] Result<Trace> trace_of(const std::string& folder, const std::string& id);

    /// The run was deleted: its id may be reused.
    void forget(const std::string& folder, const std::string& id);

    /// How often a trace was read from disk.
    [[nodiscard]] std::size_t reads() const;

private:
    using Key = std::pair<std::string, std::string>; ///< folder, id

    Read read_;
    mutable std::mutex guard_; ///< guards the members below; not held while reading a file
    Trace last_;               ///< of the run that finished last
    std::map<Key, std::weak_ptr<const profile::Trace>> held_;
    std::size_t reads_ = 0;
};

} // namespace blockloom::ui
