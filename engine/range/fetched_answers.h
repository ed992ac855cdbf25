// What a command has fetched from a node, kept until it is complete: a command that was interrupted
// continues there (docs/nodes.md#interrupted-commands).
#pragma once

#include "base/file.h"
#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace blockloom::range {

/// A file of answers by question, which every answer is appended to. For what never changes: a
/// block by its hash, a state after a block of a certain hash. Only this user can read folder and
/// file, and neither the node's address nor credentials are in them. May be used by several
/// threads; of several processes one has the file. What cannot be kept is fetched again: no error.
class FetchedAnswers {
public:
    /// Of one file; and of all files of the folder, the oldest of which are removed.
    static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30,
                                   most_of_all = std::uint64_t{2} << 30;

    /// Opens what was kept for `place`, which names node and block exactly. Whatever is damaged,
    /// such as a record that was cut, is left out.
    FetchedAnswers(const std::filesystem::path& folder, std::string_view place);
    /// Keeps nothing and has nothing.
    FetchedAnswers() = default;

    /// $XDG_CACHE_HOME/blockloom/nodes or ~/.cache/blockloom/nodes; empty if neither is set.
    [[nodiscard]] static std::filesystem::path default_folder();

    [[nodiscard]] std::optional<std::string> find(std::string_view question) const;
    void keep(std::string_view question, std::string_view answer);
    /// All is done: removes the file.
    void done();

private:
    struct Place {
        std::uint64_t at = 0;
        std::uint32_t size = 0;
    };
    void read_records(std::uint64_t size);

    std::filesystem::path path_;
    Descriptor file_;
    mutable std::mutex guard_;
    std::map<std::string, Place, std::less<>> answers_;
    std::uint64_t end_ = 0; ///< of the intact records
};

} // namespace blockloom::range
