#include "store/node_writer.h"

#include "base/file.h"
#include "base/sha256.h"

#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace blockloom::test {
namespace {

using store::NodeLayout;

void require(const rocksdb::Status& status) {
    if (status.ok()) return;
    std::fprintf(stderr, "node writer: %s\n", status.ToString().c_str());
    std::abort();
}

rocksdb::CompressionType compression_named(std::string_view name) {
    if (name == "snappy") return rocksdb::kSnappyCompression;
    if (name == "lz4") return rocksdb::kLZ4Compression;
    if (name == "zstd") return rocksdb::kZSTD;
    if (name == "zlib") return rocksdb::kZlibCompression;
    if (name == "bzip2") return rocksdb::kBZip2Compression;
    return rocksdb::kNoCompression;
}

rocksdb::Slice slice(std::string_view bytes) {
    return {bytes.data(), bytes.size()};
}

void set_options(std::string_view name, rocksdb::Options& options,
                 rocksdb::BlockBasedTableOptions& table) {
    using Table = rocksdb::BlockBasedTableOptions;
    if (name == "defaults" || name == "dynamic levels") {
        options.level_compaction_dynamic_level_bytes = true;
        table.optimize_filters_for_memory = true;
        table.checksum = rocksdb::kXXH3;
        table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
    } else if (name == "point lookup") { // Options::OptimizeForPointLookup, of indexers 8
        options.OptimizeForPointLookup(16);
        table.data_block_index_type = Table::kDataBlockBinaryAndHash;
        table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
    } else if (name == "partitions") {
        table.index_type = Table::kTwoLevelIndexSearch;
        table.partition_filters = true;
        table.metadata_block_size = 512;
        table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
    } else if (name == "ribbon") {
        table.filter_policy.reset(rocksdb::NewRibbonFilterPolicy(10));
    } else if (name == "crc32c") {
        table.checksum = rocksdb::kCRC32c;
    } else if (name == "xxhash64") {
        table.checksum = rocksdb::kxxHash64;
    } else if (name == "dictionary") {
        options.compression = rocksdb::kZSTD;
        options.compression_opts.max_dict_bytes = 16 * 1024;
        options.compression_opts.zstd_max_train_bytes = 64 * 1024;
    }
}

std::string printed(const Hash256& hash) {
    return std::string(hash.rbegin(), hash.rend());
}

} // namespace

std::string four(std::uint64_t number) {
    std::string bytes;
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(number >> (8 * i));
    return bytes;
}

std::string sixteen(std::uint64_t number) {
    return four(number) + four(number >> 32) + std::string(8, '\0');
}

Hash256 test_hash(std::string_view words) {
    return Sha256().once({as_bytes(words)});
}

NodeWriter::NodeWriter(const std::filesystem::path& folder, NodeLayout layout, std::string label,
                       const NodeTables& tables)
    : layout_(layout), prefix_(label.empty() ? label : label + "://") {
    rocksdb::Options options;
    options.create_if_missing = true;
    options.compression = compression_named(tables.compression);
    rocksdb::BlockBasedTableOptions table;
    table.format_version = tables.format_version;
    table.block_size = tables.block_bytes;
    if (tables.bloom) table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(20));
    set_options(tables.options, options, table);
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    rocksdb::DB* db = nullptr;
    require(rocksdb::DB::Open(options, folder.string(), &db));
    db_.reset(db);
}

NodeWriter::~NodeWriter() {
    require(db_->Close());
}

std::string NodeWriter::count_name(std::string_view key) const {
    return prefix_ + std::string(key) +
           (layout_ == NodeLayout::v8 ? std::string("\xff\xff\xff\xff") : std::string("/length"));
}

std::string NodeWriter::entry_name(std::string_view key, std::uint64_t index) const {
    return prefix_ + std::string(key) +
           (layout_ == NodeLayout::v8 ? four(index) : '/' + std::to_string(index));
}

