#include "execute/replayer.h"

#include "alkanes/host_functions.h"
#include "base/contain.h"
#include "execute/device/device_lane.h"
#include "execute/device/host_reasons.h"
#include "execute/device/shared_executor.h"
#include "execute/executed_window.h"
#include "execute/first_difference.h"
#include "execute/layered_state.h"
#include "execute/live_run.h"
#include "execute/recording.h"
#include "execute/round_strategies.h"
#include "gpuvm/ejection.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <numeric>

namespace blockloom::execute {
namespace {

alkanes::Engine other_than(alkanes::Engine engine) noexcept {
    return engine == alkanes::Engine::native ? alkanes::Engine::interpreter
                                             : alkanes::Engine::native;
}

/// The block of the first copy that can be read.
Result<chain::Block> load(const ReplaySource& source, Phases& phases, std::string& name,
                          Recording* recording, Replayer::Worker worker) {
    const auto one = [&](const chain::BlockRef& ref) -> Result<chain::Block> {
        Stopwatch watch;
        std::optional<StageSpan> span(std::in_place, recording, worker, Phase::read);
        auto stored = chain::read_block(ref);
        phases[Phase::read] += watch.lap();
        span.emplace(recording, worker, Phase::decode);
        if (!stored) return stored.error();
        auto block = chain::decode_block(ref, *std::move(stored));
        phases[Phase::decode] += watch.lap();
        name = ref.source();
        return block;
    };
    auto block = one(source.block);
    for (std::size_t i = 0; !block && i < source.copies.size(); ++i)
        if (auto copy = one(source.copies[i])) block = std::move(copy);
    return block;
}

/// Without a policy.
Status begin_indexing(std::shared_ptr<const trace::BlockTrace> trace,
                      conflict::ConflictIndexing& indexing) {
    auto policed = trace::apply(std::move(trace), {}, false);
    if (!policed) return policed.error();
    return indexing.begin(std::make_shared<const trace::PolicedTrace>(*std::move(policed)));
}

const PauseGate* gate_of(const ReplayOptions& options) noexcept {
    return options.live == nullptr ? nullptr : &options.live->gate();
}

/// Reports, while it exists, that a driver is compiling.
class HeldUp {
public:
    HeldUp(LiveRun* live, const std::string& device) : live_(live) {
        if (live_ != nullptr)
            live_->hold_up("The driver of " + device +
                           " is compiling a pipeline, which cannot be interrupted");
    }
    ~HeldUp() {
        if (live_ != nullptr) live_->hold_up({});
    }
    HeldUp(const HeldUp&) = delete;
    HeldUp& operator=(const HeldUp&) = delete;

private:
    LiveRun* live_;
};

/// A serial execution as seen from outside: spans, progress, and the gate at which it can be paused
/// between two transactions.
class SerialWatch final : public alkanes::TransactionWatch {
public:
    SerialWatch(TransactionSpans* spans, profile::LaneWriter* lane, std::uint64_t height,
                LiveRun* live, const std::stop_token& stop)
        : spans_(spans), lane_(lane), height_(height), live_(live), stop_(stop) {}

