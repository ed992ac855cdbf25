#include "store/check.h"

#include "base/contain.h"
#include "base/number_text.h"
#include "state/digest.h"
#include "store/block_bytes.h"
#include "store/document_folder.h"
#include "store/format_file.h"
#include "store/log_inspection.h"
#include "store/meta_keys.h"
#include "store/workspace.h"
#include "store/workspace_inside.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace blockloom::store {
namespace {

void count_files(const std::filesystem::path& folder, CheckReport& report) {
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error)) {
        if (it.depth() == 0 && it->path().filename().string().starts_with("repaired-"))
            it.disable_recursion_pending(); // what a repair has set aside
        std::error_code unreadable;
        if (!it->is_regular_file(unreadable)) continue;
        ++report.files;
        const auto size = it->file_size(unreadable);
        if (!unreadable) report.bytes += size;
        if (it->path().extension() == ".sst") ++report.tables;
    }
}

/// Whether a folder was a workspace before it was damaged.
bool is_workspace(const std::filesystem::path& folder) {
    std::error_code error;
    return std::filesystem::is_directory(folder / "db", error) ||
           std::filesystem::exists(folder / "format", error);
}

} // namespace

/// Reads everything of an open workspace.
class Workspace::Check {
public:
    Check(const Inside& inside, CheckReport& report, ProgressSink& progress,
          const std::stop_token& stop)
        : inside_(inside), database_(*inside.database), report_(report), progress_(progress),
          stop_(stop) {}

    Status perform() {
        report_.writes = database_.writes();
        report_.tip = inside_.tip;
        for (const auto part : {&Check::tables, &Check::state, &Check::records, &Check::chain,
                                &Check::undos, &Check::kept}) {
            if (stop_.stop_requested()) return cancelled_error();
            if (const Status done = (this->*part)(); !done) {
                if (done.error().code == ErrorCode::cancelled) return done;
                problem(done.error().message);
            }
        }
        return {};
    }

private:
    void problem(std::string_view what) {
        constexpr std::size_t most = 100;
        if (report_.problems.size() < most) report_.problems.emplace_back(what);
    }

    Status tables() {
        progress_.report({"Checksums of the tables", 0, 0});
        return database_.verify_tables();
    }

    Status state() {
        progress_.report({"Digest of the state", 0, 0});
        state::DigestStream stream;
        const Status visited =
            database_.visit(Family::state, {}, [&](std::string_view key, std::string_view value) {
                if (value.empty())
                    problem(fmt::format("the state holds an empty value at a key of {} bytes",
                                        key.size()));
                stream.add_present(key, value);
                ++report_.keys;
                return !stop_.stop_requested();
            });
        if (!visited) return visited;
        if (stop_.stop_requested()) return cancelled_error();
        report_.state_digest = stream.finish();
        return {};
    }

    /// What the family `meta` holds: records of blocks that can be read, labels, nothing unknown.
    Status records() {
        return database_.visit(Family::meta, {}, [&](std::string_view key, std::string_view value) {
            if (key.starts_with(block_prefix)) {
                const auto height = height_from(key.substr(block_prefix.size()));
                auto record = height ? record_from(*height, value) : std::nullopt;
                if (record)
                    records_.emplace(*height, *std::move(record));
                else
                    problem("a record of a block cannot be read");
            } else if (key.starts_with(put_prefix)) {
                if (const auto height = height_from(value))
                    put_over_.emplace(key.substr(put_prefix.size()), *height);
                else
                    problem("the height of a seeded key cannot be read");
            } else if (key.starts_with(label_prefix)) {
                ++report_.labels;
            } else if (key != version_key && key != tip_key && key != writes_key &&
                       key != base_key) {
                problem(fmt::format("an unknown entry of {} bytes in the database", key.size()));
            }
            return !stop_.stop_requested();
        });
    }

    /// From the last block down, each on its parent; no record lies beside the chain.
    Status chain() {
        std::optional<std::uint64_t> next =
            report_.tip ? std::optional(report_.tip->height) : std::nullopt;
        const BlockRecord* above = nullptr;
        while (next) {
            const auto found = records_.find(*next);
            if (found == records_.end()) {
                problem(fmt::format("block {} is missing", *next));
                return {};
            }
            const BlockRecord& record = found->second;
            if (above != nullptr &&
                (record.height + 1 != above->height || record.hash != above->previous))
                problem(fmt::format("block {} follows block {}, but found block {} ({}) below it: "
                                    "the chain is broken there, and every state above it is wrong",
                                    above->height, to_reversed_hex(above->previous), record.height,
                                    to_reversed_hex(record.hash)));
            ++report_.blocks;
            chain_.push_back(&record);
            if (record.tip_before && *record.tip_before >= record.height) {
                problem(fmt::format("block {} names block {} as its parent", record.height,
                                    *record.tip_before));
                return {};
            }
            next = record.tip_before;
            above = &record;
        }
        if (chain_.size() != records_.size())
            problem(fmt::format("{} block records are outside the chain of {}",
                                records_.size() - chain_.size(), chain_.size()));
        if (above != nullptr && report_.base &&
            (report_.base->height + 1 != above->height ||
             (report_.base->hash && *report_.base->hash != above->previous)))
            problem(fmt::format("the first block, {}, does not follow the block that the workspace "
                                "started from, {}",
                                above->height, report_.base->height));
        return {};
    }

