#include "execute/read_ahead.h"

#include "execute/live_run.h"
#include "execute/recording.h"
#include "execute/task_watch.h"

namespace blockloom::execute {

ReadAhead::ReadAhead(std::span<const ReplaySource> blocks, const Replayer& replayer,
                     WorkerPool* pool, std::size_t most, const std::stop_token& stop)
    : blocks_(blocks), replayer_(replayer), pool_(pool), most_(most), stop_(stop) {}

ReadAhead::~ReadAhead() {
    for (const auto& entry : ahead_)
        if (entry->task) pool_->withdraw(entry->task); // empty: there was no memory to post it
}

void ReadAhead::read_on() {
    while (ahead_.size() < most_ && first_ + ahead_.size() < blocks_.size()) {
        const ReplaySource& source = blocks_[first_ + ahead_.size()];
        Entry& entry = *ahead_.emplace_back(std::make_unique<Entry>());
        entry.task = pool_->post([this, &entry, &source](unsigned worker) {
            const TaskWatch watch(replayer_.options().live.get(), worker, stop_);
            entry.block.emplace(replayer_.decode(source, worker));
        });
    }
}

Result<OpenedBlock> ReadAhead::take(std::size_t place) {
    if (pool_ == nullptr) return replayer_.decode(blocks_[place]);
    for (; first_ < place && !ahead_.empty(); ++first_, ahead_.pop_front())
        pool_->withdraw(ahead_.front()->task);
    first_ = place;
    read_on();
    Entry& entry = *ahead_.front();
    Nanoseconds waited = 0;
    if (!entry.task.is_done()) {
        Recording* const recording = replayer_.options().recording.get();
        const LiveRun* const live = replayer_.options().live.get();
        const DriverSpan span(recording, static_cast<SpanName>(Phase::decode),
                              profile::Category::wait);
        WorkWatch watch(live == nullptr ? nullptr : &live->gate());
        pool_->wait_for(entry.task);
        waited = watch.lap();
    }
    Result<OpenedBlock> block = *std::move(entry.block);
    ++first_;
    ahead_.pop_front();
    read_on();
    if (block) {
        Phases& phases = block->replayed.phases;
        phases = waited_for(phases, waited);
    }
    return block;
}

} // namespace blockloom::execute
