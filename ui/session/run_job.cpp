#include "session/run_job.h"

#include "compute/selection.h"
#include "execute/host_reasons.h"
#include "execute/measured_path.h"
#include "execute/recording.h"
#include "execute/run_probes.h"
#include "range/chain_rules.h"
#include "range/executed.h"
#include "range/state_before.h"
#include "runs/kept_run.h"
#include "store/kept_folders.h"
#include "text/numbers.h"

#include <QCoreApplication>
#include <QStringList>

#include <ctime>

namespace blockloom::ui {
namespace {

QString words(const char* text) {
    return QCoreApplication::translate("RunJob", text);
}

QString from(const std::string& text) {
    return QString::fromStdString(text);
}

/// The device of the rounds, as the user and the settings want it; none: the CPU.
Status choose_device(const RunOrder& order, execute::ReplayOptions& how, execute::RunRecord& record,
                     const RunLog& log) {
    record.backend = "cpu";
    record.device = runs::this_machine().processor;
    auto settings = compute::read_settings(); // a mistyped one is an error on the CPU, too
    if (!settings) return settings.error();
    if (order.backend == QLatin1StringView("cpu")) return {};
    if (order.how.strategy == execute::Strategy::serial) {
        log(QStringLiteral("info"), words("Auto: the serial strategy is the CPU's"));
        return {};
    }
    const std::string place = words("chosen in the window").toStdString();
    const QString backend = order.backend.section(QLatin1Char(':'), 0, 0);
    if (backend != QLatin1StringView("auto")) {
        settings->backend.choose(backend.toStdString(), place);
        settings->device.choose(order.backend.section(QLatin1Char(':'), 1, 1).toUInt(), place);
    }
    auto opened = compute::open_provider(*settings);
    if (!opened) return opened.error();
    const compute::Description& device = opened->provider->description();
    log(QStringLiteral("info"),
        words("Runs on %1: %2").arg(from(device.name), from(opened->reason)));
    if (device.backend == "cpu") return {};
    how.device = opened->provider;
    how.device_must_pay = settings->backend.value == "auto";
    how.device_options.time_out = settings->timeout.value;
    how.device_options.slice = order.slice;
    how.fallback = settings->fallback.value;
    if (how.strategy.batch_max == 0) how.strategy.batch_max = settings->batch_size.value;
    record.backend = device.backend;
    record.device = device.name;
    return {};
}

/// Says which repetition a report is of.
class Repeated final : public ProgressSink {
public:
    Repeated(ProgressSink& below, unsigned of) : below_(below), of_(of) {}
    void report(const Progress& progress) override {
        Progress told = progress;
        if (of_ > 1)
            told.phase +=
                words(" · repetition %1 of %2").arg(count_text(at), count_text(of_)).toStdString();
        below_.report(told);
    }
    unsigned at = 1;

private:
    ProgressSink& below_;
    unsigned of_;
};

/// Whatever way the job ends, nobody is told of the run any more.
class Watched {
public:
    explicit Watched(std::shared_ptr<execute::LiveRun> live) : live_(std::move(live)) {}
    ~Watched() { live_->finish(); }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

private:
    std::shared_ptr<execute::LiveRun> live_;
};

Status keep(const std::filesystem::path& folder, execute::RunRecord& record,
            const profile::Trace& spans) {
    const auto runs = store::open_runs(folder);
    if (!runs) return runs.error();
    return runs::keep_run(*runs, record, runs::provenance_now(BLOCKLOOM_VERSION), &spans);
}

} // namespace

QString placement_words(const execute::RunBlock& block) {
    QStringList why;
    for (const auto& [code, tasks] : block.rounds.on_host)
        why.append(QStringLiteral("%1 (%2)").arg(from(execute::host_reason_text(code)),
                                                 count_text(tasks.size())));
    const QString device =
        words("Block %1: %2 on the device, %3 on the host")
            .arg(count_text(block.height), counted(block.on_device, words("task"), words("tasks")),
                 count_text(block.tasks - block.on_device));
    return why.isEmpty() ? device : device + QStringLiteral(": ") + why.join(QStringLiteral(", "));
}

Result<execute::RunRecord> perform_run(const RunOrder& order, const RunLog& log,
                                       ProgressSink& progress, const std::stop_token& stop) {
    range::RangeOptions listing = order.range;
    listing.chain = "bitcoin"; // blocks only; what they mean is the replay's business
    const auto sources = range::gather_sources(listing, progress, stop);
    if (!sources) return sources.error();
    if (sources->pending.empty())
        return Error{ErrorCode::bad_input, "expected blocks to replay, found none"};
    const auto before =
        range::state_before(order.range.workspace, sources->pending.front(), sources->manifest);
    if (!before) return before.error();

    execute::RunRecord record;
    execute::ReplayOptions how;
    if (const Status ruled = range::choose_rules(how, order.range, sources->manifest, *before);
        !ruled)
        return ruled.error();
    how.contracts = order.range.contracts;
    how.strategy = order.how;
    if (const Status chosen = choose_device(order, how, record, log); !chosen)
        return chosen.error();
    std::vector<execute::ReplaySource> blocks;
    for (const range::Pending& pending : sources->pending)
        if (pending.block) blocks.push_back(range::replay_source(pending));

    record.strategy = name_of(how.strategy.strategy);
    record.how = how.strategy;
    record.workers = how.strategy.workers;
    record.engine = name_of(how.engine);
    record.network = name_of(how.network);
    record.rules = range::rules_of(how);
    record.sources = order.range.sources;
    record.workspace = order.range.workspace;
    auto hashes = std::make_shared<std::vector<std::string>>();
    for (const execute::ReplaySource& block : blocks)
        hashes->push_back(to_reversed_hex(block.block.hash));
    how.live = std::make_shared<execute::LiveRun>(execute::LiveSettings{
        record.backend, record.device, record.engine, record.strategy, order.repetitions,
        record.network, runs::this_machine().processor, record.rules.text(), std::move(hashes)});
    const Watched watched(how.live);
    if (order.began) order.began(how.live);
    how.live->watch(execute::probes_of(how));
    Repeated told(progress, order.repetitions);
    execute::MeasuredPaths paths; // of the last repetition
    for (bool last = false; !last; ++told.at) {
        last = told.at >= order.repetitions;
        // Each is recorded, so that it can be watched; the spans of the last one are kept.
        how.recording = std::make_shared<execute::Recording>();
        how.live->begin_repetition(told.at, how.recording);
        const Nanoseconds paused_before = how.live->gate().ended_pauses();
        execute::Repetition measured;
        auto summary = execute::replay_on(
            before->view(), blocks, how, true,
            [&](const std::shared_ptr<const execute::ReplayedBlock>& block) {
                measured.add(block->phases);
                if (!last) return Status();
                record.blocks.push_back(summary_of(*block));
                paths.add(*block);
                for (const std::string& note : block->notes)
                    log(QStringLiteral("warning"),
                        words("Block %1: %2").arg(count_text(block->height()), from(note)));
                if (how.device != nullptr)
                    log(QStringLiteral("info"), placement_words(record.blocks.back()));
                return Status();
            },
            told, stop);
        if (!summary) return summary.error();
        record.summary = *std::move(summary);
        record.walls.push_back(record.summary.wall);
        measured.finish(record.summary.wall);
        measured.paused = how.live->gate().ended_pauses() - paused_before;
        record.repetitions.push_back(std::move(measured));
    }
    how.live->finish();
    record.usage = how.live->usage();
    record.pauses = how.live->pauses();
    const std::int64_t now = std::time(nullptr);
    record.date = execute::run_date(now);
    record.id = execute::run_id(now, record);
    if (order.keep_in.empty() || stop.stop_requested()) return record;
    const profile::Trace spans = how.recording->finish();
    paths.tell(spans, record.blocks);
    if (const Status kept = keep(order.keep_in, record, spans); !kept)
        return Error{
            kept.error().code,
            words("The run was not kept: %1").arg(from(kept.error().message)).toStdString()};
    return record;
}

} // namespace blockloom::ui