    /// Walks back from the current state: with the values before each block, those after it are
    /// known, and the digest of its changes is recomputed.
    Status undos() {
        std::map<std::string, state::Value, std::less<>> later; ///< where a later block wrote
        bool kept = true;
        std::uint64_t compared = 0;
        for (const BlockRecord* record : chain_) {
            if (stop_.stop_requested()) return cancelled_error();
            progress_.report({"Digests of blocks", compared++, chain_.size()});
            const auto undo = database_.get(Family::undo, height_key(record->height));
            if (!undo) return undo.error();
            if (!*undo) {
                kept = false; // only a limited number is kept: below this height there is none
                ++report_.not_comparable;
                continue;
            }
            if (!kept)
                problem(fmt::format("the undo of block {} exists, but not those above it",
                                    record->height));
            if (const Status one = undo_of(*record, **undo, later); !one) return one;
        }
        std::uint64_t stored = 0;
        const Status visited = database_.visit(
            Family::undo, {}, [&](std::string_view, std::string_view) { return ++stored, true; });
        if (visited && stored != report_.undos)
            problem(fmt::format("{} stored, but only {} belong to blocks", counted(stored, "undo"),
                                report_.undos));
        return visited;
    }

    Status undo_of(const BlockRecord& record, std::string_view bytes,
                   std::map<std::string, state::Value, std::less<>>& later) {
        state::DigestStream digest;
        std::uint64_t keys = 0;
        bool comparable = true;
        Status read;
        const bool whole =
            read_undo(bytes, [&](std::string_view key, std::optional<std::string_view> before) {
                ++keys;
                const auto over = put_over_.find(key);
                if (over != put_over_.end() && over->second >= record.height) comparable = false;
                const auto known = later.find(key);
                Result<std::optional<std::string>> today{std::optional<std::string>()};
                if (known == later.end()) today = database_.get(Family::state, key);
                if (!today) {
                    read = today.error();
                    return;
                }
                if (known != later.end())
                    digest.add(key, known->second);
                else
                    digest.add(key, *today ? state::Value(*std::move(*today)) : state::Value());
                later.insert_or_assign(std::string(key), before ? state::Value(std::string(*before))
                                                                : state::Value());
            });
        if (!read) return read;
        if (!whole || keys != record.keys) {
            problem(fmt::format("the undo of block {} cannot be read", record.height));
            return {};
        }
        ++report_.undos;
        const Hash256 found = digest.finish();
        if (!comparable) {
            ++report_.not_comparable;
        } else if (found == record.digest) {
            ++report_.digests;
        } else {
            problem(fmt::format("block {}: expected digest {}, found {} in the state",
                                record.height, to_hex(record.digest), to_hex(found)));
        }
        return {};
    }

    Status kept() {
        for (const char* name : {runs_folder, tunings_folder}) {
            const DocumentFolder kept(inside_.folder / name);
            const auto entries = kept.list();
            if (!entries) return entries.error();
            for (const DocumentEntry& entry : *entries) {
                if (stop_.stop_requested()) return cancelled_error();
                ++report_.documents;
                if (const Status whole = entry.damage.empty()
                                             ? kept.check(entry.id)
                                             : Error{ErrorCode::bad_input, entry.damage};
                    !whole)
                    problem(whole.error().message);
            }
        }
        return database_.visit(Family::traces, {}, [&](std::string_view, std::string_view) {
            ++report_.traces;
            return !stop_.stop_requested();
        });
    }

    const Inside& inside_;
    const Database& database_;
    CheckReport& report_;
    ProgressSink& progress_;
    const std::stop_token& stop_;
    std::map<std::uint64_t, BlockRecord> records_;
    std::map<std::string, std::uint64_t, std::less<>> put_over_;
    std::vector<const BlockRecord*> chain_; ///< last block first
};

Status Workspace::check(CheckReport& report, ProgressSink& progress,
                        const std::stop_token& stop) const {
    return contain("checking the workspace", [&]() -> Status {
        if (auto first = base(); first)
            report.base = *first;
        else
            report.problems.push_back(first.error().message);
        return Check(*inside_, report, progress, stop).perform();
    });
}

Result<CheckReport> check_workspace(const std::filesystem::path& folder, ProgressSink& progress,
                                    const std::stop_token& stop) {
    return contain("checking the workspace", [&]() -> Result<CheckReport> {
        CheckReport report;
        auto opened = Workspace::open(folder, {.read_only = true});
        if (!opened) {
            if (opened.error().code != ErrorCode::bad_input || !is_workspace(folder))
                return opened.error();
            count_files(folder, report);
            report.problems.push_back(opened.error().message);
            return report;
        }
        count_files(folder, report);
        const auto format = read_format(folder);
        if (!format) return format.error();
        report.format = format->value_or(0);
        const auto log = inspect_log(folder);
        if (log)
            report.log_records = log->records;
        else
            report.problems.push_back(log.error().message);
        if (const Status checked = (*opened)->check(report, progress, stop); !checked)
            return checked.error();
        return report;
    });
}

} // namespace blockloom::store
