// Blocks of a workspace: commit, record, undo.
#include "base/contain.h"
#include "state/digest.h"
#include "store/block_bytes.h"
#include "store/meta_keys.h"
#include "store/workspace.h"
#include "store/workspace_inside.h"

#include <fmt/format.h>

namespace blockloom::store {
namespace {

/// The height of a block's parent, and its hash if it is known.
std::string base_bytes(const Base& base) {
    std::string bytes = number_bytes(base.height);
    bytes += base.hash ? '\1' : '\0';
    if (base.hash)
        bytes.append(reinterpret_cast<const char*>(base.hash->data()), base.hash->size());
    return bytes;
}

std::optional<Base> base_from(std::string_view bytes) {
    constexpr std::size_t without = sizeof(std::uint64_t) + 1;
    if (bytes.size() < without) return std::nullopt;
    Base base{*number_from(bytes.substr(0, sizeof(std::uint64_t))), {}};
    if (bytes[without - 1] == '\0' && bytes.size() == without) return base;
    if (bytes[without - 1] != '\1' || bytes.size() != without + sizeof(Hash256))
        return std::nullopt;
    base.hash.emplace();
    std::memcpy(base.hash->data(), bytes.data() + without, sizeof(Hash256));
    return base;
}

std::string base_text(const Base& base) {
    return base.hash ? fmt::format("{} ({})", base.height, to_reversed_hex(*base.hash))
                     : fmt::format("{}", base.height);
}

} // namespace

Status WorkspaceInside::read_tip() {
    const Result<std::optional<std::string>> height = database->get(Family::meta, tip_key);
    if (!height) return height.error();
    if (!*height) return {};
    const auto number = height_from(**height);
    if (!number) return damaged("its tip is not a valid height");
    const Result<std::optional<BlockRecord>> last = record(*number);
    if (!last) return last.error();
    if (!*last) return damaged(fmt::format("its last block, {}, is missing", *number));
    tip = Tip{(*last)->height, (*last)->hash};
    return {};
}

Result<std::optional<BlockRecord>> WorkspaceInside::record(std::uint64_t height) const {
    const Result<std::optional<std::string>> bytes = database->get(Family::meta, block_key(height));
    if (!bytes) return bytes.error();
    if (!*bytes) return std::optional<BlockRecord>();
    std::optional<BlockRecord> record = record_from(height, **bytes);
    if (!record) return damaged(fmt::format("the record of block {} cannot be read", height));
    return record;
}

Result<std::optional<BlockRecord>> Workspace::block(std::uint64_t height) const {
    return contain("reading the workspace",
                   [&]() -> Result<std::optional<BlockRecord>> { return inside_->record(height); });
}

Result<std::optional<Base>> Workspace::base() const {
    return contain("reading the workspace", [&]() -> Result<std::optional<Base>> {
        const auto bytes = inside_->database->get(Family::meta, base_key);
        if (!bytes) return bytes.error();
        if (*bytes) {
            const auto base = base_from(**bytes);
            if (!base)
                return inside_->damaged(
                    "the record of the block before its first one cannot be read");
            return base;
        }
        // Format 1 did not keep it: the first block knows.
        std::optional<Base> base;
        for (auto next = inside_->tip ? std::optional(inside_->tip->height) : std::nullopt; next;) {
            const auto record = inside_->record(*next);
            if (!record) return record.error();
            if (!*record) return inside_->damaged(fmt::format("block {} is missing", *next));
            next = (*record)->tip_before;
            if (!next && (*record)->height > 0)
                base = Base{(*record)->height - 1, (*record)->previous};
        }
        return base;
    });
}

Status Workspace::set_base(const Base& base) {
    return put({}, base);
}

Result<std::optional<Tip>> Workspace::below(std::uint64_t height) const {
    return contain("reading the workspace", [&]() -> Result<std::optional<Tip>> {
        if (height == 0) return std::optional<Tip>();
        const auto record = inside_->record(height - 1);
        if (!record) return record.error();
        if (*record) return std::optional(Tip{(*record)->height, (*record)->hash});
        const auto first = base();
        if (!first) return first.error();
        if (!*first || (*first)->height != height - 1 || !(*first)->hash)
            return std::optional<Tip>();
        return std::optional(Tip{(*first)->height, *(*first)->hash});
    });
}

Status Workspace::put(const state::WriteSet& writes, const std::optional<Base>& after) {
    return contain("writing to the workspace", [&]() -> Status {
        if (after && inside_->tip)
            return Error{
                ErrorCode::bad_input,
                fmt::format(
                    "{}: expected a workspace without blocks, found block {} ({}): its state is "
                    "the one after that block and cannot be declared to be another's",
                    inside_->folder.string(), inside_->tip->height,
                    to_reversed_hex(inside_->tip->hash))};
        rocksdb::WriteBatch batch;
        rocksdb::ColumnFamilyHandle* family = inside_->database->handle(Family::state);
        rocksdb::ColumnFamilyHandle* meta = inside_->database->handle(Family::meta);
        for (const auto& [key, value] : writes) {
            if (value.canonical())
                batch.Put(family, slice(key), slice(value.bytes()));
            else
                batch.Delete(family, slice(key));
            if (inside_->tip)
                batch.Put(meta, slice(std::string(put_prefix) += key),
                          slice(height_key(inside_->tip->height)));
        }
        if (after) batch.Put(meta, slice(base_key), slice(base_bytes(*after)));
        return inside_->write(batch, inside_->tip);
    });
}

/// A block follows its parent and no other block.
Status WorkspaceInside::follows(const BlockCommit& block, const std::optional<Base>& base) const {
    if (tip && block.height <= tip->height)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected a block above the last one, {}, found {}; undo "
                                 "blocks first (state undo)",
                                 folder.string(), tip->height, block.height)};
    const auto parent = tip ? std::optional(Base{tip->height, tip->hash}) : base;
    if (!parent) return {};
    const bool is_next = block.height > 0 && block.height - 1 == parent->height;
    if (is_next && (!parent->hash || *parent->hash == block.previous)) return {};
    return Error{
        ErrorCode::bad_input,
        fmt::format("{}: block {} ({}): expected block {} as its parent, found block {} ({}){}",
                    folder.string(), block.height, to_reversed_hex(block.hash), base_text(*parent),
                    block.height - std::min<std::uint64_t>(block.height, 1),
                    to_reversed_hex(block.previous),
                    is_next ? ": another branch; undo blocks first (state undo)"
                            : ": blocks are missing between them")};
}