    void begins(std::uint32_t) override {
        if (live_ != nullptr) {
            live_->gate().pass(stop_);
            begin_ = now_ns();
        }
        if (spans_ != nullptr) spans_->begin();
    }
    void ended(std::uint32_t transaction,
               const Result<alkanes::TransactionResult>& result) override {
        if (spans_ != nullptr) spans_->end(*lane_, height_, transaction, result, false);
        if (live_ == nullptr) return;
        const Nanoseconds time = now_ns() - begin_;
        live_->tried(0, time);
        live_->gate().worked();
        executed_[Phase::execute] += time;
        if (++count_ % report_interval == 0) live_->at_hand({}, executed_);
    }

private:
    static constexpr unsigned report_interval = 32;
    TransactionSpans* spans_;
    profile::LaneWriter* lane_;
    std::uint64_t height_;
    LiveRun* live_;
    const std::stop_token& stop_;
    Nanoseconds begin_ = 0;
    unsigned count_ = 0;
    Phases executed_;
};

/// While it exists, a runtime reports the boundaries between tasks.
class TasksSeen {
public:
    TasksSeen(alkanes::Runtime& runtime, alkanes::TaskWatch* watch) : runtime_(runtime) {
        runtime_.tasks = watch;
    }
    ~TasksSeen() { runtime_.tasks = nullptr; }
    TasksSeen(const TasksSeen&) = delete;
    TasksSeen& operator=(const TasksSeen&) = delete;

private:
    alkanes::Runtime& runtime_;
};

/// Fewer than a batch's worth: rounds would cost more than they save.
bool is_too_small(std::span<const OpenedBlock> window, std::size_t batch_min) {
    std::size_t transactions = 0;
    for (const OpenedBlock& block : window)
        for (const alkanes::RunestoneTransaction& at : block.context.messages.transactions)
            transactions += at.protostone_count != 0;
    return transactions < batch_min;
}

/// All tasks of blocks that a device was to run stayed on the host.
void note_all_on_host(const ExecutedBlocks& blocks, const char* why) {
    for (const auto& block : blocks) {
        auto& tasks = block->rounds.on_host[why];
        tasks.resize(block->execution->tasks);
        std::iota(tasks.begin(), tasks.end(), 0);
    }
}

/// Most tasks ran on the host because their code for the device was not there yet.
bool waited_for_code(const WindowExecution& made, std::size_t tasks) {
    std::size_t waited = 0;
    for (const BlockRounds& of : made.rounds)
        for (const char* why : {host_reasons::no_code, host_reasons::profiled,
                                gpuvm::name_of(gpuvm::Ejection::compiling)})
            if (const auto found = of.on_host.find(why); found != of.on_host.end())
                waited += found->second.size();
    return 2 * waited > tasks;
}

/// A block's part of a window's time, by its weight.
Nanoseconds share(Nanoseconds all, std::uint64_t weight, std::uint64_t weights) {
    return static_cast<Nanoseconds>(static_cast<double>(all) * static_cast<double>(weight) /
                                    static_cast<double>(weights));
}

/// Distributes the time of a block window among its blocks, by the tasks that ran.
void share_phases(const ExecutedBlocks& blocks, const WindowExecution& made) {
    std::uint64_t weights = 0;
    for (const BlockRounds& of : made.rounds) weights += of.executions + 1;
    Phases left = made.phases;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const auto share_out = [&](Nanoseconds all, Nanoseconds& rest, Nanoseconds& to) {
            const bool last = i + 1 == blocks.size();
            const Nanoseconds own =
                last ? rest : share(all, made.rounds[i].executions + 1, weights);
            rest -= own;
            to += own;
        };
        for (std::size_t phase = 0; phase < phase_count; ++phase)
            share_out(made.phases.ns[phase], left.ns[phase], blocks[i]->phases.ns[phase]);
        share_out(made.phases.execute_serial, left.execute_serial,
                  blocks[i]->phases.execute_serial);
    }
}

/// The executions that a block window made, and how.
void take_over(WindowExecution& made, const ExecutedBlocks& blocks) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        blocks[i]->rounds = std::move(made.rounds[i]);
        auto execution = std::make_shared<alkanes::BlockExecution>(std::move(made.blocks[i]));
        if (made.without_digest[i]) blocks[i]->without_digest = execution;
        blocks[i]->execution = std::move(execution);
    }
}

void add_notes(ReplayedBlock& block, const std::vector<std::string>& notes) {
    block.notes.insert(block.notes.end(), notes.begin(), notes.end());
}

/// If it is not there.
void make_digest(ReplayedBlock& block) {
    if (const auto execution = std::exchange(block.without_digest, nullptr))
        execution->digest = state::block_digest(execution->changes);
}

} // namespace

