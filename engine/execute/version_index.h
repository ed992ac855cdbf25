// An index of the writes of a block window's candidates: a transaction reads from it while those
// before it are not accepted yet, and its reads are validated against it.
#pragma once

#include "base/prefetch.h"
#include "execute/accepted_versions.h"
#include "execute/execution_result.h"
#include "execute/huge_page_buffer.h"
#include "execute/worker_pool.h"

#include <array>
#include <atomic>
#include <memory>
#include <span>

namespace blockloom::execute {

/// Maps (key, transaction) to the value that the latest candidate below that transaction writes.
/// Built in parallel and then only read, without locks. Points into the executions, which must
/// outlive it; its memory is kept for the next block window. What accepted tasks write is kept from
/// one building to the next, once they are a good part of what would be collected again: only tasks
/// after them may look things up then.
class VersionIndex {
public:
    VersionIndex();
    ~VersionIndex();
    VersionIndex(const VersionIndex&) = delete;
    VersionIndex& operator=(const VersionIndex&) = delete;

    /// For a window of so many tasks.
    void begin_window(std::size_t tasks);
    /// Whether what the tasks before `accepted` write should be kept before the next building.
    [[nodiscard]] bool is_worth_keeping(std::uint32_t accepted) const noexcept;
    /// Keeps it, of parts [begin, end). Then `note_kept`, once.
    void keep(std::uint32_t accepted, std::size_t begin, std::size_t end);
    void note_kept(std::uint32_t accepted) noexcept { first_ = accepted; }

    /// Executions of the window's tasks in block order; null: none yet. Then three stages build the
    /// index, of those from `first` on: for each piece of `piece_size` executions `gather`, run by
    /// run, and `sort_out`; `make_room` once; `group` for each of `parts`.
    void begin(std::span<const std::unique_ptr<ExecutionResult>> executions, unsigned workers);
    [[nodiscard]] std::size_t first() const noexcept { return first_; }
    [[nodiscard]] std::size_t piece_size() const noexcept { return piece_size_; }
    [[nodiscard]] std::size_t parts() const noexcept { return part_count_; }

    /// Collects the writes of executions [begin, end), and prefetches these executions' probes.
    void gather(unsigned worker, std::size_t begin, std::size_t end);
    /// Stores what this worker collected since the last call as the piece that begins at `begin`.
    void sort_out(unsigned worker, std::size_t begin);
    void make_room();
    /// Makes the buckets of parts [begin, end).
    void group(unsigned worker, std::size_t begin, std::size_t end);

    static constexpr std::uint32_t nobody = VersionBucket::nobody;
    /// A bit of a hash that the index ignores.
    static constexpr std::uint64_t free_bit = std::uint64_t{1} << 40U;

    /// Null: no candidate below `task`, which is `first` or after it, writes the key. `hash` is its
    /// state::KeyHash; `key` returns the key and is only called if a candidate below may have
    /// written it: most lookups only touch the slot.
    template <typename KeyOf>
    [[nodiscard]] const state::Value* latest_below(std::uint32_t task, std::uint64_t hash,
                                                   const KeyOf& key) const noexcept {
        const Part& part = parts_[part_of(hash)];
        const std::uint32_t tag = tag_of(hash);
        for (std::size_t at = part.home_of(tag);; at = part.after(at)) {
            const Bucket& bucket = buckets_[at];
            const std::size_t tagged = bucket.may_have(tag) ? bucket_size : 0;
            for (std::size_t i = 0; i < tagged; ++i) {
                // A slot without a writer below yields nothing, whether it is the key's or not.
                if (bucket.tags[i] != tag || bucket.tasks[i] >= task) continue;
                const std::size_t slot = at * bucket_size + i;
                const Write& latest = *latest_[slot];
                if (latest.first != key()) continue;
                if (task >= executions_.size()) return &latest.second; // it is below this task, too
                const Run& run = runs_[slot];
                return run.count == 1 ? &latest.second : &latest_of(run, task)->write->second;
            }
            if (!bucket.is_full()) break;
        }
        if (first_ == 0) return nullptr;
        const auto kept = kept_.find(part_of(hash), tag, key);
        return kept.write == nullptr ? nullptr : &kept.write->second;
    }
    /// The task of that candidate; `nobody`: there is none. For the few that are to be explained.
    [[nodiscard]] std::uint32_t latest_writer_below(std::uint32_t task,
                                                    const state::KeyView& key) const noexcept;
    /// True: no candidate below `task` writes a key with this hash. Does not need the key.
    [[nodiscard]] bool surely_none_below(std::uint32_t task, std::uint64_t hash) const noexcept {
        const Part& part = parts_[part_of(hash)];
        const std::uint32_t tag = tag_of(hash);
        for (std::size_t at = part.home_of(tag);; at = part.after(at)) {
            const Bucket& bucket = buckets_[at];
            const std::size_t tagged = bucket.may_have(tag) ? bucket_size : 0;
            for (std::size_t i = 0; i < tagged; ++i)
                if (bucket.tags[i] == tag && bucket.tasks[i] < task) return false;
            if (!bucket.is_full()) break;
        }
        return first_ == 0 || kept_.surely_none(part_of(hash), tag);
    }
    /// Prefetches what a lookup will access.
    void prefetch(std::uint64_t hash) const noexcept {
        __builtin_prefetch(&buckets_[parts_[part_of(hash)].home_of(tag_of(hash))]);
        if (first_ != 0) kept_.prefetch(part_of(hash), tag_of(hash));
    }
    /// The same for one that will probably find something.
    void prefetch_with_writes(std::uint64_t hash) const noexcept {
        prefetch(hash);
        const Part& part = parts_[part_of(hash)];
        __builtin_prefetch(&latest_[part.home_of(tag_of(hash)) * bucket_size]);
    }
    /// Some time after that: prefetches the write that the lookup will probably find. False: it
    /// seems to find none.
    bool prefetch_write(std::uint32_t task, std::uint64_t hash) const noexcept {
        const std::uint32_t tag = tag_of(hash);
        const std::size_t at = parts_[part_of(hash)].home_of(tag);
        const Bucket& bucket = buckets_[at];
        if (!bucket.may_have(tag)) return false;
        for (std::size_t i = 0; i < bucket_size; ++i) {
            if (bucket.tags[i] != tag || bucket.tasks[i] >= task) continue;
            prefetch_near(latest_[at * bucket_size + i]);
            return true;
        }
        return false;
    }

private:
    static constexpr std::size_t most_parts = 256;