Result<BlockRecord> Workspace::commit(const BlockCommit& block) {
    return contain("committing the block", [&]() -> Result<BlockRecord> {
        const std::optional<Tip>& tip = inside_->tip;
        std::optional<Base> first;
        if (!tip) {
            auto known = base();
            if (!known) return known.error();
            first = *std::move(known);
        }
        if (Status follows = inside_->follows(block, first); !follows) return follows.error();

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
        if (!tip && block.height > 0)
            batch.Put(database.handle(Family::meta), slice(base_key),
                      slice(base_bytes({block.height - 1, block.previous})));
        const std::uint64_t keep = inside_->options.keep_undo;
        if (keep != 0 && block.height >= keep)
            batch.Delete(database.handle(Family::undo), slice(height_key(block.height - keep)));
        const Tip after{block.height, block.hash};
        if (Status written = inside_->write(batch, after); !written) return written.error();

        inside_->tip = after;
        if (inside_->bulk && ++inside_->since_checkpoint >= inside_->options.checkpoint_every)
            if (Status flushed = checkpoint(); !flushed) return flushed.error();
        return record;
    });
}

Result<std::uint64_t> Workspace::undo(std::uint64_t height) {
    return contain("undoing blocks", [&]() -> Result<std::uint64_t> {
        Database& database = *inside_->database;
        // Check first, then change: either all of them are undone or none.
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
                    fmt::format("{}: block {} cannot be undone: its undo is no longer kept",
                                inside_->folder.string(), *next)};
            next = (*record)->tip_before;
            blocks.push_back(std::move(**record));
        }
        for (const BlockRecord& block : blocks) {
            const auto undo = database.get(Family::undo, height_key(block.height));
            if (!undo) return undo.error();
            rocksdb::WriteBatch batch;
            rocksdb::ColumnFamilyHandle* family = database.handle(Family::state);
            const bool whole =
                *undo && read_undo(**undo, [&](std::string_view key,
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
                if (block.height > 0)
                    batch.Put(database.handle(Family::meta), slice(base_key),
                              slice(base_bytes({block.height - 1, block.previous})));
            }
            if (Status written = inside_->write(batch, before); !written) return written.error();
            inside_->tip = before;
        }
        return blocks.size();
    });
}

} // namespace blockloom::store
