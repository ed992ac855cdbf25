// Everything about a workspace that can be checked, and the way back to its last whole block.
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

/// What a check has read, and what is wrong.
struct CheckReport {
    std::vector<std::string> problems; ///< empty: the workspace is whole
    unsigned format = 0;
    std::uint64_t files = 0, bytes = 0; ///< in the folder and below it
    std::uint64_t tables = 0;           ///< table files, all of whose checksums were compared
    std::uint64_t log_records = 0;      ///< in the log, each with its checksum and number
    std::uint64_t writes = 0;           ///< atomic writes that the workspace has made
    std::uint64_t keys = 0;             ///< of the state
    std::uint64_t blocks = 0;           ///< each on its parent
    std::uint64_t undos = 0;            ///< blocks that can be taken back
    std::uint64_t digests = 0;        ///< of blocks, computed again from state and undo, and equal
    std::uint64_t not_comparable = 0; ///< digests: undo not kept, or a key was put over since
    std::uint64_t documents = 0;      ///< kept runs and tunings, each read with its checksums
    std::uint64_t traces = 0, labels = 0;
    std::optional<Base> base;
    std::optional<Tip> tip;
    std::optional<Hash256> state_digest;
};

/// Checks the workspace in `folder` and changes nothing. What is damaged is a problem of the
/// report; an error is a folder that is no workspace, or one that somebody else has open.
[[nodiscard]] Result<CheckReport> check_workspace(const std::filesystem::path& folder,
                                                  ProgressSink& progress,
                                                  const std::stop_token& stop);

/// What a repair did.
struct RepairReport {
    std::vector<std::string> found;  ///< what was wrong; empty: nothing was, and nothing was done
    std::vector<std::string> done;   ///< one sentence a step
    std::optional<Tip> before;       ///< the last block by the workspace's own record, if readable
    std::uint64_t lost_writes = 0;   ///< atomic writes; blocks, seeds and labels are some
    std::filesystem::path set_aside; ///< the folder with everything as it was found
    CheckReport after;
};

/// Takes a workspace back to its last whole write, in a copy that replaces it once it passes the
/// check. What was there before is set aside in a folder below it. Fails, and leaves all as it was,
/// where more than the end of the log, of the manifest or a file of ours is damaged.
[[nodiscard]] Result<RepairReport> repair_workspace(const std::filesystem::path& folder,
                                                    ProgressSink& progress,
                                                    const std::stop_token& stop);

} // namespace blockloom::store
