#include "models/block_figures.h"

#include "runs/run_record.h"
#include "text/numbers.h"
#include "text/to_qt.h"
#include "text/words.h"

namespace blockloom::ui {
namespace {

QString cost_words(const range::BlockRecord& record) {
    if (!record.analysis.options.use_cost) return words("unit cost");
    switch (record.trace->cost_unit) {
    case trace::CostUnit::gas:
        return words("gas");
    case trace::CostUnit::fuel:
        return words("fuel");
    case trace::CostUnit::compute_units:
        return words("compute units");
    case trace::CostUnit::measured_ns:
        return words("measured ns");
    case trace::CostUnit::unit:
        break;
    }
    return words("unit cost");
}

QString with_share(std::uint64_t count, double share) {
    return count_text(count) + QStringLiteral(" · ") + percent_text(share);
}

/// "1,234", or "1,234 · uncertain" with the reason in the tooltip.
Figure fuel_figure(const runs::RunBlock& of) {
    const QString tip = words("Fuel used by all messages, including failed ones");
    if (of.fuel_uncertain == 0) return {words("Fuel"), count_text(of.fuel), tip};
    return {words("Fuel"), words("%1 · uncertain").arg(count_text(of.fuel)),
            words("%1\nUncertain, like everything that depends on it: %2 ran modules whose exact "
                  "costs are uncertain, such as\n%3")
                .arg(tip, counted(of.fuel_uncertain, words("message"), words("messages")),
                     to_qt(of.fuel_doubt))};
}

/// What the block's messages did.
void append_execution(BlockFigures& figures, const execute::ReplayedBlock& replayed) {
    const runs::RunBlock of = runs::summary_of(replayed);
    const QString digest = to_qt(to_hex(of.digest));
    figures.left.append(
        {{words("Messages"),
          of.reverted == 0
              ? words("%1 · all succeeded").arg(count_text(of.messages))
              : words("%1 · %2 reverted").arg(count_text(of.messages), count_text(of.reverted)),
          words("%1 succeeded; the others reverted, trapped, ran out of fuel or failed")
              .arg(count_text(of.succeeded))},
         fuel_figure(of),
         {words("Block digest"), shortened(digest),
          words("SHA-256 over the keys that the block changed, and their values:\n%1")
              .arg(digest)}});
    figures.right.append(
        {{words("Host tasks"), count_text(of.host_tasks),
          words("Transactions that move tokens but are not counted as tasks")},
         {words("Keys changed"), count_text(of.changed_keys),
          words("Compared with the state before the block")},
         {words("Candidates"),
          of.candidates == 0 && of.demoted == 0
              ? words("none")
              : words("%1 · %2 demoted").arg(count_text(of.candidates), count_text(of.demoted)),
          words("Messages with the prefix (8, 8); those that spend another one's output are "
                "demoted")}});
    if (!of.estimated) return;
    const alkanes::SetDifference& sets = *of.estimated;
    figures.right.append(
        {words("Estimated sets"),
         words("%1 of %2 equal").arg(count_text(sets.equal_tasks), count_text(sets.tasks)),
         words("%1 missing, %2 surplus, compared with the true sets")
             .arg(counted(sets.missing, words("access"), words("accesses")),
                  count_text(sets.surplus))});
}

} // namespace

BlockFigures figures_of(const range::BlockRecord& record) {
    const conflict::ConflictIndex& found = *record.analysis.index;
    BlockFigures figures;
    figures.left = {
        {record.block && !record.replayed ? words("Transactions") : words("Tasks"),
         count_text(found.tasks()), words("Units that can be scheduled")},
        {words("Accesses"), count_text(found.accesses), words("Reads and writes of all tasks")},
        {words("Keys"), count_text(found.keys), words("Pieces of state that tasks access")},
        {words("Levels"), count_text(found.level_sizes.size()),
         words("Number of tasks on the longest chain of dependencies")},
        {words("Work / span"),
         significant_text(found.parallelism()) + QLatin1Char(' ') + cost_words(record),
         words("Parallelism, predicted: the highest speed-up of any schedule that preserves the "
               "block's order")},
    };
    const double isolated = found.tasks() == 0 ? 0.0 : 1.0 - found.single_conflict_rate();
    QString reordered = words("0 levels");
    if (record.analysis.colouring)
        reordered +=
            words(" · %1 %2")
                .arg(count_text(record.analysis.colouring->reordered_pairs),
                     to_qt(schedule::name_of(record.analysis.colouring->colouring.algorithm)));
    figures.right = {
        {words("Conflict pairs"), count_text(found.pairs.any),
         words("%1 RAW, %2 WAR, %3 WAW; a pair can count in several")
             .arg(count_text(found.pairs.raw), count_text(found.pairs.war),
                  count_text(found.pairs.waw))},
        {words("Conflicting"), with_share(found.conflicting_tasks, found.single_conflict_rate()),
         words("Tasks with at least one dependency edge")},
        {words("Groups"),
         words("%1 · largest %2").arg(count_text(found.groups), count_text(found.largest_group)),
         words("Connected parts of the dependency graph; an isolated task is a group of one")},
        {words("Isolated"), with_share(found.isolated(), isolated),
         words("Tasks without any dependency")},
        {words("Reordered"), reordered,
         words("Conflict pairs that would execute out of block order. Levels have none; colour "
               "classes may, so they are valid only where the block's order may be chosen")},
    };
    if (record.replayed) append_execution(figures, *record.replayed);
    return figures;
}

QString level_sizes_text(const std::vector<std::uint32_t>& sizes, int most) {
    QStringList terms;
    for (std::size_t i = 0; i < sizes.size();) {
        std::size_t end = i;
        while (end < sizes.size() && sizes[end] == sizes[i]) ++end;
        if (terms.size() == most) {
            terms.append(QString(QChar(0x2026)));
            break;
        }
        QString term = count_text(sizes[i]);
        if (end - i > 1) term += QStringLiteral(" × ") + count_text(end - i);
        terms.append(term);
        i = end;
    }
    return terms.join(QStringLiteral(" · "));
}

} // namespace blockloom::ui
