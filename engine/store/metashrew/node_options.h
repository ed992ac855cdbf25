// Which database of an indexer to read, and how.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace blockloom::store {

struct NodeOptions {
    /// How the folder is opened.
    enum class Access : std::uint8_t {
        automatic, ///< as running if a process of this machine has it open
        stopped,   ///< nobody writes to it: it is a copy, or the node is stopped
        running,   ///< a process writes to it
    };

    std::filesystem::path folder;
    std::filesystem::path fork; ///< of a forked database: where to look next; empty: none
    std::string label;          ///< as given to the indexer with --label; empty: none
    Access access = Access::automatic;
    std::filesystem::path scratch; ///< where to make a private folder; empty: the system's
};

} // namespace blockloom::store
