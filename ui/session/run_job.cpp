#include "session/run_job.h"

#include "execute/device/host_reasons.h"
#include "range/chain_rules.h"
#include "range/executed.h"
#include "range/state_before.h"
#include "runs/kept_runs.h"
#include "runs/measured_run.h"
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

Status keep(const std::filesystem::path& folder, runs::RunRecord& record,
            const profile::Trace& spans) {
    const auto runs = store::open_runs(folder);
    if (!runs) return runs.error();
    return runs::keep_run(*runs, record, runs::provenance_now(BLOCKLOOM_VERSION), &spans);
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
    range::RangeOptions listing = order.range;
    listing.chain = "bitcoin"; // blocks only; what they mean is the replay's business
    const auto sources = range::gather_sources(listing, progress, stop);
    if (!sources) return sources.error();
    if (sources->pending.empty())
        return Error{ErrorCode::bad_input, "expected blocks to replay, found none"};
    const auto before =
        range::state_before(order.range.workspace, sources->pending.front(), sources->manifest);
    if (!before) return before.error();

    execute::ReplayOptions how;
    if (const Status ruled = range::choose_rules(how, order.range, sources->manifest, *before);
        !ruled)
        return ruled.error();
    how.contracts = order.range.contracts;
    how.strategy = order.how;
    auto device = runs::open_run_device(wish_of(order), how);
    if (!device) return device.error();
    if (!device->reason.empty())
        log(QStringLiteral("info"),
            words("Runs on %1: %2").arg(to_qt(device->name), to_qt(device->reason)));
    std::vector<execute::ReplaySource> blocks;
    for (const range::Pending& pending : sources->pending)
        if (pending.block) blocks.push_back(range::replay_source(pending));

    runs::MeasuredRunPlan plan{.blocks = blocks, .how = how, .device = *std::move(device)};
    plan.sources = order.range.sources;
    plan.workspace = order.range.workspace;
    plan.before = before->view();
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
    auto run = runs::measure_run(plan, events, progress, stop);
    if (!run) return run.error();
    auto trace = std::make_shared<const profile::Trace>(*std::move(run->spans));
    if (!order.keep_in.empty() && !stop.stop_requested())
        if (const Status kept = keep(order.keep_in, run->record, *trace); !kept)
            return Error{
                kept.error().code,
                words("The run was not kept: %1").arg(to_qt(kept.error().message)).toStdString()};
    QString mismatch;
    if (run->record.verification) mismatch = to_qt(run->record.verification->difference);
    return FinishedRun{run->record.id, std::move(trace), mismatch};
}

} // namespace blockloom::ui
