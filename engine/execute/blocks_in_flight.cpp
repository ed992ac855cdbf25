#include "execute/blocks_in_flight.h"

#include "execute/live_run.h"
#include "execute/recording.h"
#include "execute/task_watch.h"

#include <algorithm>
#include <array>

namespace blockloom::execute {

BlocksInFlight::BlocksInFlight(const Replayer& replayer, WorkerPool* pool, Keep keep,
                               Finished finished, const std::stop_token& stop)
    : replayer_(replayer), pool_(pool), keep_(std::move(keep)), finished_(std::move(finished)),
      stop_(stop) {}

BlocksInFlight::~BlocksInFlight() {
    if (pool_ == nullptr) return;
    failed_ = true;
    // The last first: none becomes ready because the one before it was withdrawn.
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
        if ((*entry)->keep) pool_->withdraw((*entry)->keep);
        (*entry)->index.withdraw();
        (*entry)->trace.withdraw();
        (*entry)->digest.withdraw();
    }
    for (const WorkerPool::Task& release : releases_) pool_->wait_for(release);
}

void BlocksInFlight::start_analysis(Entry& entry, std::span<const WorkerPool::Task> joined) {
    const std::size_t transactions = entry.block->context->messages.transactions.size();
    const std::size_t pieces = DividedTask::pieces_for(transactions, pool_);
    // Without a trace there is only the digest.
    if (pieces > 1 && replayer_.options().trace) return start_in_pieces(entry, pieces, joined);
    entry.index.post(
        *pool_, 1,
        [this, &entry](unsigned worker, std::size_t, Phases& work) {
            return entry.is_there() ? replayer_.analyse(*entry.block, work, stop_, worker)
                                    : *entry.joined;
        },
        [&entry](unsigned, Status done, const Phases& work) {
            entry.work += work;
            entry.status = std::move(done);
        },
        replayer_.options().live.get(), stop_, joined);
}

/// The digest is one chain of hashes, which takes as long as the pieces beside it.
void BlocksInFlight::start_in_pieces(Entry& entry, std::size_t pieces,
                                     std::span<const WorkerPool::Task> joined) {
    LiveRun* const live = replayer_.options().live.get();
    const std::size_t index_pieces =
        std::min<std::size_t>(pieces, conflict::ConflictIndexing::most_pieces(
                                          entry.block->context->messages.transactions.size()));
    entry.analysis.emplace(replayer_.options().model, pieces, index_pieces);
    entry.digest.post(
        *pool_, 1,
        [this, &entry](unsigned worker, std::size_t, Phases& work) {
            return entry.is_there() ? replayer_.digest(*entry.block, work, worker) : *entry.joined;
        },
        [&entry](unsigned, Status done, const Phases& work) {
            entry.digest_status = std::move(done);
            entry.digest_work = work;
        },
        live, stop_, joined);
    entry.trace.post(
        *pool_, pieces,
        [this, &entry](unsigned worker, std::size_t piece, Phases& work) {
            return entry.is_there()
                       ? replayer_.trace_piece(*entry.block, *entry.analysis, piece, work, worker)
                       : *entry.joined;
        },
        [this, &entry](unsigned worker, Status done, const Phases& work) {
            entry.work += work;
            entry.status =
                done ? replayer_.begin_index(*entry.block, *entry.analysis, entry.work, worker)
                     : std::move(done);
        },
        live, stop_, joined);
    entry.index.post(
        *pool_, index_pieces,
        [this, &entry](unsigned worker, std::size_t piece, Phases& work) {
            return entry.status ? replayer_.index_piece(*entry.block, *entry.analysis, piece, work,
                                                        stop_, worker)
                                : Status();
        },
        [this, &entry](unsigned, Status done, const Phases& work) {
            entry.work += work;
            if (entry.status)
                entry.status =
                    done ? replayer_.end_index(*entry.block, *entry.analysis) : std::move(done);
            entry.analysis.reset();
        },
        live, stop_, {&entry.trace.last(), 1});
}

