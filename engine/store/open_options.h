// How a workspace is opened.
#pragma once

#include <cstddef>
#include <cstdint>

namespace blockloom::store {

struct OpenOptions {
    bool read_only = false;          ///< needs an existing workspace that no process is writing to
    bool create = true;              ///< an absent or empty folder becomes a workspace
    bool bulk = false;               ///< start in bulk mode
    unsigned checkpoint_every = 500; ///< blocks between checkpoints of bulk mode
    /// How much bulk mode collects before it saves; while it saves, it may collect as much again.
    std::size_t bulk_bytes = std::size_t{64} << 20;
    std::uint64_t keep_undo = 0; ///< how many blocks can be undone; 0: all
};

} // namespace blockloom::store
