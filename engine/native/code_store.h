// A folder that keeps machine code between starts, a file an entry (docs/native.md#kept-code).
#pragma once

#include "base/bytes.h"
#include "base/file.h"
#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::native {

/// Object files that were read, and the bytes that they are views of.
struct KeptObjects {
    std::unique_ptr<Byte[]> bytes;
    std::vector<ByteView> objects;
};

/// Thread-safe, and safe for several processes: an entry is written under another name and renamed,
/// and read as a whole before any of it is used. What is found there is run as code: the folder
/// must belong to this user, with mode 0700, and links are never followed. Everything else in the
/// folder that is not named like an entry is left alone.
class CodeStore {
public:
    static constexpr std::uint64_t standard_bound = std::uint64_t{256} << 20;

    /// Touches nothing yet: the folder is created by the first entry.
    explicit CodeStore(std::filesystem::path folder, std::uint64_t most_bytes = standard_bound);

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }
    [[nodiscard]] std::uint64_t most_bytes() const noexcept { return most_bytes_; }

    /// The entry of a key, which is then the last one used. Nothing: there is none, or it was
    /// damaged or not this user's own and has been removed, or the folder is refused.
    [[nodiscard]] std::optional<KeptObjects> find(const Hash256& key);
    /// Keeps an entry, and removes those that were not used for the longest time beyond the bound.
    /// An entry that is larger than the bound is not kept.
    Status keep(const Hash256& key, std::span<const ByteView> objects);
    /// Removes an entry that cannot be used.
    void remove(const Hash256& key);

    struct Contents {
        std::uint64_t entries = 0, bytes = 0;
    };
    /// Fails if the folder is refused. A folder that does not exist has no entries.
    [[nodiscard]] Result<Contents> contents();
    /// Removes all entries, and says how many there were.
    [[nodiscard]] Result<Contents> clear();

private:
    struct Listed {
        std::string name;
        std::uint64_t bytes = 0;
        std::int64_t used = 0; ///< nanoseconds
    };

    /// The folder's descriptor, opened once; -1: it does not exist.
    [[nodiscard]] Result<int> open(bool create);
    [[nodiscard]] std::vector<Listed> list(int folder, bool remove_unfinished);
    [[nodiscard]] Contents keep_within_bound(int folder);

    const std::filesystem::path folder_;
    const std::uint64_t most_bytes_;
    std::mutex mutex_;
    Descriptor descriptor_;
};

} // namespace blockloom::native
