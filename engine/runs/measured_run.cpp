#include "runs/measured_run.h"

#include "base/number_text.h"
#include "execute/live_run.h"
#include "execute/recording.h"
#include "execute/worker_pool.h"
#include "range/chain_rules.h"
#include "runs/measured_path.h"
#include "runs/provenance.h"
#include "runs/run_probes.h"

#include <fmt/format.h>

#include <ctime>

namespace blockloom::runs {
namespace {

/// Progress of one repetition as a part of all.
class OfAll final : public ProgressSink {
public:
    OfAll(ProgressSink& below, unsigned of) : below_(below), of_(of) {}
    void begin(unsigned number) noexcept { at_ = number; }
    void report(const Progress& progress) override {
        if (of_ == 1) return below_.report(progress);
        Progress whole = progress;
        whole.phase += fmt::format(" · repetition {} of {}", at_, of_);
        whole.done = progress.total * (at_ - 1) + progress.done;
        whole.total = progress.total * of_;
        below_.report(whole);
    }

private:
    ProgressSink& below_;
    unsigned of_, at_ = 1;
};

/// However the run ends, its watchers learn that it has ended.
class Watched {
public:
    explicit Watched(std::shared_ptr<execute::LiveRun> live) : live_(std::move(live)) {}
    ~Watched() {
        if (live_ != nullptr) live_->finish();
    }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

private:
    std::shared_ptr<execute::LiveRun> live_;
};

RunRecord record_of(const MeasuredRunPlan& plan) {
    const execute::ReplayOptions& how = plan.how;
    RunRecord record;
    record.backend = plan.device.backend;
    record.device = plan.device.name;
    record.strategy = name_of(how.strategy.strategy);
    record.how = how.strategy;
    if (how.strategy.strategy != execute::Strategy::serial)
        record.workers = execute::WorkerPool::count(how.strategy.workers);
    record.engine = name_of(how.engine);
    record.network = name_of(how.network);
    record.rules = range::rules_of(how);
    record.sources = plan.sources;
    record.verify = how.verify;
    record.estimate = how.estimate;
    record.workspace = plan.workspace;
    return record;
}

std::shared_ptr<execute::LiveRun> live_run_of(const MeasuredRunPlan& plan,
                                              const RunRecord& record) {
    auto hashes = std::make_shared<std::vector<std::string>>();
    for (const execute::ReplaySource& block : plan.blocks)
        hashes->push_back(to_reversed_hex(block.block.hash));
    return std::make_shared<execute::LiveRun>(execute::LiveSettings{
        record.backend, record.device, record.engine, record.strategy, plan.repetitions,
        record.network, this_machine().processor, record.rules.text(), std::move(hashes)});
}

/// The baseline of speed-ups: one thread, execution only.
execute::ReplayOptions serial_baseline(execute::ReplayOptions how) {
    how.strategy = {};
    how.device = nullptr;
    how.more_devices.clear();
    how.live = nullptr;
    how.recording = nullptr;
    how.verify = how.estimate = how.record = false;
    return how;
}

/// One run of a plan.
class Measurement {
public:
    Measurement(const MeasuredRunPlan& plan, const MeasuredRunEvents& events,
                ProgressSink& progress, const std::stop_token& stop)
        : plan_(plan), events_(events), progress_(progress, plan.repetitions), stop_(stop),
          how_(plan.how), record_(record_of(plan)) {}

    Result<MeasuredRun> perform() {
        if (plan_.usage) {
            how_.live = live_run_of(plan_, record_);
            if (events_.began) events_.began(how_.live);
            how_.live->watch(probes_of(how_));
        }
        const Watched watched(how_.live);
        for (unsigned number = 1; number <= plan_.repetitions; ++number) {
            progress_.begin(number);
            if (const Status ran = repetition(number); !ran) return ran.error();
        }
        MeasuredRun run;
        if (how_.live != nullptr) {
            how_.live->finish();
            record_.usage = how_.live->usage();
            record_.pauses = how_.live->pauses();
        }
        if (how_.recording) {
            run.spans = how_.recording->finish();
            paths_.tell(*run.spans, record_.blocks);
        }
        const std::int64_t now = std::time(nullptr);
        record_.date = run_date(now);
        record_.id = run_id(now, record_);
        run.record = std::move(record_);
        return run;
    }

private:
    Status repetition(unsigned number) {
        if (plan_.baseline) {
            const auto serial = execute::replay_on(
                plan_.before, plan_.blocks, serial_baseline(how_), plan_.keep_going,
                [](const auto&) { return Status(); }, progress_, stop_);
            if (!serial) return serial.error();
            record_.serial_walls.push_back(serial->wall);
        }
        const bool last = number == plan_.repetitions;
        // Each is recorded, so that all cost the same and each can be watched.
        if (plan_.spans) how_.recording = std::make_shared<execute::Recording>();
        if (how_.live != nullptr) how_.live->begin_repetition(number, how_.recording);
        const Nanoseconds paused = ended_pauses();
        Repetition measured;
        const auto done = [&](const std::shared_ptr<const execute::ReplayedBlock>& block) {
            measured.add(block->phases);
            if (last) take(*block);
            return Status();
        };
        auto summary = last && plan_.into != nullptr
                           ? execute::replay_into(*plan_.into, plan_.blocks, how_, plan_.keep_going,
                                                  done, progress_, stop_, plan_.join)
                           : execute::replay_on(plan_.before, plan_.blocks, how_, plan_.keep_going,
                                                done, progress_, stop_);
        if (!summary) return last ? after_commits(summary.error()) : summary.error();
        record_.walls.push_back(summary->wall);
        measured.finish(summary->wall);
        measured.paused = ended_pauses() - paused;
        record_.repetitions.push_back(std::move(measured));
        if (last) record_.summary = *std::move(summary);
        return {};
    }

    void take(const execute::ReplayedBlock& block) {
        record_.blocks.push_back(summary_of(block));
        if (how_.recording) paths_.add(block);
        if (events_.block) events_.block(block, record_.blocks.back());
    }

    [[nodiscard]] Nanoseconds ended_pauses() const {
        return how_.live == nullptr ? 0 : how_.live->gate().ended_pauses();
    }

    /// What was committed before a failure is safe; the message says so.
    [[nodiscard]] Error after_commits(const Error& error) const {
        if (plan_.into == nullptr || record_.blocks.empty()) return error;
        return {error.code,
                fmt::format("{}; {} before it {} committed, and the next replay continues there",
                            error.message, counted(record_.blocks.size(), "block"),
                            record_.blocks.size() == 1 ? "is" : "are")};
    }

    const MeasuredRunPlan& plan_;
    const MeasuredRunEvents& events_;
    OfAll progress_;
    const std::stop_token& stop_;
    execute::ReplayOptions how_;
    RunRecord record_;
    MeasuredPaths paths_; ///< of the last repetition
};

} // namespace

Result<MeasuredRun> measure_run(const MeasuredRunPlan& plan, const MeasuredRunEvents& events,
                                ProgressSink& progress, const std::stop_token& stop) {
    return Measurement(plan, events, progress, stop).perform();
}

} // namespace blockloom::runs