struct Replayer::Workers {
    Workers(const ReplayOptions& options, const std::shared_ptr<alkanes::Contracts>& contracts)
        : pool(options.strategy.workers), cpu(pool, contracts, options.engine, options.verify) {}

    /// The executor of rounds; opens the device's programs the first time.
    Result<Executor*> rounds(const ReplayOptions& options,
                             const std::shared_ptr<alkanes::Contracts>& contracts) {
        if (options.device == nullptr) return &cpu;
        if (!options.more_devices.empty()) return several(options, contracts);
        if (device == nullptr) {
            const std::string& name = options.device->description().name;
            const Recorded recorded = recorded_as(options, name, "wave");
            const HeldUp held(options.live.get(), name);
            auto calls = DeviceCalls::make(options.device, recorded.options);
            if (!calls) return calls.error();
            (*calls)->recording = recorded.lanes;
            device = std::make_unique<DeviceExecutor>(
                *std::move(calls), cpu, pool, contracts, options.engine, options.fallback,
                options.strategy.hybrid,
                options.strategy.hybrid && options.strategy.strategy == Strategy::automatic);
        }
        return device.get();
    }

    /// Frees what a finished window holds beside other work; one at a time.
    void release(std::shared_ptr<ExecutedWindow> window) {
        if (remains) pool.wait_for(remains);
        remains = pool.post([window = std::move(window)](unsigned) mutable { window.reset(); });
    }

    WorkerPool pool;
    WorkerPool::Task remains; ///< the last one
    CpuExecutor cpu;
    std::unique_ptr<DeviceExecutor> device;
    std::unique_ptr<SharedExecutor> devices;

    /// For the next window. The versions of the two windows before it may still be read: of the
    /// last one by the next, of the one before that while the last one is put together.
    AcceptanceCheck& next_check() noexcept { return checks[++last_check % checks.size()]; }

private:
    std::array<AcceptanceCheck, 3> checks;
    std::size_t last_check = 0;

    struct Recorded {
        gpuvm::Options options;
        DeviceRecording* lanes = nullptr; ///< null: nothing is recorded
    };
    /// A device's options; if there is a recording, its submissions are reported to it.
    static Recorded recorded_as(const ReplayOptions& options, const std::string& name,
                                const std::string& waves, unsigned first_worker = 0) {
        Recorded made{options.device_options, nullptr};
        made.options.wave_times = made.options.wave_times && options.recording != nullptr;
        if (options.recording == nullptr) return made;
        made.lanes = &options.recording->device(name, waves, first_worker);
        made.options.launched = [recording = options.recording, lanes = made.lanes](
                                    std::uint32_t messages) { return lanes->launched(messages); };
        made.options.submitted = [recording = options.recording,
                                  lanes = made.lanes](const gpuvm::SubmissionTimes& times) {
            lanes->note_submission(times);
        };
        return made;
    }

    /// Devices side by side; each has its part of the workers.
    Result<Executor*> several(const ReplayOptions& options,
                              const std::shared_ptr<alkanes::Contracts>& contracts) {
        if (devices != nullptr) return devices.get();
        auto all = options.more_devices;
        all.insert(all.begin(), options.device);
        const unsigned each = std::max(1U, pool.workers() / static_cast<unsigned>(all.size()));
        std::vector<SharedExecutor::Device> lanes;
        std::vector<std::string> notes;
        std::optional<Error> last;
        unsigned number = 0;
        for (const auto& provider : all) {
            const HeldUp held(options.live.get(), provider->description().name);
            const unsigned first_worker = number * each;
            const std::string which = fmt::format("{} of {}", ++number, all.size());
            const Recorded recorded =
                recorded_as(options, fmt::format("{} ({})", provider->description().name, which),
                            which + ": wave", first_worker);
            auto lane = DeviceLane::make(provider, recorded.options, each, contracts,
                                         options.engine, options.fallback, recorded.lanes);
            if (!lane) {
                if (!options.fallback) return lane.error();
                notes.push_back("device: " + lane.error().message +
                                "; the others take over its part");
                last = lane.error();
                continue;
            }
            if (options.recording != nullptr) {
                options.recording->prepare(number * each);
                (*lane)->record_on(options.recording.get(), first_worker);
            }
            lanes.push_back({provider->description().name, *std::move(lane)});
        }
        if (lanes.empty()) return *last;
        devices = std::make_unique<SharedExecutor>(std::move(lanes), cpu, std::move(notes));
        return devices.get();
    }
};

