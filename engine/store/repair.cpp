// Reverts a workspace to its last whole write.
#include "base/contain.h"
#include "base/file.h"
#include "store/block_bytes.h"
#include "store/check.h"
#include "store/damage.h"
#include "store/folder_lock.h"
#include "store/format_file.h"
#include "store/log_inspection.h"
#include "store/meta_keys.h"
#include "store/workspace.h"
#include "store/workspace_inside.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace blockloom::store {
namespace {

namespace fs = std::filesystem;

constexpr const char* work_name = "repairing";

Error cannot(const char* action, const fs::path& path, const std::error_code& error) {
    return {ErrorCode::system,
            fmt::format("{}: cannot {}: {}", path.string(), action, error.message())};
}

/// Copies the files of a database. Tables never change: a second name for them is a copy.
Status copy_database(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::create_directories(to, error);
    if (error) return cannot("create the folder", to, error);
    fs::directory_iterator it(from, error);
    if (error) return cannot("read the folder", from, error);
    for (const fs::directory_iterator end; it != end; it.increment(error)) {
        if (error) return cannot("read the folder", from, error);
        if (!it->is_regular_file(error) || it->is_symlink(error)) continue;
        const fs::path target = to / it->path().filename();
        if (target.extension() == ".sst") {
            fs::create_hard_link(it->path(), target, error);
            if (!error) continue;
        }
        fs::copy_file(it->path(), target, fs::copy_options::overwrite_existing, error);
        if (error) return cannot("copy", it->path(), error);
    }
    return {};
}

/// The manifests in a database's folder, the latest first.
std::vector<std::string> manifests(const fs::path& database) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator it(database, error), end; !error && it != end; it.increment(error))
        if (const std::string name = it->path().filename().string(); name.starts_with("MANIFEST-"))
            names.push_back(name);
    std::sort(names.rbegin(), names.rend());
    return names;
}

class Repair {
public:
    Repair(fs::path folder, ProgressSink& progress, const std::stop_token& stop)
        : folder_(std::move(folder)), work_(folder_ / work_name), progress_(progress), stop_(stop) {
    }

    Result<RepairReport> perform() {
        if (const Status ended = end_last_one(); !ended) return ended.error();
        auto checked = check_workspace(folder_, progress_, stop_);
        if (!checked) {
            if (checked.error().code != ErrorCode::bad_input) return checked.error();
            report_.found.push_back(checked.error().message);
        } else {
            report_.found = checked->problems;
            report_.after = *std::move(checked);
        }
        if (report_.found.empty()) return std::move(report_);
        auto lock = FolderLock::take(folder_, false);
        if (!lock) return lock.error();
        const auto reached = ProgressFile::read(folder_);
        if (reached && *reached) report_.before = (*reached)->tip;
        const Status made = make_whole_copy(reached && *reached ? (*reached)->writes : 0);
        if (!made) {
            remove(work_);
            std::string why = made.error().message;
            if (why.ends_with(way_back)) why.resize(why.size() - std::strlen(way_back));
            return Error{made.error().code,
                         fmt::format("{}: cannot be repaired and was left unchanged: {}; replay "
                                     "its blocks into a new workspace (--workspace)",
                                     folder_.string(), why)};
        }
        if (const Status swapped = swap(); !swapped) return swapped.error();
        return std::move(report_);
    }

private:
    static void remove(const fs::path& path) {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }

    /// A repair that was killed while files changed places is ended, one before that forgotten.
    Status end_last_one() {
        std::error_code error;
        if (!fs::exists(work_, error)) return {};
        auto lock = FolderLock::take(folder_, false);
        if (!lock) return lock.error();
        if (fs::exists(work_ / "ready", error)) return swap();
        remove(work_);
        return {};
    }

