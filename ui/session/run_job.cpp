#include "session/run_job.h"

#include "execute/device/host_reasons.h"
#include "range/chain_rules.h"
#include "range/executed.h"
#include "range/state_before.h"
#include "runs/kept_runs.h"
#include "runs/measured_run.h"
#include "runs/run_check.h"
#include "runs/run_notes.h"
#include "store/kept_folders.h"
#include "text/numbers.h"
#include "text/to_qt.h"
#include "text/words.h"

#include <QStringList>

namespace blockloom::ui {
namespace {

/// What the controls of the window say: "vulkan:0".
runs::DeviceWish wish_of(const RunOrder& order) {
    const QString number = order.backend.section(u':', 1, 1);
    runs::DeviceWish wish{.backend = order.backend.section(u':', 0, 0).toStdString()};
    if (!number.isEmpty()) wish.devices = {number.toUInt()};
    wish.slice = order.slice;
    wish.open = order.open;
    wish.batch_min_given = true; // the window shows the value that is used
    wish.place = wish.device_place = words("chosen in the window").toStdString();
    return wish;
}

Error not_kept(const Error& why) {
    return {why.code, words("The run was not kept: %1").arg(to_qt(why.message)).toStdString()};
}

Status keep(const RunOrder& order, runs::RunRecord& record, const profile::Trace& spans) {
    if (order.keep_in.empty()) return {};
    if (!order.outcome->keep()) return cancelled_error();
    const auto runs = store::open_runs(order.keep_in);
    if (!runs) return not_kept(runs.error());
    if (const Status kept =
            runs::keep_run(*runs, record, runs::provenance_now(BLOCKLOOM_VERSION), &spans);
        !kept)
        return not_kept(kept.error());
    order.outcome->setId(record.id);
    return {};
}

Status keep_verification(const RunOrder& order, const runs::RunRecord& record) {
    if (order.keep_in.empty() || !record.verification) return {};
    const auto runs = store::open_runs(order.keep_in);
    if (!runs) return runs.error();
    return runs::set_verification(*runs, record.id, *record.verification);
}

/// What is wrong with a run that is kept although its verification could not be.
Error not_verified(const RunOrder& order, const Error& why) {
    const std::string id = order.outcome->id();
    if (id.empty() || why.code == ErrorCode::cancelled) return why;
    return {why.code, words("Run %1 is kept, but was not verified: %2")
                          .arg(to_qt(id), to_qt(why.message))
                          .toStdString()};
}

/// What a run and a check begin with.
struct Prepared {
    range::StateBefore before;
    execute::ReplayOptions how;
    runs::RunDevice device;
    std::vector<execute::ReplaySource> blocks;
};

Result<std::unique_ptr<Prepared>> prepare(const RunOrder& order, const RunLog& log,
                                          ProgressSink& progress, const std::stop_token& stop) {
    range::RangeOptions listing = order.range;
    listing.chain = "bitcoin"; // blocks only; what they mean is the replay's business
    const auto sources = range::gather_sources(listing, progress, stop);
    if (!sources) return sources.error();
    if (sources->pending.empty())
        return Error{ErrorCode::bad_input, "expected blocks to replay, found none"};
    auto prepared = std::make_unique<Prepared>();
    auto before =
        range::state_before(order.range, sources->pending.front(), sources->manifest, stop);
    if (!before) return before.error();
    prepared->before = *std::move(before);
    execute::ReplayOptions& how = prepared->how;
    if (const Status ruled =
            range::choose_rules(how, order.range, sources->manifest, prepared->before);
        !ruled)
        return ruled.error();
    how.contracts = order.range.contracts;
    how.strategy = order.how;
    auto device = runs::open_run_device(wish_of(order), how);
    if (!device) return device.error();
    if (!device->reason.empty())
        log(QStringLiteral("info"),
            words("Runs on %1: %2").arg(to_qt(device->name), to_qt(device->reason)));
    prepared->device = *std::move(device);
    for (const range::Pending& pending : sources->pending)
        if (pending.block) prepared->blocks.push_back(range::replay_source(pending));
    return prepared;
}

} // namespace

QString placement_words(const runs::RunBlock& block) {
    QStringList why;
    for (const auto& [code, tasks] : block.rounds.on_host)
        why.append(QStringLiteral("%1 (%2)").arg(to_qt(execute::host_reason_text(code)),
                                                 count_text(tasks.size())));
    const QString device =
        words("Block %1: %2 on the device, %3 on the host")
            .arg(count_text(block.height), counted(block.on_device, words("task"), words("tasks")),
                 count_text(block.tasks - block.on_device));
    return why.isEmpty() ? device : device + QStringLiteral(": ") + why.join(QStringLiteral(", "));
}

Result<FinishedRun> perform_run(const RunOrder& order, const RunLog& log, ProgressSink& progress,
                                const std::stop_token& stop) {
    auto prepared = prepare(order, log, progress, stop);
    if (!prepared) return prepared.error();
    const execute::ReplayOptions& how = (*prepared)->how;
    runs::MeasuredRunPlan plan{
        .blocks = (*prepared)->blocks, .how = how, .device = std::move((*prepared)->device)};
    plan.sources = order.range.sources;
    plan.workspace = order.range.state.given() ? std::string() : order.range.workspace;
    if ((*prepared)->before.source.view) plan.state = &(*prepared)->before.source;
    plan.before = (*prepared)->before.view();
    plan.repetitions = order.repetitions;
    plan.keep_going = true;
    plan.reference = order.verify;
    runs::MeasuredRunEvents events;
    events.began = order.began;
    events.block = [&](const execute::ReplayedBlock& block, const runs::RunBlock& kept) {
        for (const std::string& note : block.notes)
            log(QStringLiteral("warning"),
                words("Block %1: %2").arg(count_text(block.height()), to_qt(note)));
        if (how.device != nullptr) log(QStringLiteral("info"), placement_words(kept));
    };
    events.measured = [&](runs::RunRecord& record, const std::optional<profile::Trace>& spans) {
        const Status kept = keep(order, record, *spans);
        if (kept && order.verify && order.verifying) order.verifying();
        return kept;
    };
    auto run = runs::measure_run(plan, events, progress, stop);
    if (!run) return not_verified(order, run.error());
    if (const Status kept = keep_verification(order, run->record); !kept)
        return not_verified(order, kept.error());
    auto trace = std::make_shared<const profile::Trace>(*std::move(run->spans));
    QString mismatch;
    if (run->record.verification) mismatch = to_qt(run->record.verification->difference);
    return FinishedRun{run->record.id, std::move(trace), mismatch};
}

Result<range::NodeCheck> perform_check(const RunOrder& order, const RunLog& log,
                                       ProgressSink& progress, const std::stop_token& stop) {
    const auto prepared = prepare(order, log, progress, stop);
    if (!prepared) return prepared.error();
    const range::StateBefore& before = (*prepared)->before;
    if (before.source.records == nullptr)
        return Error{
            ErrorCode::bad_input,
            words("expected the initial state from an indexer, found another").toStdString()};
    if (const Status read =
            range::read_ahead(before.source, (*prepared)->blocks, (*prepared)->how, progress, stop);
        !read)
        return read.error();
    return runs::check_blocks((*prepared)->blocks, before.view(), *before.source.records,
                              (*prepared)->how, progress, stop);
}

} // namespace blockloom::ui