Replayer::Replayer(ReplayOptions options)
    : options_(options),
      contracts_(options.contracts ? options.contracts : std::make_shared<alkanes::Contracts>()),
      runtime_(alkanes::host_imports, contracts_, options.engine,
               options.verify || options.await_code ? alkanes::Runtime::MachineCode::awaited
                                                    : alkanes::Runtime::MachineCode::when_ready),
      strategy_memory_(std::make_unique<StrategyMemory>()) {
    if (options_.verify)
        other_.emplace(alkanes::host_imports, contracts_, other_than(options.engine),
                       alkanes::Runtime::MachineCode::awaited);
}

Replayer::~Replayer() = default;

Result<OpenedBlock> Replayer::decode(const ReplaySource& source, Worker worker) const {
    return contain("reading the block", [&] { return read(source, worker); });
}

Status Replayer::begin(OpenedBlock& block, const state::StateView& before) const {
    return contain("reading the block", [&]() -> Status {
        Stopwatch watch;
        const Status begun = alkanes::begin_on(block.context, before);
        block.replayed.phases[Phase::decode] += watch.lap();
        return begun;
    });
}

Result<OpenedBlock> Replayer::open(const ReplaySource& source,
                                   const state::StateView& before) const {
    auto opened = decode(source);
    if (!opened) return opened;
    if (const Status begun = begin(*opened, before); !begun) return begun.error();
    return opened;
}

WorkerPool* Replayer::pool() {
    if (options_.strategy.strategy == Strategy::serial || !options_.more_devices.empty())
        return nullptr;
    return workers().pool.workers() == 1 ? nullptr : &workers().pool;
}

std::vector<ContractCode> Replayer::contract_code() {
    std::vector<ContractCode> all;
    if (workers_ != nullptr && workers_->device != nullptr)
        all = workers_->device->contract_code();
    else if (workers_ != nullptr && workers_->devices != nullptr)
        all = workers_->devices->contract_code();
    std::ranges::stable_sort(all, std::greater(), &ContractCode::calls);
    return all;
}

Replayer::Workers& Replayer::workers() {
    if (workers_ == nullptr) workers_ = std::make_unique<Workers>(options_, contracts_);
    return *workers_;
}

Result<std::vector<ReplayedBlock>> Replayer::execute(std::vector<OpenedBlock> window,
                                                     const state::StateView& before,
                                                     ProgressSink& progress,
                                                     const std::stop_token& stop) {
    auto executed = contain("executing the block",
                            [&] { return run(std::move(window), before, false, progress, stop); });
    if (!executed) return executed.error();
    std::vector<ReplayedBlock> blocks;
    for (const auto& block : (*executed)->blocks()) blocks.push_back(std::move(*block));
    release(*std::move(executed));
    return blocks;
}

Result<std::shared_ptr<ExecutedWindow>> Replayer::execute_ahead(std::vector<OpenedBlock> window,
                                                                const state::StateView& before,
                                                                ProgressSink& progress,
                                                                const std::stop_token& stop) {
    return contain("executing the block", [&] {
        return run(std::move(window), before, pool() != nullptr, progress, stop);
    });
}

/// A stage of putting a window's blocks together, as a span.
template <typename Work>
Status Replayer::assemble(const ExecutedWindow& window, Phases& work, Worker worker,
                          const Work& stage) const {
    return contain("assembling the block", [&]() -> Status {
        WorkWatch watch(gate_of(options_));
        const StageSpan span(options_.recording.get(), worker, SpanName::join,
                             static_cast<std::uint32_t>(window.height()));
        const Status done = stage();
        work[Phase::commit] += watch.lap();
        return done;
    });
}