    using Write = state::WriteSet::value_type;
    // Allocated by the thousand and then written: they are not initialised.
    struct Version { ///< a write
        std::uint32_t tag, task;
        const Write* write;
    };
    using Bucket = VersionBucket; ///< with the lowest writers
    static constexpr std::size_t bucket_size = Bucket::size;
    struct Run { ///< the versions of a slot's key, in block order
        std::uint32_t end, count;
    };
    struct alignas(64) Part {
        std::size_t first = 0; ///< of its own buckets
        std::size_t size = 0;  ///< at least half of their slots are free

        [[nodiscard]] std::size_t home_of(std::uint32_t tag) const noexcept {
            return first + ((tag * std::uint64_t{size}) >> 32U);
        }
        [[nodiscard]] std::size_t after(std::size_t at) const noexcept {
            return at + 1 == first + size ? first : at + 1;
        }
    };
    struct Piece;
    struct Scratch;

    // The hash's high byte selects the part, its low half the position in it.
    [[nodiscard]] std::size_t part_of(std::uint64_t hash) const noexcept {
        return static_cast<std::size_t>(hash >> 56U) & (part_count_ - 1);
    }
    [[nodiscard]] static std::uint32_t tag_of(std::uint64_t hash) noexcept {
        return static_cast<std::uint32_t>(hash);
    }
    void group_part(std::size_t part, Scratch& scratch);
    void bring_together(const Part& part, std::size_t first, std::size_t count, Scratch& scratch);
    [[nodiscard]] const Version* latest_of(const Run& run, std::uint32_t task) const noexcept;
    [[nodiscard]] std::size_t slot_for(const Part& part, const Version& version) const;

    AcceptedVersions kept_;   ///< of the tasks before `first_`
    std::uint32_t first_ = 0; ///< the first task that is collected
    std::span<const std::unique_ptr<ExecutionResult>> executions_;
    std::size_t piece_size_ = 1, piece_count_ = 0, part_count_ = 1;
    std::vector<std::unique_ptr<Piece>> pieces_;
    std::vector<std::unique_ptr<Scratch>> scratch_; ///< by worker
    std::array<Part, most_parts> parts_;
    HugePageBuffer<Bucket> buckets_;
    HugePageBuffer<Run> runs_; ///< by slot
    /// By slot: of its versions, the last one. Most lookups need no other, and find it without a
    /// look at the two lists beside this one.
    HugePageBuffer<const Write*> latest_;
    HugePageBuffer<Version> versions_;
    std::atomic<std::size_t> next_bucket_{0}, next_version_{0};
};

/// The state that one transaction of a block window sees.
class WindowView final : public state::StateView {
public:
    WindowView(const VersionIndex& versions, const state::StateView& before, std::uint32_t task)
        : versions_(&versions), before_(&before), task_(task) {}

    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override {
        const state::Value* found =
            versions_->latest_below(task_, key.hash, [&] { return key.bytes; });
        return found != nullptr ? Result<state::Value>(*found) : before_->get(key);
    }
    [[nodiscard]] bool is_in_memory() const noexcept override { return before_->is_in_memory(); }
    void expect(const state::KeyView& key) const noexcept override {
        versions_->prefetch_with_writes(key.hash);
        before_->expect(key);
    }
    void expect_value(const state::KeyView& key) const noexcept override {
        if (!versions_->prefetch_write(task_, key.hash)) before_->expect_value(key);
    }

private:
    const VersionIndex* versions_;
    const state::StateView* before_;
    std::uint32_t task_;
};

} // namespace blockloom::execute
