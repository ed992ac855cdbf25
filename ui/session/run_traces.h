// The traces of runs: of the run that finished last from memory, of others as they are kept.
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

/// Thread-safe. A trace that somebody still holds is not read a second time.
class RunTraces {
public:
    using Trace = std::shared_ptr<const profile::Trace>;
    /// Reads the trace of a kept run: slow. Null: it was kept without.
    using Read = std::function<Result<Trace>(const std::string& folder, const std::string& id)>;

    RunTraces(); ///< reads from workspaces
    explicit RunTraces(Read read);

    /// A run that was kept in the workspace `folder` under `id` just now. Its trace stays in memory
    /// until the next run finishes.
    void finished(const std::string& folder, const std::string& id, Trace trace);

    /// The trace of a run; null: it has none. Reads it where nobody holds it: off the GUI thread.
    [[nodiscard]] Result<Trace> trace_of(const std::string& folder, const std::string& id);

    /// The run was deleted: another may get its id.
    void forget(const std::string& folder, const std::string& id);

    /// How often a trace was read instead of being there.
    [[nodiscard]] std::size_t reads() const;

private:
    using Key = std::pair<std::string, std::string>; ///< folder, id

    Read read_;
    mutable std::mutex guard_; ///< of what follows; not held while a file is read
    Trace last_;               ///< of the run that finished last
    std::map<Key, std::weak_ptr<const profile::Trace>> held_;
    std::size_t reads_ = 0;
};

} // namespace blockloom::ui