Status Replayer::join_part(ExecutedWindow& window, std::size_t part, Phases& work,
                           Worker worker) const {
    return assemble(window, work, worker, [&] { return window.run_->join_part(part); });
}

Status Replayer::begin_join(ExecutedWindow& window, std::size_t block, std::size_t pieces,
                            Phases& work, Worker worker) const {
    return assemble(window, work, worker, [&]() -> Status {
        window.run_->begin_join(static_cast<std::uint32_t>(block), pieces);
        return {};
    });
}

Status Replayer::join_piece(ExecutedWindow& window, std::size_t piece, Phases& work,
                            Worker worker) const {
    return assemble(window, work, worker, [&]() -> Status {
        window.run_->join_piece(piece);
        return {};
    });
}

Status Replayer::end_join(ExecutedWindow& window, Phases& work, Worker worker) const {
    return assemble(window, work, worker, [&]() -> Status {
        WindowExecution made = window.run_->end_join();
        take_over(made, window.blocks_);
        if (window.on_host_ != nullptr) note_all_on_host(window.blocks_, window.on_host_);
        add_notes(*window.blocks_.front(), made.notes);
        for (const auto& block : window.blocks_) {
            window.joined_.push_back(block->execution);
            if (options_.recording != nullptr) options_.recording->tasks_of(*block->execution);
            window.changes_.emplace_back(block->execution->changes);
            if (window.changes_.back().are_worth_parting()) window.changes_.back().begin();
        }
        return {};
    });
}

Status Replayer::part_changes(ExecutedWindow& window, std::size_t piece, std::size_t pieces,
                              Phases& work, Worker worker) const {
    return assemble(window, work, worker, [&]() -> Status {
        for (PartedChanges& changes : window.changes_)
            for (std::size_t range = piece; range < changes.ranges(); range += pieces)
                changes.part(range);
        return {};
    });
}

Status Replayer::join(ExecutedWindow& window, Phases& work, Worker worker) const {
    if (!window.is_divided()) {
        window.divide(1);
        if (const Status found = join_part(window, 0, work, worker); !found) return found;
    }
    for (std::size_t block = 0; block < window.blocks_.size(); ++block)
        if (const Status begun = begin_join(window, block, 1, work, worker); !begun) return begun;
    if (const Status done = join_piece(window, 0, work, worker); !done) return done;
    if (const Status ended = end_join(window, work, worker); !ended) return ended;
    return part_changes(window, 0, 1, work, worker);
}

void Replayer::release(std::shared_ptr<ExecutedWindow> window) {
    if (workers_ != nullptr) workers_->release(std::move(window));
}

Result<OpenedBlock> Replayer::read(const ReplaySource& source, Worker worker) const {
    OpenedBlock opened;
    ReplayedBlock& replayed = opened.replayed;
    replayed.contracts = contracts_;
    const Nanoseconds begin = now_ns();
    auto block = load(source, replayed.phases, replayed.source, options_.recording.get(), worker);
    if (!block) return block.error();
    if (block->hash != source.block.hash)
        return Error{
            ErrorCode::bad_input,
            fmt::format(
                "{}: expected block {}, as it was listed, found {}: the file has changed since",
                replayed.source, to_reversed_hex(source.block.hash), to_reversed_hex(block->hash))};
    if (source.height) block->height = source.height;
    Stopwatch watch;
    const StageSpan span(options_.recording.get(), worker, Phase::decode);
    auto context = alkanes::decode_block(
        std::make_shared<const chain::Block>(*std::move(block)),
        {options_.network, options_.height, options_.line, options_.built_ins, options_.fuel});
    if (!context) return context.error();
    opened.context = *std::move(context);
    replayed.phases[Phase::decode] += watch.lap();
    replayed.phases[Phase::other] = now_ns() - begin - replayed.phases.sum();
    return opened;
}

