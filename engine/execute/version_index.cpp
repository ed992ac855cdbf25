#include "execute/version_index.h"

#include <algorithm>
#include <bit>

namespace blockloom::execute {
namespace {

/// How far ahead the targets of pointers are prefetched.
constexpr std::size_t ahead = 8;
/// Longer logs are fetched while they are read.
constexpr std::size_t most_prefetched = 32;
/// A piece of fewer executions costs more than it saves.
constexpr std::size_t smallest_piece = 128;
/// Tasks per part, about: small windows need few parts.
constexpr std::size_t tasks_per_part = 64;
/// Fewer are not worth keeping.
constexpr std::size_t fewest_kept = 512;
/// Set in the number of a slot for the version that made it.
constexpr std::uint32_t first_of_slot = 0x8000'0000U;

void prefetch_execution(const ExecutionResult* execution) {
    if (execution == nullptr) return;
    __builtin_prefetch(execution);
    __builtin_prefetch(&execution->result.log.writes);
}

void prefetch_probes(const ExecutionResult* execution) {
    if (execution == nullptr) return;
    constexpr std::size_t line = 64 / sizeof(Probe);
    const std::size_t count = std::min(execution->probes.size(), most_prefetched);
    for (std::size_t i = 0; i < count; i += line) __builtin_prefetch(&execution->probes[i]);
}

} // namespace

/// The writes of neighbouring executions, by part.
struct VersionIndex::Piece {
    HugePageBuffer<Version> versions;
    std::array<std::uint32_t, most_parts + 1> first; ///< by part
};

/// A worker's scratch memory.
struct alignas(64) VersionIndex::Scratch {
    std::size_t count = 0;                         ///< gathered
    std::array<std::uint32_t, most_parts> sizes{}; ///< of them, by part
    HugePageBuffer<Version> versions;
    HugePageBuffer<std::uint8_t> parts;  ///< by version
    HugePageBuffer<std::uint32_t> slots; ///< by version: in its part, and `first_of_slot`
};

VersionIndex::VersionIndex() = default;
VersionIndex::~VersionIndex() = default;

void VersionIndex::begin_window(std::size_t tasks) {
    part_count_ = std::min(most_parts, std::bit_ceil(tasks / tasks_per_part + 1));
    first_ = 0;
    kept_.begin(part_count_);
}

/// Keeping costs about what collecting once costs.
bool VersionIndex::is_worth_keeping(std::uint32_t accepted) const noexcept {
    const std::size_t more = accepted - first_;
    return more >= fewest_kept && 4 * more >= executions_.size() - first_;
}

void VersionIndex::keep(std::uint32_t accepted, std::size_t begin, std::size_t end) {
    for (std::size_t number = begin; number < end; ++number) {
        const Part& part = parts_[number];
        for (std::size_t at = part.first; at < part.first + part.size; ++at) {
            const Bucket& bucket = buckets_[at];
            for (std::size_t i = 0; i < bucket_size && bucket.tasks[i] != nobody; ++i) {
                if (bucket.tasks[i] >= accepted) continue;
                const Version& latest = *latest_of(runs_[at * bucket_size + i], accepted);
                kept_.put(number, latest.tag, latest.task, *latest.write);
            }
        }
    }
}

void VersionIndex::begin(std::span<const std::unique_ptr<ExecutionResult>> executions,
                         unsigned workers) {
    executions_ = executions;
    const std::size_t count = executions.size() - first_;
    const std::size_t most_pieces = workers == 1 ? 1 : 4 * std::size_t{workers};
    piece_size_ = std::max(smallest_piece, (count + most_pieces - 1) / most_pieces);
    piece_count_ = (count + piece_size_ - 1) / piece_size_;
    while (pieces_.size() < piece_count_) pieces_.push_back(std::make_unique<Piece>());
    while (scratch_.size() < workers) scratch_.push_back(std::make_unique<Scratch>());
    next_bucket_ = 0;
    next_version_ = 0;
}

void VersionIndex::gather(unsigned worker, std::size_t begin, std::size_t end) {
    Scratch& scratch = *scratch_[worker];
    for (std::size_t i = begin; i < end; ++i) {
        if (i + 2 * ahead < executions_.size())
            prefetch_execution(executions_[i + 2 * ahead].get());
        if (i + ahead < executions_.size()) prefetch_probes(executions_[i + ahead].get());
        if (executions_[i] == nullptr) continue;
        const state::WriteSet& writes = executions_[i]->result.log.writes;
        const auto probes = std::span(executions_[i]->probes).last(writes.size());
        const std::size_t first = scratch.count;
        scratch.count += writes.size();
        scratch.versions.grow(scratch.count, first);
        scratch.parts.grow(scratch.count, first);
        for (std::size_t k = 0; k < writes.size(); ++k) {
            const std::uint64_t hash = probes[k].hash;
            const std::size_t part = part_of(hash);
            scratch.versions[first + k] = {tag_of(hash), static_cast<std::uint32_t>(i), &writes[k]};
            scratch.parts[first + k] = static_cast<std::uint8_t>(part);
            ++scratch.sizes[part];
        }
    }
}

void VersionIndex::sort_out(unsigned worker, std::size_t begin) {
    Scratch& scratch = *scratch_[worker];
    Piece& piece = *pieces_[(begin - first_) / piece_size_];
    piece.versions.grow(scratch.count);
    std::array<std::uint32_t, most_parts> next;
    piece.first[0] = 0;
    for (std::size_t part = 0; part < part_count_; ++part) {
        next[part] = piece.first[part];
        piece.first[part + 1] = piece.first[part] + scratch.sizes[part];
    }
    for (std::size_t i = 0; i < scratch.count; ++i)
        piece.versions[next[scratch.parts[i]]++] = scratch.versions[i];
    scratch.sizes.fill(0);
    scratch.count = 0;
}

void VersionIndex::make_room() {
    std::size_t versions = 0;
    for (std::size_t i = 0; i < piece_count_; ++i) versions += pieces_[i]->first[part_count_];
    versions_.grow(versions);
    const std::size_t buckets = 2 * versions / bucket_size + part_count_;
    buckets_.grow(buckets);
    runs_.grow(buckets * bucket_size);
    latest_.grow(buckets * bucket_size);
}

void VersionIndex::group(unsigned worker, std::size_t begin, std::size_t end) {
    for (std::size_t part = begin; part < end; ++part) group_part(part, *scratch_[worker]);
}

void VersionIndex::group_part(std::size_t number, Scratch& scratch) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < piece_count_; ++i)
        count += pieces_[i]->first[number + 1] - pieces_[i]->first[number];
    Part& part = parts_[number];
    part.size = 2 * count / bucket_size + 1;
    part.first = next_bucket_.fetch_add(part.size, std::memory_order_relaxed);
    const std::size_t first = next_version_.fetch_add(count, std::memory_order_relaxed);
    Version* versions = versions_.data() + first;
    for (std::size_t i = 0; i < piece_count_; ++i) {
        const Piece& piece = *pieces_[i];
        if (i + 2 < piece_count_)
            __builtin_prefetch(pieces_[i + 2]->versions.data() + pieces_[i + 2]->first[number]);
        versions = std::copy(piece.versions.data() + piece.first[number],
                             piece.versions.data() + piece.first[number + 1], versions);
    }
    versions -= count;
    for (std::size_t i = 0; i < part.size; ++i) buckets_[part.first + i].tasks.fill(nobody);
    scratch.slots.grow(count);
    std::size_t repeats = 0;
    for (std::size_t i = 0; i < count; ++i) {
        // Equal tags are mostly equal keys, but only the keys tell. Where keys have many writers
        // their keys are fetched in time; where they have one, they are not needed.
        if (8 * repeats > i && i + 2 * ahead < count) {
            __builtin_prefetch(versions[i + 2 * ahead].write);
            __builtin_prefetch(versions[i + ahead].write->first.bytes().data());
        }
        const Version& version = versions[i];
        const std::size_t slot = slot_for(part, version);
        scratch.slots[i] = static_cast<std::uint32_t>(slot);
        Bucket& bucket = buckets_[part.first + slot / bucket_size];
        Run& run = runs_[part.first * bucket_size + slot];
        latest_[part.first * bucket_size + slot] = version.write;
        if (bucket.tasks[slot % bucket_size] == nobody) {
            bucket.tags[slot % bucket_size] = version.tag;
            bucket.tasks[slot % bucket_size] = version.task;
            run = {static_cast<std::uint32_t>(first + i + 1), 1};
            scratch.slots[i] |= first_of_slot;
        } else {
            ++run.count;
            ++repeats;
        }
    }
    if (repeats != 0) bring_together(part, first, count, scratch);
}

