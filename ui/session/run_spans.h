// What the Timeline panel reads of a kept run, off the GUI thread.
#pragma once

#include "profile/timeline.h"

#include <memory>
#include <string>
#include <vector>

namespace blockloom::ui {

struct RunSpans {
    std::shared_ptr<const profile::Timeline> timeline; ///< null: it has no spans
    std::shared_ptr<const profile::Trace> trace;       ///< what it is of
    /// Shares of the whole run in which a group's lanes were busy, TimelineMinimap::parts of them;
    /// of several groups the largest.
    std::vector<float> host, device;
    std::string error; ///< why they could not be read; empty: they were
};

/// `folder`: of the workspace; `id`: of the run.
[[nodiscard]] RunSpans read_run_spans(const std::string& folder, const std::string& id);

} // namespace blockloom::ui