Result<std::shared_ptr<ExecutedWindow>> Replayer::run(std::vector<OpenedBlock> window,
                                                      const state::StateView& before, bool ahead,
                                                      ProgressSink& progress,
                                                      const std::stop_token& stop) {
    const bool serially = options_.strategy.strategy == Strategy::serial ||
                          is_too_small(window, options_.strategy.batch_min);
    std::vector<alkanes::BlockContext> contexts;
    ExecutedBlocks blocks;
    for (OpenedBlock& opened : window) {
        contexts.push_back(std::move(opened.context));
        blocks.push_back(std::make_shared<ReplayedBlock>(std::move(opened.replayed)));
    }
    alkanes::join_windows(contexts);
    for (std::size_t i = 0; i < blocks.size(); ++i)
        blocks[i]->context = std::make_shared<const alkanes::BlockContext>(std::move(contexts[i]));
    auto executed = std::make_shared<ExecutedWindow>(blocks);

    alkanes::TransactionOptions how;
    how.record = options_.record;
    how.events = options_.events;
    how.stop = stop;
    const Status ran = serially ? run_serially(blocks, before, how, progress)
                                : run_window(*executed, before, ahead, how, progress);
    if (!ran) return ran.error();
    if (!executed->is_complete()) return executed;
    if (Recording* const recording = options_.recording.get())
        for (const auto& block : blocks) recording->tasks_of(*block->execution);
    if (serially && options_.device != nullptr) note_all_on_host(blocks, host_reasons::small);
    if (options_.estimate) {
        LayeredState state(&before);
        for (const auto& block : blocks) {
            if (const Status done = estimate(*block, state, how, progress); !done)
                return done.error();
            if (blocks.size() > 1) state.apply(block->execution->changes);
        }
    }
    if (other_ || !ahead)
        for (const auto& block : blocks) make_digest(*block);
    if (other_)
        if (const Status verified = verify(blocks, before, how); !verified) return verified.error();
    return executed;
}

Status Replayer::run_serially(const ExecutedBlocks& blocks, const state::StateView& before,
                              const alkanes::TransactionOptions& how, ProgressSink& progress) {
    LayeredState below(&before);
    LiveRun* const live = options_.live.get();
    const PauseGate* const gate = gate_of(options_);
    for (const auto& each : blocks) {
        ReplayedBlock& block = *each;
        WorkWatch watch(gate);
        const state::StateView& view = each == blocks.front() ? before : below;
        Recording* const recording = options_.recording.get();
        TransactionSpans spans;
        if (recording != nullptr) recording->prepare(1);
        const TasksSeen seen(runtime_, recording == nullptr ? nullptr : &spans);
        const DriverSpan span(recording, Phase::execute,
                              static_cast<std::uint32_t>(block.context->height));
        SerialWatch watcher(recording == nullptr ? nullptr : &spans,
                            recording == nullptr ? nullptr : &recording->worker(0),
                            block.context->height, live, how.stop);
        auto execution =
            alkanes::execute_block(runtime_, *block.context, view, how, progress,
                                   recording == nullptr && live == nullptr ? nullptr : &watcher);
        if (!execution) return execution.error();
        if (blocks.size() > 1) below.apply(execution->changes);
        const std::uint64_t tasks = execution->tasks;
        block.rounds.rounds = 1;
        block.rounds.executions = block.rounds.accepted_first = block.rounds.serial = tasks;
        block.execution = std::make_shared<const alkanes::BlockExecution>(*std::move(execution));
        const Nanoseconds took = watch.lap();
        block.phases[Phase::execute] += took;
        block.phases.execute_serial += took;
    }
    return {};
}

