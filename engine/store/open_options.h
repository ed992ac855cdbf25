// How a workspace is opened.
#pragma once

#include <cstddef>
#include <cstdint>

namespace blockloom::store {

struct OpenOptions {
    bool read_only = false;          ///< needs an existing workspace that nobody writes to
    bool create = true;              ///< an absent or empty folder becomes a workspace
    bool bulk = false;               ///< start in bulk mode
    unsigned checkpoint_every = 500; ///< blocks between checkpoints of bulk mode
    /// What bulk mode gathers before it saves; while it does, as much again.
    std::size_t bulk_bytes = std::size_t{64} << 20;
    std::uint64_t keep_undo = 0; ///< blocks that can be taken back; 0: all
};

} // namespace blockloom::store
