#include "execute/blocks_in_flight.h"

#include "execute/live_run.h"
#include "execute/recording.h"
#include "execute/task_watch.h"

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
        (*entry)->analysis.withdraw();
        (*entry)->digest.withdraw();
    }
    for (const WorkerPool::Task& release : releases_) pool_->wait_for(release);
}

std::size_t BlocksInFlight::pieces_of(const ReplayedBlock& block) const {
    if (!replayer_.options().trace) return 1; // there is only the digest
    return DividedTask::pieces_for(block.context->messages.transactions.size(), pool_);
}

/// The digest is one chain of hashes, as long as all pieces of the rest.
void BlocksInFlight::start_analysis(Entry& entry, std::span<const WorkerPool::Task> joined) {
    LiveRun* const live = replayer_.options().live.get();
    const std::size_t pieces = pieces_of(*entry.block);
    const auto is_there = [&entry] { return entry.joined == nullptr || *entry.joined; };
    const auto end = [&entry](Status done, const Phases& work) {
        entry.work += work;
        entry.status = std::move(done);
    };
    if (pieces == 1) {
        entry.analysis.post(
            *pool_, 1,
            [this, &entry, is_there](unsigned worker, std::size_t, Phases& work) {
                return is_there() ? replayer_.analyse(*entry.block, work, stop_, worker)
                                  : *entry.joined;
            },
            [end](unsigned, Status done, const Phases& work) { end(std::move(done), work); }, live,
            stop_, joined);
        return;
    }
    entry.tracing.emplace(pieces);
    entry.digest.post(
        *pool_, 1,
        [this, &entry, is_there](unsigned worker, std::size_t, Phases& work) {
            return is_there() ? replayer_.digest(*entry.block, work, worker) : *entry.joined;
        },
        [&entry](unsigned, Status done, const Phases& work) {
            entry.digest_status = std::move(done);
            entry.digest_work = work;
        },
        live, stop_, joined);
    entry.analysis.post(
        *pool_, pieces,
        [this, &entry, is_there](unsigned worker, std::size_t piece, Phases& work) {
            return is_there()
                       ? replayer_.trace_piece(*entry.block, *entry.tracing, piece, work, worker)
                       : *entry.joined;
        },
        [this, &entry, end](unsigned worker, Status done, Phases work) {
            if (done) done = replayer_.index(*entry.block, *entry.tracing, work, stop_, worker);
            entry.tracing.reset();
            end(std::move(done), work);
        },
        live, stop_, joined);
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
    const std::array before{entry.digest.last(), entry.analysis.last(), last_keep_};
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
