// The runs of a workspace: keeping a run and reading kept runs.
#pragma once

#include "profile/span.h"
#include "runs/kept_run.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::store {
class DocumentFolder;
}

namespace blockloom::runs {

struct RunRecord;

/// Keeps a run's document in a workspace under its id; a second run of the same second gets a
/// number appended. `spans` are kept with it; null: it has none.
Status keep_run(const store::DocumentFolder& runs, RunRecord& run, const Provenance& made,
                const profile::Trace* spans = nullptr);

/// The spans kept with a run; null: it has none.
[[nodiscard]] Result<std::shared_ptr<const profile::Trace>>
kept_spans(const store::DocumentFolder& runs, std::string_view id);

/// The last `most` kept runs of a workspace and all baselines, newest first. A document that cannot
/// be read is reported in `unreadable` and left out. An absent workspace has no runs. `in_all`: the
/// number of all kept runs, or null. `known`: ids of runs that the caller has already read, which
/// are left out.
[[nodiscard]] Result<std::vector<KeptRun>> kept_runs(const std::filesystem::path& workspace,
                                                     std::size_t most,
                                                     std::vector<std::string>& unreadable,
                                                     std::size_t* in_all = nullptr,
                                                     std::span<const std::string> known = {});

} // namespace blockloom::runs
