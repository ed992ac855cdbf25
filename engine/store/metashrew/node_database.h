// The database of an Alkanes indexer (metashrew, rockshrew-mono): values of logical keys at a
// height. docs/metashrew.md describes what it reads and what it refuses.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "store/metashrew/layout.h"
#include "store/metashrew/node_options.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::store {

/// Open for reading; nothing in the node's folders is ever changed. Const calls may be made by
/// several threads at once. Errors name the folder.
class NodeDatabase {
public:
    /// Finds out the layout. Fails unless the folder holds an Alkanes database with this label.
    [[nodiscard]] static Result<std::unique_ptr<NodeDatabase>> open(const NodeOptions& options);
    ~NodeDatabase();
    NodeDatabase(const NodeDatabase&) = delete;
    NodeDatabase& operator=(const NodeDatabase&) = delete;

    [[nodiscard]] const NodeOptions& options() const noexcept;
    [[nodiscard]] NodeLayout layout() const noexcept;
    /// Whether a process writes to it while it is read.
    [[nodiscard]] bool running() const noexcept;

    /// Of a running node: shows what it has written since. Not while others read.
    Status catch_up();

    /// Height of the last block that was indexed completely.
    [[nodiscard]] Result<std::uint64_t> tip() const;
    /// Hash of the indexed block at a height, as it is hashed; nothing if none was recorded.
    [[nodiscard]] Result<std::optional<Hash256>> block_hash(std::uint64_t height) const;

    /// From now on, what is read is the state after this block, or fails: also if the node leaves
    /// the block while it is read. Without `hash`: whichever block was indexed at this height.
    Status stay_at(std::uint64_t height, const std::optional<Hash256>& hash);

    /// The value of a key after the block at `height`, which is not above the tip. An empty value
    /// is absence; an incomplete chain is an error, never absence.
    [[nodiscard]] Result<std::optional<std::string>> get(std::string_view key,
                                                         std::uint64_t height) const;
    /// The keys that the block at `height` wrote, each once, sorted; nothing if the node keeps no
    /// such list.
    [[nodiscard]] Result<std::optional<std::vector<std::string>>>
    written_at(std::uint64_t height) const;
    /// The first physical key at or after `key`, without the label; nothing if there is none.
    [[nodiscard]] Result<std::optional<std::string>> first_from(std::string_view key) const;

    /// Keys whose chains are not in order of height, as met so far, in hexadecimal; at most 20, the
    /// number of the others in a line of its own.
    [[nodiscard]] std::vector<std::string> disordered() const;

private:
    struct Inside;
    explicit NodeDatabase(std::unique_ptr<Inside> inside);

    std::unique_ptr<Inside> inside_;
};

} // namespace blockloom::store
