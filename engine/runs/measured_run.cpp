#include "runs/measured_run.h"

#include "base/number_text.h"
#include "execute/live_run.h"
#include "execute/recording.h"
#include "execute/worker_pool.h"
#include "range/chain_rules.h"
#include "runs/busy_time.h"
#include "runs/measured_path.h"
#include "runs/provenance.h"
#include "runs/run_check.h"
#include "runs/run_json.h"
#include "runs/run_probes.h"
#include "runs/run_verification.h"

#include <fmt/format.h>

#include <ctime>

namespace blockloom::runs {
namespace {

/// Passes over the same blocks, each reported as a part of all of them.
class WholeWork final : public ProgressSink {
public:
    WholeWork(ProgressSink& below, const MeasuredRunPlan& plan)
        : below_(below), blocks_(plan.blocks.size()),
          passes_(std::uint64_t{plan.repetitions} * (plan.baseline ? 2 : 1) +
                  (plan.reference ? 1 : 0) + (plan.check != nullptr ? 1 : 0)) {}

    /// The next pass, and what it does.
    void begin(std::string what) {
        before_ = begun_++ * blocks_;
        what_ = std::move(what);
    }
    void report(const Progress& progress) override {
        // A replay that continues in a workspace has fewer blocks to do.
        const std::uint64_t skipped = blocks_ - std::min(blocks_, progress.total);
        below_.report({progress.total == 0 ? progress.phase : what_,
                       before_ + std::min(blocks_, skipped + progress.done), passes_ * blocks_});
    }

private:
    ProgressSink& below_;
    std::uint64_t blocks_, passes_;
    std::uint64_t begun_ = 0, before_ = 0; ///< passes begun; blocks of those that are over
    std::string what_;
};

/// However the run ends, its observers are notified.
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
    if (plan.state != nullptr) record.state = plan.state->text;
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

/// As of the document that is kept of the run.
std::optional<StageTimes> stage_times(const RunRecord& record, const profile::Trace& spans) {
    const auto kept = read_run(run_json(record, Provenance()), "the run");
    const auto busy = kept ? busy_time(*kept, spans) : std::nullopt;
    if (!busy) return std::nullopt;
    return StageTimes{busy->workers, busy->busy, busy->beside, busy->on_device};
}

/// One run of a plan.
class Measurement {
public:
    Measurement(const MeasuredRunPlan& plan, const MeasuredRunEvents& events,
                ProgressSink& progress, const std::stop_token& stop)
        : plan_(plan), events_(events), progress_(progress, plan), stop_(stop), how_(plan.how),
          record_(record_of(plan)) {}

    Result<MeasuredRun> perform() {
        if (plan_.usage) {
            how_.live = live_run_of(plan_, record_);
            if (events_.began) events_.began(how_.live);
            how_.live->watch(probes_of(how_));
        }
        const Watched watched(how_.live);
        if (plan_.state != nullptr)
            if (const Status read =
                    range::read_ahead(*plan_.state, plan_.blocks, how_, progress_, stop_);
                !read)
                return read.error();
        for (unsigned number = 1; number <= plan_.repetitions; ++number) {
            if (const Status ran = repetition(number); !ran) return ran.error();
        }
        if (plan_.state != nullptr) {
            if (const Status same = range::confirm(*plan_.state, stop_); !same) return same.error();
            record_.unknown = plan_.state->unknown_values();
        }
        MeasuredRun run;
        if (how_.live != nullptr) {
            how_.live->finish();
            record_.usage = how_.live->usage();
            record_.pauses = how_.live->pauses();
        }
        if (how_.recording) {
            run.spans = how_.recording->finish();
            paths_.fill_in(*run.spans, record_.blocks);
        }
        const std::int64_t now = std::time(nullptr);
        record_.date = run_date(now);
        record_.id = run_id(now, record_);
        if (run.spans) record_.busy = stage_times(record_, *run.spans);
        if (events_.measured)
            if (const Status taken = events_.measured(record_, run.spans); !taken)
                return taken.error();
        if (plan_.reference)
            if (const Status compared = verify(); !compared) return compared.error();
        if (plan_.check != nullptr)
            if (const Status compared = check(); !compared) return compared.error();
        run.record = std::move(record_);
        return run;
    }

private:
    /// "Replaying blocks · repetition 5 of 10".
    [[nodiscard]] std::string pass(const char* what, unsigned number) const {
        if (plan_.repetitions == 1) return what;
        return fmt::format("{} · repetition {} of {}", what, number, plan_.repetitions);
    }

    Status repetition(unsigned number) {
        if (plan_.baseline) {
            progress_.begin(pass("Serial baseline", number));
            const auto serial = execute::replay_on(
                plan_.before, plan_.blocks, serial_baseline(how_), plan_.keep_going,
                [](const auto&) { return Status(); }, progress_, stop_);
            if (!serial) return serial.error();
            record_.serial_walls.push_back(serial->wall);
        }
        progress_.begin(
            pass(how_.verify ? "Replaying and verifying blocks" : "Replaying blocks", number));
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

    /// Compares the last repetition with the serial reference.
    Status verify() {
        progress_.begin("Verifying blocks");
        std::vector<BlockResult> results;
        for (const RunBlock& block : record_.blocks) results.push_back(result_of(block));
        auto made = verify_blocks(results, plan_.blocks, plan_.before, how_, progress_, stop_);
        if (!made) return made.error();
        record_.verification = *std::move(made);
        return {};
    }

    /// Compares the blocks with a node's records.
    Status check() {
        progress_.begin("Comparing blocks with the node");
        auto made = check_blocks(plan_.blocks, plan_.before, *plan_.check, how_, progress_, stop_);
        if (!made) return made.error();
        record_.check = *std::move(made);
        return {};
    }

    void take(const execute::ReplayedBlock& block) {
        record_.add(summary_of(block),
                    how_.recording ? std::optional(how_.recording->start()) : std::nullopt);
        if (how_.recording) paths_.add(block);
        if (events_.block) events_.block(block, record_.blocks.back());
    }

    [[nodiscard]] Nanoseconds ended_pauses() const {
        return how_.live == nullptr ? 0 : how_.live->gate().ended_pauses();
    }

    /// Blocks committed before a failure are safe; the message says so.
    [[nodiscard]] Error after_commits(const Error& error) const {
        if (plan_.into == nullptr || record_.blocks.empty()) return error;
        return {error.code,
                fmt::format("{}; {} before it {} committed, and the next replay continues there",
                            error.message, counted(record_.blocks.size(), "block"),
                            record_.blocks.size() == 1 ? "is" : "are")};
    }

    const MeasuredRunPlan& plan_;
    const MeasuredRunEvents& events_;
    WholeWork progress_;
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
