// Blocks of a workspace: commit, record, undo.
#include "state/digest.h"
#include "store/block_bytes.h"
#include "store/workspace_inside.h"

#include <fmt/format.h>

namespace blockloom::store {
namespace {

// Keys of the family `meta`.
constexpr std::string_view tip_key = "tip"; // height of the last committed block, 8 bytes
constexpr std::string_view block_prefix = "block:";

std::string block_key(std::uint64_t height) {
    return std::string(block_prefix) + height_key(height);
}

std::uint64_t height_from(std::string_view key) {
    std::uint64_t height = 0;
    std::memcpy(&height, key.data(), sizeof height);
    return __builtin_bswap64(height);
}

} // namespace

Status Workspace::Inside::read_tip() {
    const Result<std::optional<std::string>> height = database->get(Family::meta, tip_key);
    if (!height) return height.error();
    if (!*height) return {};
    if ((*height)->size() != sizeof(std::uint64_t)) return damaged("its tip is no height");
    const Result<std::optional<BlockRecord>> last = record(height_from(**height));
    if (!last) return last.error();
    if (!*last)
        return damaged(fmt::format("its last block, {}, is missing", height_from(**height)));
    tip = Tip{(*last)->height, (*last)->hash};
    return {};
}

Result<std::optional<BlockRecord>> Workspace::Inside::record(std::uint64_t height) const {
    const Result<std::optional<std::string>> bytes = database->get(Family::meta, block_key(height));
    if (!bytes) return bytes.error();
    if (!*bytes) return std::optional<BlockRecord>();
    std::optional<BlockRecord> record = record_from(height, **bytes);
    if (!record) return damaged(fmt::format("the record of block {} cannot be read", height));
    return record;
}

Result<std::optional<BlockRecord>> Workspace::block(std::uint64_t height) const {
    return inside_->record(height);
}

Result<BlockRecord> Workspace::commit(const BlockCommit& block) {
    const std::optional<Tip>& tip = inside_->tip;
    if (tip && block.height <= tip->height)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected a block above the last one, {}, found {}; take "
                                 "blocks back first (state undo)",
                                 inside_->folder.string(), tip->height, block.height)};
    if (tip && block.height == tip->height + 1 && block.previous != tip->hash)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: block {}: expected previous block {}, found {}: another "
                                 "branch; take blocks back first (state undo)",
                                 inside_->folder.string(), block.height, to_reversed_hex(tip->hash),
                                 to_reversed_hex(block.previous))};

    BlockRecord record{.height = block.height,
                       .hash = block.hash,
                       .previous = block.previous,
                       .digest = state::block_digest(block.changes),
                       .keys = block.changes.size(),
                       .tip_before = tip ? std::optional(tip->height) : std::nullopt,
                       .extra = std::string(block.extra)};
    const std::string undo = undo_bytes(block.changes), key = height_key(block.height);
    std::size_t size = undo.size() + 1024;
    for (const state::Change& change : block.changes)
        size += 16 + change.key.size() + change.after.size();

    Database& database = *inside_->database;
    rocksdb::ColumnFamilyHandle* family = database.handle(Family::state);
    rocksdb::WriteBatch batch(size);
    for (const state::Change& change : block.changes) {
        if (change.after)
            batch.Put(family, slice(change.key), slice(change.after.bytes()));
        else
            batch.Delete(family, slice(change.key));
    }
    batch.Put(database.handle(Family::undo), slice(key), slice(undo));
    batch.Put(database.handle(Family::meta), slice(block_key(block.height)),
              slice(record_bytes(record)));
    batch.Put(database.handle(Family::meta), slice(tip_key), slice(key));
    const std::uint64_t keep = inside_->options.keep_undo;
    if (keep != 0 && block.height >= keep)
        batch.Delete(database.handle(Family::undo), slice(height_key(block.height - keep)));
    if (Status written = inside_->write(batch); !written) return written.error();

    inside_->tip = Tip{block.height, block.hash};
    if (inside_->bulk && ++inside_->since_checkpoint >= inside_->options.checkpoint_every)
        if (Status flushed = checkpoint(); !flushed) return flushed.error();
    return record;
}

Result<std::uint64_t> Workspace::undo(std::uint64_t height) {
    Database& database = *inside_->database;
    // First look, then touch: either all of them can be taken back or none is.
    std::vector<BlockRecord> blocks;
    for (std::optional<std::uint64_t> next = inside_->tip ? std::optional(inside_->tip->height)
                                                          : std::nullopt;
         next && *next >= height;) {
        Result<std::optional<BlockRecord>> record = inside_->record(*next);
        if (!record) return record.error();
        if (!*record) return inside_->damaged(fmt::format("block {} is missing", *next));
        const auto undo = database.get(Family::undo, height_key(*next));
        if (!undo) return undo.error();
        if (!*undo)
            return Error{
                ErrorCode::bad_input,
                fmt::format("{}: block {} cannot be taken back: its undo is no longer kept",
                            inside_->folder.string(), *next)};
        next = (*record)->tip_before;
        blocks.push_back(std::move(**record));
    }
    for (const BlockRecord& block : blocks) {
        const auto undo = database.get(Family::undo, height_key(block.height));
        if (!undo) return undo.error();
        rocksdb::WriteBatch batch;
        rocksdb::ColumnFamilyHandle* family = database.handle(Family::state);
        const bool whole = *undo && read_undo(**undo, [&](std::string_view key,
                                                          std::optional<std::string_view> before) {
            if (before)
                batch.Put(family, slice(key), slice(*before));
            else
                batch.Delete(family, slice(key));
        });
        if (!whole)
            return inside_->damaged(
                fmt::format("the undo of block {} cannot be read", block.height));
        batch.Delete(database.handle(Family::undo), slice(height_key(block.height)));
        batch.Delete(database.handle(Family::meta), slice(block_key(block.height)));
        std::optional<Tip> before;
        if (block.tip_before) {
            const auto record = inside_->record(*block.tip_before);
            if (!record) return record.error();
            if (!*record)
                return inside_->damaged(fmt::format("block {} is missing", *block.tip_before));
            before = Tip{(*record)->height, (*record)->hash};
            batch.Put(database.handle(Family::meta), slice(tip_key),
                      slice(height_key(before->height)));
        } else {
            batch.Delete(database.handle(Family::meta), slice(tip_key));
        }
        if (Status written = inside_->write(batch); !written) return written.error();
        inside_->tip = before;
    }
    return blocks.size();
}

} // namespace blockloom::store