std::string NodeWriter::count_bytes(std::uint64_t count) const {
    const bool text = layout_ == NodeLayout::v9 || layout_ == NodeLayout::v9_hashes;
    return text ? std::to_string(count) : four(count);
}

std::string NodeWriter::entry_bytes(std::uint64_t height, const Hash256& hash,
                                    std::string_view value) const {
    switch (layout_) {
    case NodeLayout::v8:
        return std::string(value) + four(height);
    case NodeLayout::v9:
        return fmt::format("{}:{}", height, to_hex(as_bytes(value)));
    case NodeLayout::v9_hashes:
        return fmt::format("{}:{}:{}", height, to_hex(as_bytes(printed(hash).substr(0, 8))),
                           to_hex(as_bytes(value)));
    case NodeLayout::v10:
        return four(height) + std::string(value);
    }
    return {};
}

void NodeWriter::put(std::string_view key, std::string_view value) {
    block_.emplace_back(key, value);
}

void NodeWriter::continue_at(std::string_view key, std::uint64_t index) {
    counts_[std::string(key)] = index;
}

void NodeWriter::put_list(const std::string& key, const std::vector<std::string>& elements) {
    put(key + "/length", four(elements.size()));
    for (std::size_t i = 0; i < elements.size(); ++i)
        put(key + '/' + std::to_string(i), elements[i]);
}

void NodeWriter::end_block(std::uint64_t height, const Hash256& hash, bool without_end) {
    rocksdb::WriteBatch batch;
    const auto write = [&](const std::string& key, const std::string& value) {
        require(batch.Put(key, value));
    };
    std::set<std::string> keys;
    std::uint64_t listed = 0;
    for (const auto& [key, value] : block_) {
        std::uint64_t& count = counts_[key];
        write(entry_name(key, count), entry_bytes(height, hash, value));
        write(count_name(key), count_bytes(++count));
        keys.insert(key);
        if (layout_ == NodeLayout::v8) write(prefix_ + four(height) + four(listed++), key);
    }
    block_.clear();
    if (!without_end) {
        write("/__INTERNAL/height-to-hash/" + std::to_string(height), printed(hash));
        if (layout_ == NodeLayout::v8) {
            write(prefix_ + four(height) + "\xff\xff\xff\xff", four(listed));
            write(prefix_ + "/__INTERNAL/tip-height", four(height + 1));
        } else {
            write("__INTERNAL/height", four(height));
            write(prefix_ + "/__INTERNAL/tip-height", four(height));
            std::string list = four(keys.size());
            for (const std::string& key : keys) list += four(key.size()) + key;
            write(prefix_ + "/__INTERNAL/keys-at-height/" + std::to_string(height), list);
        }
    }
    require(db_->Write({}, &batch));
}

void NodeWriter::put_raw(std::string_view key, std::string_view value) {
    require(db_->Put({}, slice(key), slice(value)));
}

void NodeWriter::erase_raw(std::string_view key) {
    require(db_->Delete({}, slice(key)));
}

std::optional<std::string> NodeWriter::raw(std::string_view key) const {
    std::string value;
    const rocksdb::Status read = db_->Get({}, slice(key), &value);
    if (read.IsNotFound()) return std::nullopt;
    require(read);
    return value;
}

void NodeWriter::flush() {
    require(db_->Flush({}));
}

void NodeWriter::compact() {
    rocksdb::CompactRangeOptions how;
    how.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForce;
    require(db_->CompactRange(how, nullptr, nullptr));
}

std::string fingerprint(const std::filesystem::path& folder) {
    std::vector<std::string> lines;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
        std::string line = file.path().lexically_relative(folder).string();
        if (file.is_regular_file()) {
            const auto content = FileContent::read(file.path());
            line += fmt::format(" {} {} {}", content ? content->bytes().size() : 0,
                                content ? to_hex(Sha256().once({content->bytes()}))
                                        : content.error().message,
                                file.last_write_time().time_since_epoch().count());
        }
        lines.push_back(std::move(line));
    }
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    return text;
}

} // namespace blockloom::test