Status Replayer::run_window(ExecutedWindow& window, const state::StateView& before, bool ahead,
                            const alkanes::TransactionOptions& how, ProgressSink& progress) {
    const ExecutedBlocks& blocks = window.blocks_;
    LiveRun* const live = options_.live.get();
    const PauseGate* const gate = gate_of(options_);
    WorkWatch watch(gate), whole(gate);
    Recording* const recording = options_.recording.get();
    if (recording != nullptr) recording->prepare(workers().pool.workers());
    if (!before.is_in_memory()) window.cached_.emplace(before);
    const state::StateView& view = window.cached_ ? *window.cached_ : before;
    StrategyOptions strategy = options_.strategy;
    strategy.multi_version = options_.model == conflict::ConflictModel::multi_version;
    const bool on_device =
        options_.device != nullptr && (!options_.device_must_pay || placement_.device_is_next());
    auto rounds =
        on_device ? workers().rounds(options_, contracts_) : Result<Executor*>(&workers().cpu);
    const Nanoseconds opening = watch.lap();
    if (!on_device && options_.device != nullptr) window.on_host_ = host_reasons::host_faster;
    if (!rounds) {
        if (!options_.fallback) return rounds.error();
        blocks.front()->notes.push_back("device: " + rounds.error().message +
                                        "; all messages run on the host");
        rounds = &workers_->cpu;
        window.on_host_ = host_reasons::no_device;
    }
    workers_->cpu.record_on(recording);
    workers_->cpu.follow(live);
    (*rounds)->follow(live);
    WindowRun& run = window.run_.emplace(window.contexts_, view, strategy, how, **rounds,
                                         workers_->cpu, workers_->pool, workers_->next_check());
    run.record_on(recording);
    run.follow(live);
    if (const Status listed = run.list(); !listed) return listed;
    const Nanoseconds gather = watch.lap();
    const auto hints = run.find_hints();
    if (!hints) return hints.error();
    const auto strategies = make_rounds(strategy, *hints, *strategy_memory_);
    WorkWatch whole_window(gate);
    if (const Status ran = run.run_rounds(*hints, *strategies, progress); !ran) return ran;
    const auto end = [&](WindowExecution& made) {
        strategies->finished({whole_window.lap(), run.busy(), run.gas()});
        for (std::uint32_t block = 0; block < made.rounds.size(); ++block)
            made.rounds[block].choice = strategies->choice(block);
        made.phases[Phase::gather] += gather;
        const Nanoseconds took = whole.lap();
        made.phases[Phase::other] = took - made.phases.sum();
        share_phases(blocks, made);
        if (options_.device == nullptr || !options_.device_must_pay) return;
        placement_.note(window.on_host_ == nullptr, took - opening, run.tasks().size(),
                        waited_for_code(made, run.tasks().size()));
        if (auto change = placement_.take_change())
            blocks.front()->notes.push_back(*std::move(change));
    };
    if (ahead && run.can_be_joined() && !options_.estimate && !other_) {
        end(run.made());
        window.complete_ = false;
        return {};
    }
    auto made = run.finish(progress);
    if (!made) return made.error();
    end(*made);
    take_over(*made, blocks);
    if (window.on_host_ != nullptr) note_all_on_host(blocks, window.on_host_);
    add_notes(*blocks.front(), made->notes);
    return {};
}

Status Replayer::analyse(ReplayedBlock& block, Phases& phases, const std::stop_token& stop,
                         Worker worker) const {
    return contain("analysing the block", [&]() -> Status {
        if (const Status made = digest(block, phases, worker); !made) return made;
        if (!options_.trace) return {};
        BlockAnalysis analysis(options_.model, 1, 1);
        if (const Status done = trace_piece(block, analysis, 0, phases, worker); !done) return done;
        if (const Status done = begin_index(block, analysis, phases, worker); !done) return done;
        if (const Status done = index_piece(block, analysis, 0, phases, stop, worker); !done)
            return done;
        return end_index(block, analysis);
    });
}

Status Replayer::digest(ReplayedBlock& block, Phases& phases, Worker worker) const {
    return contain("analysing the block", [&]() -> Status {
        if (block.without_digest == nullptr) return {};
        WorkWatch watch(gate_of(options_));
        const StageSpan span(options_.recording.get(), worker, Phase::commit,
                             static_cast<std::uint32_t>(block.context->height));
        make_digest(block);
        phases[Phase::commit] += watch.lap();
        return {};
    });
}

