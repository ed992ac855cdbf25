#include "range/open_range.h"

#include "base/contain.h"
#include "base/number_text.h"
#include "range/executed.h"
#include "range/left_out.h"
#include "range/ordered_work.h"
#include "range/range_totals.h"
#include "range/sources.h"
#include "trace/bitcoin.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

namespace blockloom::range {
namespace {

using RecordPointer = std::shared_ptr<const BlockRecord>;

/// Counts finished blocks for a sink that need not be thread-safe: its calls never overlap.
class Count {
public:
    Count(ProgressSink& sink, std::string phase, std::size_t total)
        : sink_(sink), phase_(std::move(phase)), total_(total) {
        sink_.report({phase_, 0, total_});
    }
    void add() {
        const std::lock_guard lock(guard_);
        sink_.report({phase_, ++done_, total_});
    }

private:
    ProgressSink& sink_;
    std::string phase_;
    std::size_t total_, done_ = 0;
    std::mutex guard_;
};

/// Decodes a listed block and sorts out its access sets.
Result<BlockRecord> open_block(const chain::BlockRef& ref,
                               const std::optional<std::uint64_t>& height) {
    BlockRecord record;
    record.source = ref.source();
    Stopwatch watch;
    auto stored = chain::read_block(ref);
    if (!stored) return stored.error();
    record.times.read = watch.lap();
    auto block = chain::decode_block(ref, *std::move(stored));
    if (!block) return block.error();
    record.times.decode = watch.lap();
    block->height = height;
    record.checks = {block->checks.merkle, block->checks.witness_commitment};
    record.block = std::make_shared<const chain::Block>(*std::move(block));
    watch.lap();
    auto trace = trace::trace_block(record.block);
    if (!trace) return trace.error();
    record.trace = *std::move(trace);
    record.times.trace = watch.lap();
    return record;
}

/// An executed block: its access sets are those of its messages.
BlockRecord executed_record(const std::shared_ptr<const execute::ReplayedBlock>& replayed,
                            bool estimated) {
    BlockRecord record;
    record.source = replayed->source;
    record.replayed = replayed;
    record.block = replayed->context->block;
    record.checks = {record.block->checks.merkle, record.block->checks.witness_commitment};
    record.trace = estimated ? replayed->estimated_trace : replayed->trace;
    const execute::Phases& phases = replayed->phases;
    record.times.read = phases[execute::Phase::read];
    record.times.decode = phases[execute::Phase::decode];
    record.times.trace = phases[execute::Phase::trace];
    record.times.execute = phases[execute::Phase::execute];
    return record;
}

/// The conflicts of an executed block are indexed already: the analysis shares that index where it
/// is by the same rules. The time it took is part of the analysis.
Status analyse_block(BlockRecord& record, const schedule::AnalysisOptions& options,
                     const std::stop_token& stop) {
    const auto known = record.replayed ? record.replayed->index : nullptr;
    auto analysis = schedule::analyse(record.trace, options, stop, known);
    if (!analysis) return analysis.error();
    record.analysis = *std::move(analysis);
    if (known && record.analysis.index == known)
        record.analysis.analyse_ns += record.replayed->phases[execute::Phase::analyse];
    record.times.analyse = record.analysis.analyse_ns;
    record.times.schedule = record.analysis.schedule_ns;
    return {};
}

/// The outcome of one block: a record or an error that ends the work, and which copies of it were
/// broken.
struct Outcome {
    RecordPointer record;
    std::vector<LeftOut> left_out;
    std::optional<Error> error;
};

/// An imported trace is already in memory; of a block, the first readable copy is used.
Result<BlockRecord> open_pending(const Pending& pending, const RangeOptions& options,
                                 std::vector<LeftOut>& broken) {
    if (pending.replayed) return executed_record(pending.replayed, options.estimate);
    if (!pending.block) {
        BlockRecord record;
        record.source = pending.source;
        record.times.trace = pending.trace_ns;
        record.trace = pending.trace;
        return record;
    }
    auto record = open_block(*pending.block, pending.height);
    if (record || !options.keep_going) return record;
    broken.push_back({pending.source, record.error().message, false});
    for (const chain::BlockRef& copy : pending.copies) {
        auto other = open_block(copy, pending.height);
        if (other) return other;
        broken.push_back({copy.source(), other.error().message, false});
    }
    return record;
}

Outcome work_on(const Pending& pending, const RangeOptions& options, const std::stop_token& stop) {
    Outcome outcome;
    auto record = open_pending(pending, options, outcome.left_out);
    if (!record) {
        if (!options.keep_going) outcome.error = record.error();
    } else if (const Status analysed = analyse_block(*record, options.analysis, stop); !analysed) {
        outcome.error = analysed.error();
    } else {
        outcome.record = std::make_shared<const BlockRecord>(*std::move(record));
    }
    return outcome;
}

/// The first error in block order, whichever thread met it first; a stop is an error if work is
/// missing.
std::optional<Error> first_error(const std::vector<Outcome>& outcomes,
                                 const std::stop_token& stop) {
    for (const Outcome& outcome : outcomes)
        if (outcome.error && outcome.error->code != ErrorCode::cancelled) return outcome.error;
    for (const Outcome& outcome : outcomes)
        if (outcome.error || (!outcome.record && outcome.left_out.empty() && stop.stop_requested()))
            return cancelled_error();
    return std::nullopt;
}

void keep(Range& range, Outcome& outcome) {
    for (LeftOut& broken : outcome.left_out) {
        // A superfluous copy that turns out to be broken is reported once.
        std::erase_if(range.left_out,
                      [&](const LeftOut& out) { return out.source == broken.source; });
        range.left_out.push_back(std::move(broken));
    }
    if (!outcome.record) return;
    // The copy that was taken is not left out.
    if (!outcome.left_out.empty())
        std::erase_if(range.left_out,
                      [&](const LeftOut& out) { return out.source == outcome.record->source; });
    range.blocks.push_back(std::move(outcome.record));
}

Error nothing_read(const Range& range) {
    if (range.left_out.empty())
        return {ErrorCode::bad_input,
                fmt::format("{}: no blocks could be read", fmt::join(range.options.sources, ", "))};
    // Blocks that were left out because of another one say nothing about why.
    const auto cause =
        std::find_if(range.left_out.rbegin(), range.left_out.rend(), [](const LeftOut& out) {
            return !out.reason.ends_with("the blocks below it were left out");
        });
    const LeftOut& last = cause == range.left_out.rend() ? range.left_out.back() : *cause;
    const std::string why = fmt::format("{}: {}", last.source, reason_alone(last));
    if (range.left_out.size() == 1)
        return {ErrorCode::bad_input, fmt::format("no blocks could be read; {}", why)};
    return {ErrorCode::bad_input, fmt::format("no blocks could be read; {} left out; {}",
                                              count_text(range.left_out.size()), why)};
}

} // namespace

Result<std::shared_ptr<const Range>> open_range(const RangeOptions& options, ProgressSink& progress,
                                                std::stop_token stop, unsigned threads) {
    return contain("opening the blocks", [&]() -> Result<std::shared_ptr<const Range>> {
        auto sources = gather_sources(options, progress, stop);
        if (!sources) return sources.error();
        const auto alkanes = is_alkanes(options, *sources);
        if (!alkanes) return alkanes.error();
        if (*alkanes)
            if (const Status executed = execute_pending(*sources, options, progress, stop);
                !executed)
                return executed.error();
        const std::vector<Pending>& pending = sources->pending;

        std::vector<Outcome> outcomes(pending.size());
        Count count(progress, "Analysing", pending.size());
        work_in_order(pending.size(), threads, stop, [&](std::size_t i) {
            outcomes[i] = work_on(pending[i], options, stop);
            count.add();
            return !outcomes[i].error;
        });
        if (const auto error = first_error(outcomes, stop)) return *error;

        auto range = std::make_shared<Range>();
        range->options = options;
        range->left_out = std::move(sources->left_out);
        range->files = std::move(sources->files);
        range->state = std::move(sources->state);
        range->unknown = sources->unknown;
        range->notes = std::move(sources->notes);
        for (Outcome& outcome : outcomes) keep(*range, outcome);
        if (range->blocks.empty()) return nothing_read(*range);
        sum_up(*range);
        return std::shared_ptr<const Range>(std::move(range));
    });
}

Result<std::shared_ptr<const Range>> reanalyse(const Range& range,
                                               const schedule::AnalysisOptions& analysis,
                                               ProgressSink& progress, std::stop_token stop,
                                               unsigned threads) {
    return contain("analysing the blocks", [&]() -> Result<std::shared_ptr<const Range>> {
        std::vector<Outcome> outcomes(range.blocks.size());
        Count count(progress, "Analysing", outcomes.size());
        work_in_order(outcomes.size(), threads, stop, [&](std::size_t i) {
            auto record = reanalyse(*range.blocks[i], analysis, stop);
            if (record)
                outcomes[i].record = *std::move(record);
            else
                outcomes[i].error = record.error();
            count.add();
            return !outcomes[i].error;
        });
        if (const auto error = first_error(outcomes, stop)) return *error;

        auto again = std::make_shared<Range>(range);
        again->options.analysis = analysis;
        for (std::size_t i = 0; i < outcomes.size(); ++i)
            again->blocks[i] = std::move(outcomes[i].record);
        sum_up(*again);
        return std::shared_ptr<const Range>(std::move(again));
    });
}

Result<std::shared_ptr<const BlockRecord>> reanalyse(const BlockRecord& record,
                                                     const schedule::AnalysisOptions& analysis,
                                                     std::stop_token stop) {
    return contain("analysing the block", [&]() -> Result<std::shared_ptr<const BlockRecord>> {
        auto again = std::make_shared<BlockRecord>(record);
        if (const Status analysed = analyse_block(*again, analysis, stop); !analysed)
            return analysed.error();
        return RecordPointer(std::move(again));
    });
}

} // namespace blockloom::range
