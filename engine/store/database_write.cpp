// Writing: through the log, or gathered in memory and saved as table files.
#include "store/database.h"
#include "store/meta_keys.h"

#include <fmt/format.h>
#include <rocksdb/sst_file_writer.h>

#include <algorithm>

namespace blockloom::store {
namespace {

std::size_t bytes_of(const Unsaved& unsaved) {
    std::size_t bytes = 0;
    for (const UnsavedTable& table : unsaved) bytes += table.bytes();
    return bytes;
}

/// Puts what a batch holds into tables in memory.
class Gather final : public rocksdb::WriteBatch::Handler {
public:
    /// `ids`: the database's number of each family. `guard` is held for each entry only, so that
    /// readers do not wait for a whole block.
    Gather(Unsaved& to, const std::array<std::uint32_t, families>& ids, std::shared_mutex& guard)
        : to_(&to), ids_(ids), guard_(guard) {}

    rocksdb::Status PutCF(std::uint32_t id, const rocksdb::Slice& key,
                          const rocksdb::Slice& value) override {
        const std::lock_guard lock(guard_);
        table(id).put(view(key), view(value));
        return rocksdb::Status::OK();
    }
    rocksdb::Status DeleteCF(std::uint32_t id, const rocksdb::Slice& key) override {
        const std::lock_guard lock(guard_);
        table(id).put(view(key), std::nullopt);
        return rocksdb::Status::OK();
    }

private:
    UnsavedTable& table(std::uint32_t id) {
        const auto at = std::find(ids_.begin(), ids_.end(), id);
        return (*to_)[static_cast<std::size_t>(at - ids_.begin())];
    }

    Unsaved* to_;
    std::array<std::uint32_t, families> ids_;
    std::shared_mutex& guard_;
};

} // namespace

Status Database::guard() {
    auto file = ProgressFile::open(folder_);
    if (!file) return file.error();
    progress_ = *std::move(file);
    return {};
}

Status Database::note(const Reached& reached) {
    return progress_ ? progress_->note(reached) : Status();
}

Status Database::write(rocksdb::WriteBatch& batch, bool logged, const std::optional<Tip>& tip) {
    const Reached reached{writes_ + 1, tip};
    batch.Put(handle(Family::meta), slice(writes_key), slice(number_bytes(reached.writes)));
    if (logged) {
        // The collected writes are older and must not be lost if this one is kept.
        if (Status flushed = flush_unsaved(); !flushed) return flushed;
        rocksdb::WriteOptions options;
        options.memtable_insert_hint_per_batch = true; // a block's keys are sorted
        if (Status written = checked(db_->Write(options, &batch), "write to"); !written)
            return written;
        writes_ = reached.writes;
        return note(reached);
    }
    std::array<std::uint32_t, families> ids{};
    std::transform(handles_.begin(), handles_.end(), ids.begin(),
                   [](const rocksdb::ColumnFamilyHandle* each) { return each->GetID(); });
    Gather gather(*unsaved_, ids, layers_guard_);
    if (Status gathered = checked(batch.Iterate(&gather), "write to"); !gathered) return gathered;
    writes_ = reached.writes;
    gathered_ = reached;
    return bytes_of(*unsaved_) < most_unsaved_ ? Status() : start_saving();
}

Status Database::flush_unsaved() {
    if (Status started = start_saving(); !started) return started;
    return finish_saving();
}

Status Database::flush() {
    if (Status flushed = flush_unsaved(); !flushed) return flushed;
    const std::vector<rocksdb::ColumnFamilyHandle*> all(handles_.begin(), handles_.end());
    return checked(db_->Flush(rocksdb::FlushOptions(), all), "flush");
}

std::filesystem::path Database::incoming() const {
    return folder_ / "db" / "incoming";
}

Status Database::start_saving() {
    if (Status finished = finish_saving(); !finished) return finished;
    if (std::ranges::all_of(*unsaved_, &UnsavedTable::empty)) return {};
    auto empty = std::make_unique<Unsaved>();
    {
        const std::lock_guard lock(layers_guard_);
        saving_ = std::exchange(unsaved_, std::move(empty));
    }
    handed_ = gathered_;
    saved_ = std::async(std::launch::async, [this] { return save(*saving_); });
    return {};
}

Status Database::finish_saving() {
    if (!saving_) return {};
    // Without a thread, it failed before: there may be disk space again.
    Status saved = saved_.valid() ? saved_.get() : save(*saving_);
    if (!saved) return saved;
    {
        const std::lock_guard lock(layers_guard_);
        saving_.reset();
    }
    return note(handed_);
}

Status Database::save(const Unsaved& unsaved) const {
    std::error_code error;
    std::filesystem::create_directories(incoming(), error);
    if (error)
        return Error{ErrorCode::system, fmt::format("{}: cannot create the folder: {}",
                                                    incoming().string(), error.message())};
    std::vector<rocksdb::IngestExternalFileArg> files;
    for (std::size_t i = 0; i < families; ++i) {
        if (unsaved[i].empty()) continue;
        const Result<std::string> path = write_table(static_cast<Family>(i), unsaved[i]);
        if (!path) return path.error();
        rocksdb::IngestExternalFileArg& file = files.emplace_back();
        file.column_family = handles_[i];
        file.external_files = {*path};
        file.options.move_files = true;
    }
    return checked(db_->IngestExternalFiles(files), "write to");
}

Result<std::string> Database::write_table(Family family, const UnsavedTable& table) const {
    const std::string path = incoming() / family_names[static_cast<std::size_t>(family)];
    rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), db_->GetOptions(handle(family)),
                                  handle(family));
    rocksdb::Status status = writer.Open(path);
    for (const UnsavedEntry& entry : table.sorted()) {
        if (!status.ok()) break;
        status = entry.value ? writer.Put(slice(entry.key), slice(*entry.value))
                             : writer.Delete(slice(entry.key));
    }
    if (status.ok()) status = writer.Finish();
    if (const Status written = checked(status, "write to"); !written) return written.error();
    return path;
}

} // namespace blockloom::store