    /// A workspace of the same content up to its last whole write, in a separate folder.
    Status make_whole_copy(std::uint64_t expected) {
        remove(work_);
        progress_.report({"Copying the database", 0, 0});
        if (const Status copied = copy_database(folder_ / "db", work_ / "db"); !copied)
            return copied;
        const auto found = open_manifest();
        if (!found) return found.error();
        if (const auto hole = found->hole())
            return Error{ErrorCode::bad_input,
                         fmt::format("write {} is missing below write {}", *hole, found->writes())};
        if (expected > found->writes()) report_.lost_writes = expected - found->writes();
        // Opened for writing, the database drops what follows the first bad record of its log.
        {
            auto database = Database::open(work_, {});
            if (!database) return database.error();
            const auto height = (*database)->get(Family::meta, tip_key);
            if (!height) return height.error();
            std::optional<Tip> tip;
            if (*height) {
                const auto number = height_from(**height);
                const auto bytes =
                    number ? (*database)->get(Family::meta, block_key(*number))
                           : Result<std::optional<std::string>>(std::optional<std::string>());
                if (!bytes) return bytes.error();
                const auto record = *bytes ? record_from(*number, **bytes) : std::nullopt;
                if (!record) return Error{ErrorCode::bad_input, "its last block cannot be read"};
                tip = Tip{record->height, record->hash};
            }
            if (const Status guarded = (*database)->guard(); !guarded) return guarded;
            rocksdb::WriteBatch batch;
            batch.Put((*database)->handle(Family::meta), slice(version_key),
                      slice(std::to_string(format_version)));
            if (const Status written = (*database)->write(batch, true, tip); !written)
                return written;
            if (const Status flushed = (*database)->flush(); !flushed) return flushed;
        }
        if (const Status written = write_format(work_); !written) return written;
        if (const Status written = write_file(work_ / "lock", {}); !written) return written;
        auto checked = check_workspace(work_, progress_, stop_);
        if (!checked) return checked.error();
        if (!checked->problems.empty())
            return Error{ErrorCode::bad_input, checked->problems.front()};
        report_.after = *std::move(checked);
        return write_file(work_ / "ready", {});
    }

    /// What the database holds by its own manifest, else by the first other one that is whole.
    Result<LogInspection> open_manifest() {
        auto found = inspect_log(work_);
        if (found) return found;
        for (const std::string& name : manifests(work_ / "db")) {
            const std::string current = name + "\n";
            if (const Status written = write_file(work_ / "db" / "CURRENT", as_bytes(current));
                !written)
                return written.error();
            if (auto other = inspect_log(work_)) {
                report_.done.push_back(
                    fmt::format("db/CURRENT was rewritten and now names {}", name));
                return other;
            }
        }
        return found;
    }

    /// The whole copy takes the place of what was damaged, which is set aside. Killed in between,
    /// the next repair continues here.
    Status swap() {
        std::error_code error;
        fs::path aside;
        for (unsigned number = 1;; ++number) {
            aside = folder_ / fmt::format("repaired-{}", number);
            const bool ours = fs::exists(aside / "unfinished", error);
            if (ours || fs::create_directory(aside, error)) break;
            if (error) return cannot("create the folder", aside, error);
        }
        if (const Status marked = write_file(aside / "unfinished", {}); !marked) return marked;
        for (const char* name : {"format", "progress", "db"}) {
            if (!fs::exists(work_ / name, error)) continue; // it has already been moved
            if (fs::exists(folder_ / name, error) && !fs::exists(aside / name, error)) {
                fs::rename(folder_ / name, aside / name, error);
                if (error) return cannot("set aside", folder_ / name, error);
            }
        }
        for (const char* name : {"db", "progress", "format"}) {
            if (!fs::exists(work_ / name, error)) continue;
            fs::rename(work_ / name, folder_ / name, error);
            if (error) return cannot("put in place", folder_ / name, error);
        }
        remove(work_);
        fs::remove(aside / "unfinished", error);
        report_.set_aside = aside;
        report_result(aside);
        return {};
    }

    void report_result(const fs::path& aside) {
        const auto text = [](const std::optional<Tip>& tip) {
            return tip ? fmt::format("block {} ({})", tip->height, to_reversed_hex(tip->hash))
                       : std::string("no block");
        };
        const auto& before = report_.before;
        const auto& now = report_.after.tip;
        report_.done.push_back(
            report_.lost_writes == 0
                ? fmt::format("nothing recorded in the workspace was lost: its last block is {}",
                              text(now))
                : fmt::format("restored to {}; lost writes: {}; the last block had been {}",
                              text(now), report_.lost_writes, text(before)));
        if (before && (!now || now->height < before->height))
            report_.done.push_back(fmt::format(
                "replay the blocks from {} to {} again",
                now ? now->height + 1 : (report_.after.base ? report_.after.base->height + 1 : 0),
                before->height));
        report_.done.push_back(fmt::format("the original files were moved to {}", aside.string()));
    }

    fs::path folder_, work_;
    ProgressSink& progress_;
    const std::stop_token& stop_;
    RepairReport report_;
};

} // namespace

Result<RepairReport> repair_workspace(const fs::path& folder, ProgressSink& progress,
                                      const std::stop_token& stop) {
    return contain("repairing the workspace", [&]() -> Result<RepairReport> {
        std::error_code error;
        if (!fs::is_directory(folder / "db", error) && !fs::is_directory(folder / work_name, error))
            return Error{ErrorCode::bad_input,
                         fmt::format("{}: expected a workspace with a folder \"db\", found none",
                                     folder.string())};
        return Repair(folder, progress, stop).perform();
    });
}

} // namespace blockloom::store
