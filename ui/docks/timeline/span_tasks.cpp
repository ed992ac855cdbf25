#include "docks/timeline/span_tasks.h"

#include "range/executed.h"
#include "range/range.h"
#include "session/session.h"
#include "text/to_qt.h"

#include <algorithm>

namespace blockloom::ui {

using profile::SpanRef;

namespace {

/// The block of the open range that a run replayed at a height; −1: it is not open.
int row_of(const range::Range& range, const runs::KeptRun& run, std::uint64_t height) {
    std::string hash;
    for (const runs::KeptBlock& block : run.blocks)
        if (block.height == height) hash = block.hash;
    for (std::size_t i = 0; i < range.blocks.size(); ++i) {
        const range::BlockRecord& block = *range.blocks[i];
        if (block.trace->block.height != height || !block.replayed) continue;
        if (hash.empty() || to_reversed_hex(block.replayed->execution->hash) == hash)
            return static_cast<int>(i);
    }
    return -1;
}

/// The first task of the transaction that a task of a block belongs to: spans are of transactions.
std::uint32_t first_of_transaction(const range::BlockRecord& block, std::uint32_t task) {
    std::uint32_t first = 0;
    for (const auto& transaction : block.replayed->execution->transactions) {
        const auto count = static_cast<std::uint32_t>(transaction.records.size());
        if (task < first + count) return first;
        first += count;
    }
    return task;
}

} // namespace

std::vector<SpanRef> spans_of_selection(const Session& session, const profile::Timeline& timeline,
                                        const runs::KeptRun& run) {
    const auto block = session.currentBlock();
    const auto task = session.selectedTask();
    if (!task || !block || !block->replayed || !block->trace->block.height || !session.range())
        return {};
    const std::uint64_t height = *block->trace->block.height;
    if (row_of(*session.range(), run, height) != session.currentRow()) return {};
    const auto& original = block->analysis.index->trace->original_task;
    const std::uint32_t in_block =
        original.empty() || *task >= original.size() ? *task : original[*task];
    return timeline.of_task(height, first_of_transaction(*block, in_block));
}

void select_task_of(Session& session, const profile::Timeline& timeline, const runs::KeptRun& run,
                    SpanRef at) {
    const auto range = session.range();
    if (!range) return;
    const profile::Span& span = timeline.span(at);
    const auto height = timeline.height_of(span);
    if (!height) return;
    const int row = row_of(*range, run, *height);
    if (row < 0) return;
    session.setCurrentRow(row);
    if (span.task == profile::none) return;
    // A policy may have left tasks out: those of the analysis are numbered without them.
    const auto& index = *range->blocks[static_cast<std::size_t>(row)]->analysis.index;
    const auto& original = index.trace->original_task;
    const auto found = std::find(original.begin(), original.end(), span.task);
    if (original.empty() && span.task < index.tasks())
        session.selectTask(span.task);
    else if (found != original.end())
        session.selectTask(static_cast<quint32>(found - original.begin()));
}

std::optional<SpanRef> find_span(const profile::Timeline& timeline, const QString& wanted,
                                 std::optional<SpanRef> focused) {
    bool number = false;
    const quint64 value = wanted.toULongLong(&number);
    std::vector<bool> named;
    for (const std::string& name : timeline.names())
        named.push_back(to_qt(name).contains(wanted, Qt::CaseInsensitive));
    const auto fits = [&](const profile::Span& span) {
        if (named[span.name]) return true;
        return number && ((span.task != profile::none && span.wave() == 0 && span.task == value) ||
                          timeline.height_of(span) == value);
    };
    const auto rows = static_cast<std::uint32_t>(timeline.row_count());
    const SpanRef from = focused.value_or(SpanRef{0, 0});
    const std::uint32_t skip = focused ? 1 : 0;
    for (std::uint32_t step = 0; rows > 0 && step <= rows; ++step) {
        const std::uint32_t row = (from.row + step) % rows;
        const auto spans = timeline.spans(row);
        for (std::size_t i = step == 0 ? from.index + skip : 0; i < spans.size(); ++i)
            if (fits(spans[i])) return SpanRef{row, static_cast<std::uint32_t>(i)};
    }
    return std::nullopt;
}

} // namespace blockloom::ui