void BlocksInFlight::keep(Entry& entry, Replayer::Worker worker) {
    entry.work += entry.digest_work;
    if (!entry.digest_status) entry.status = std::move(entry.digest_status);
    if (!entry.status || failed_) {
        failed_ = true;
        return;
    }
    if (!keep_) return;
    Stopwatch watch;
    const StageSpan span(replayer_.options().recording.get(), worker, Phase::commit,
                         static_cast<std::uint32_t>(entry.block->height()));
    entry.status = keep_(*entry.block);
    if (!entry.status) failed_ = true;
    const Nanoseconds took = watch.lap();
    entry.work[Phase::commit] += took;
    entry.work.database += took;
}

WorkerPool::Task BlocksInFlight::add(std::size_t place, std::shared_ptr<ReplayedBlock> block) {
    return add(place, std::move(block), {}, nullptr);
}

WorkerPool::Task BlocksInFlight::add(std::size_t place, std::shared_ptr<ReplayedBlock> block,
                                     const WorkerPool::Task& joined,
                                     std::shared_ptr<const Status> status) {
    Entry& entry = *entries_.emplace_back(std::make_unique<Entry>());
    entry.place = place;
    entry.block = std::move(block);
    entry.joined = std::move(status);
    if (pool_ == nullptr) {
        entry.status = replayer_.analyse(*entry.block, entry.work, stop_);
        keep(entry, {});
        return {};
    }
    LiveRun* const live = replayer_.options().live.get();
    start_analysis(entry, {&joined, 1});
    const std::array before{entry.digest.last(), entry.index.last(), last_keep_};
    entry.keep = pool_->post(
        [this, &entry, live](unsigned worker) {
            const TaskWatch watch(live, worker, stop_);
            keep(entry, worker);
        },
        before);
    return last_keep_ = entry.keep;
}

Nanoseconds BlocksInFlight::wait_for(const Entry& entry) {
    if (entry.keep.is_done()) return 0;
    const LiveRun* const live = replayer_.options().live.get();
    const DriverSpan span(
        replayer_.options().recording.get(), static_cast<SpanName>(Phase::commit),
        profile::Category::wait, 0,
        // It may have no execution: it is still being put together, or that failed.
        static_cast<std::uint32_t>(entry.block->context->height));
    WorkWatch watch(live == nullptr ? nullptr : &live->gate());
    pool_->wait_for(entry.keep);
    return watch.lap();
}

Status BlocksInFlight::report_first(Nanoseconds waited) {
    const std::unique_ptr<Entry> entry = std::move(entries_.front());
    entries_.pop_front();
    entry->block->phases += pool_ == nullptr ? entry->work : waited_for(entry->work, waited);
    const Status reported = finished_(entry->place, entry->block, entry->status);
    if (pool_ != nullptr) release(std::move(entry->block));
    return entry->status ? reported : entry->status;
}

/// Thousands of small pieces, which a worker frees; the observer that the block was reported to may
/// still hold it.
void BlocksInFlight::release(std::shared_ptr<const ReplayedBlock> block) {
    releases_.push_back(
        pool_->post([block = std::move(block)](unsigned) mutable { block.reset(); }));
}

Status BlocksInFlight::report(std::size_t most) {
    while (!entries_.empty() && !ended_) {
        const Entry& first = *entries_.front();
        if (pool_ != nullptr && !first.keep.is_done() && entries_.size() <= most) break;
        const Nanoseconds waited = pool_ == nullptr ? 0 : wait_for(first);
        const Status reported = report_first(waited);
        ended_ = !reported;
        if (ended_) return reported;
    }
    while (releases_.size() > most || (!releases_.empty() && releases_.front().is_done())) {
        pool_->wait_for(releases_.front());
        releases_.pop_front();
    }
    return {};
}

} // namespace blockloom::execute