std::size_t VersionIndex::slot_for(const Part& part, const Version& version) const {
    for (std::size_t at = part.home_of(version.tag);; at = part.after(at)) {
        const Bucket& bucket = buckets_[at];
        for (std::size_t i = 0; i < bucket_size; ++i) {
            const bool free = bucket.tasks[i] == nobody;
            if (free || (bucket.tags[i] == version.tag &&
                         latest_[at * bucket_size + i]->first == version.write->first))
                return (at - part.first) * bucket_size + i;
        }
    }
}

void VersionIndex::bring_together(const Part& part, std::size_t first, std::size_t count,
                                  Scratch& scratch) {
    scratch.versions.grow(count);
    std::copy_n(versions_.data() + first, count, scratch.versions.data());
    std::size_t next = first;
    for (std::size_t i = 0; i < count; ++i) {
        Run& run = runs_[part.first * bucket_size + (scratch.slots[i] & ~first_of_slot)];
        if ((scratch.slots[i] & first_of_slot) != 0) {
            run.end = static_cast<std::uint32_t>(next);
            next += run.count;
        }
        versions_[run.end++] = scratch.versions[i];
    }
}

auto VersionIndex::latest_of(const Run& run, std::uint32_t task) const noexcept -> const Version* {
    const Version* const end = versions_.data() + run.end;
    const Version* const first = end - run.count;
    const Version* const above =
        std::lower_bound(first, end, task, [](const Version& version, std::uint32_t below) {
            return version.task < below;
        });
    return above == first ? nullptr : above - 1;
}

std::uint32_t VersionIndex::latest_writer_below(std::uint32_t task,
                                                const state::KeyView& key) const noexcept {
    const Part& part = parts_[part_of(key.hash)];
    const std::uint32_t tag = tag_of(key.hash);
    for (std::size_t at = part.home_of(tag);; at = part.after(at)) {
        const Bucket& bucket = buckets_[at];
        for (std::size_t i = 0; i < bucket_size; ++i) {
            if (bucket.tags[i] != tag || bucket.tasks[i] >= task) continue;
            const std::size_t slot = at * bucket_size + i;
            if (latest_[slot]->first == key.bytes) return latest_of(runs_[slot], task)->task;
        }
        if (!bucket.is_full()) break;
    }
    if (first_ == 0) return nobody;
    return kept_.find(part_of(key.hash), tag, [&] { return key.bytes; }).task;
}

} // namespace blockloom::execute
