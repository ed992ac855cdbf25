// Writes the database of an indexer as its versions do (docs/metashrew.md), so that tests can have
// any history. Written after the description, not with the reader's functions.
#pragma once

#include "base/bytes.h"
#include "store/metashrew/layout.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocksdb {
class DB;
}

namespace blockloom::test {

/// How a table is made.
struct NodeTables {
    const char* compression = "snappy"; ///< none, snappy, lz4, zstd, zlib, bzip2
    unsigned format_version = 5;
    std::size_t block_bytes = 4096;
    bool bloom = false;
    /// "defaults": those of RocksDB 8.4 and 9 where they differ from 7.8's, as far as it has them;
    /// "point lookup", "partitions", "ribbon", "crc32c", "xxhash64", "dictionary", "dynamic
    /// levels".
    std::string_view options{};
};

/// Aborts the test program on an error of the database.
class NodeWriter {
public:
    NodeWriter(const std::filesystem::path& folder, store::NodeLayout layout,
               std::string label = {}, const NodeTables& tables = {});
    ~NodeWriter();
    NodeWriter(const NodeWriter&) = delete;
    NodeWriter& operator=(const NodeWriter&) = delete;

    /// One more entry in a key's chain, in the block that is being written.
    void put(std::string_view key, std::string_view value);
    /// The chain of `key` continues with this entry: the others are in another folder.
    void continue_at(std::string_view key, std::uint64_t index);
    /// A list of the indexer: its elements, and its length.
    void put_list(const std::string& key, const std::vector<std::string>& elements);
    /// Writes the entries, and what the layout keeps of a block. `without_end`: the entries only,
    /// as where an indexer was cut.
    void end_block(std::uint64_t height, const Hash256& hash, bool without_end = false);

    // The physical database.
    void put_raw(std::string_view key, std::string_view value);
    void erase_raw(std::string_view key);
    [[nodiscard]] std::optional<std::string> raw(std::string_view key) const;
    /// From memory into a table.
    void flush();
    /// All tables into new ones; the old ones are deleted.
    void compact();

    [[nodiscard]] std::string count_name(std::string_view key) const;
    [[nodiscard]] std::string entry_name(std::string_view key, std::uint64_t index) const;
    [[nodiscard]] std::string entry_bytes(std::uint64_t height, const Hash256& hash,
                                          std::string_view value) const;
    [[nodiscard]] std::string count_bytes(std::uint64_t count) const;

private:
    store::NodeLayout layout_;
    std::string prefix_;
    std::unique_ptr<rocksdb::DB> db_;
    std::vector<std::pair<std::string, std::string>> block_;
    std::map<std::string, std::uint64_t> counts_;
};

/// A block's hash for tests: the same for the same words.
[[nodiscard]] Hash256 test_hash(std::string_view words);
/// A key that every Alkanes database has.
inline constexpr std::string_view sequence_name = "/alkanes/sequence";
/// 16 bytes, little-endian.
[[nodiscard]] std::string sixteen(std::uint64_t number);
/// 4 bytes, little-endian.
[[nodiscard]] std::string four(std::uint64_t number);

/// Names, sizes, times and SHA-256 of all files in a folder.
[[nodiscard]] std::string fingerprint(const std::filesystem::path& folder);

} // namespace blockloom::test