Status Replayer::trace_piece(const ReplayedBlock& block, BlockAnalysis& analysis, std::size_t piece,
                             Phases& phases, Worker worker) const {
    return contain("analysing the block", [&]() -> Status {
        WorkWatch watch(gate_of(options_));
        const StageSpan span(options_.recording.get(), worker, Phase::trace,
                             static_cast<std::uint32_t>(block.context->height));
        const Status traced = analysis.tracing.run_piece(*block.execution, *block.context, piece);
        phases[Phase::trace] += watch.lap();
        return traced;
    });
}

Status Replayer::begin_index(ReplayedBlock& block, BlockAnalysis& analysis, Phases& phases,
                             Worker worker) const {
    return contain("analysing the block", [&]() -> Status {
        WorkWatch watch(gate_of(options_));
        const auto height = static_cast<std::uint32_t>(block.context->height);
        std::optional<StageSpan> span(std::in_place, options_.recording.get(), worker, Phase::trace,
                                      height);
        auto trace = analysis.tracing.finish(*block.execution);
        if (!trace) return trace.error();
        span.emplace(options_.recording.get(), worker, Phase::analyse, height);
        block.trace = *std::move(trace);
        phases[Phase::trace] += watch.lap();
        const Status begun = begin_indexing(block.trace, analysis.indexing);
        phases[Phase::analyse] += watch.lap();
        return begun;
    });
}

Status Replayer::index_piece(const ReplayedBlock& block, BlockAnalysis& analysis, std::size_t piece,
                             Phases& phases, const std::stop_token& stop, Worker worker) const {
    return contain("analysing the block", [&]() -> Status {
        WorkWatch watch(gate_of(options_));
        const StageSpan span(options_.recording.get(), worker, Phase::analyse,
                             static_cast<std::uint32_t>(block.context->height));
        const Status done = analysis.indexing.run_piece(piece, stop);
        phases[Phase::analyse] += watch.lap();
        return done;
    });
}

Status Replayer::end_index(ReplayedBlock& block, BlockAnalysis& analysis) const {
    return contain("analysing the block", [&]() -> Status {
        block.index = std::make_shared<const conflict::ConflictIndex>(analysis.indexing.finish());
        return {};
    });
}

Status Replayer::estimate(ReplayedBlock& block, const state::StateView& before,
                          const alkanes::TransactionOptions& how, ProgressSink& progress) {
    WorkWatch watch(gate_of(options_));
    alkanes::TransactionOptions dry = how;
    dry.record = dry.events = false;
    const auto alone = alkanes::estimate_block(runtime_, *block.context, before, dry, progress);
    if (!alone) return alone.error();
    block.estimated = alkanes::compare_sets(*block.execution, *alone);
    auto trace = alkanes::trace_of(*alone, *block.context);
    if (!trace) return trace.error();
    block.estimated_trace = *std::move(trace);
    const Nanoseconds took = watch.lap();
    block.phases[Phase::execute] += took; // a dry run is execution
    block.phases.execute_serial += took;
    return {};
}

Status Replayer::verify(const ExecutedBlocks& blocks, const state::StateView& before,
                        const alkanes::TransactionOptions& how) {
    SilentProgress silent;
    LayeredState reference(&before);
    for (const auto& each : blocks) {
        ReplayedBlock& block = *each;
        Stopwatch watch;
        const DriverSpan span(options_.recording.get(), Phase::verify,
                              static_cast<std::uint32_t>(block.context->height));
        const auto again = alkanes::execute_block(*other_, *block.context, reference, how, silent);
        if (!again) return again.error();
        if (blocks.size() > 1) reference.apply(again->changes);
        block.difference = first_difference(*block.execution, *again);
        block.verified = block.difference.empty();
        block.phases[Phase::verify] += watch.lap();
    }
    return {};
}

} // namespace blockloom::execute
