// Checks a workspace completely, and repairs it up to its last intact block.
#pragma once

#include "base/progress.h"
#include "store/workspace.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace blockloom::store {

/// What a check has read, and the problems it found.
struct CheckReport {
    std::vector<std::string> problems; ///< empty: the workspace is intact
    unsigned format = 0;
    std::uint64_t files = 0, bytes = 0; ///< in the folder and below it
    std::uint64_t tables = 0;           ///< table files, all of whose checksums were compared
    std::uint64_t log_records = 0;      ///< in the log, each with its checksum and number
    std::uint64_t writes = 0;           ///< atomic writes that the workspace has made
    std::uint64_t keys = 0;             ///< of the state
    std::uint64_t blocks = 0;           ///< each following its parent
    std::uint64_t undos = 0;            ///< blocks that can be undone
    std::uint64_t digests = 0;          ///< of blocks, recomputed from state and undo, that match
    std::uint64_t not_comparable =
        0; ///< digests: undo not kept, or a key was overwritten by a seed since
    std::uint64_t documents = 0; ///< kept runs and tunings, each read with its checksums
    std::uint64_t traces = 0, labels = 0;
    std::optional<Base> base;
    std::optional<Tip> tip;
    std::optional<Hash256> state_digest;
};

/// Checks the workspace in `folder` and changes nothing. Damage is listed in the report's problems;
/// the call fails if the folder is not a workspace or another process has it open.
[[nodiscard]] Result<CheckReport> check_workspace(const std::filesystem::path& folder,
                                                  ProgressSink& progress,
                                                  const std::stop_token& stop);

/// What a repair did.
struct RepairReport {
    std::vector<std::string> found;  ///< problems found; empty: none, and nothing was done
    std::vector<std::string> done;   ///< one sentence for each step
    std::optional<Tip> before;       ///< the last block by the workspace's own record, if readable
    std::uint64_t lost_writes = 0;   ///< atomic writes: blocks, seeds, labels and others
    std::filesystem::path set_aside; ///< the folder with everything as it was before the repair
    CheckReport after;
};

/// Restores a workspace to its last complete write, in a copy that replaces it once it passes the
/// check. The previous files are moved to a folder below it. Fails and leaves everything unchanged
/// if more is damaged than the end of the log, the end of the manifest or a file of our own.
[[nodiscard]] Result<RepairReport> repair_workspace(const std::filesystem::path& folder,
                                                    ProgressSink& progress,
                                                    const std::stop_token& stop);

} // namespace blockloom::store
