// The file system with which RocksDB reads an indexer's database: it changes nothing outside one
// folder, whatever RocksDB may want to do. Only included by this room's sources.
#pragma once

#include <rocksdb/file_system.h>

#include <filesystem>
#include <memory>
#include <string>

namespace blockloom::store {

/// Refuses to create, change, rename, link, lock or delete anything outside `own`; an empty `own`
/// allows no change at all. Reads are passed on.
[[nodiscard]] std::shared_ptr<rocksdb::FileSystem>
read_only_files(const std::filesystem::path& own);

} // namespace blockloom::store
