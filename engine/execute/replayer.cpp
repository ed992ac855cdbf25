#include "execute/replayer.h"

#include "chain/block_file.h"

namespace blockloom::execute {
namespace {

alkanes::Engine other_than(alkanes::Engine engine) noexcept {
    return engine == alkanes::Engine::native ? alkanes::Engine::interpreter
                                             : alkanes::Engine::native;
}

/// The block of the first copy that can be read.
Result<chain::Block> load(const ReplaySource& source, Phases& phases, std::string& name) {
    const auto one = [&](const chain::BlockRef& ref) -> Result<chain::Block> {
        Stopwatch watch;
        const auto mapped = ref.file->open(); // kept, so that loading finds it mapped
        phases[Phase::read] += watch.lap();
        if (!mapped) return mapped.error();
        auto block = chain::load_block(ref);
        phases[Phase::decode] += watch.lap();
        name = ref.source();
        return block;
    };
    auto block = one(source.block);
    for (std::size_t i = 0; !block && i < source.copies.size(); ++i)
        if (auto copy = one(source.copies[i])) block = std::move(copy);
    return block;
}

Result<conflict::ConflictIndex> index_of(std::shared_ptr<const trace::BlockTrace> trace,
                                         conflict::ConflictModel model,
                                         const std::stop_token& stop) {
    auto policed = trace::apply(std::move(trace), {}, false);
    if (!policed) return policed.error();
    return conflict::index_conflicts(
        std::make_shared<const trace::PolicedTrace>(*std::move(policed)), model, stop);
}

} // namespace

Replayer::Replayer(ReplayOptions options)
    : options_(options),
      contracts_(options.contracts ? options.contracts : std::make_shared<alkanes::Contracts>()),
      runtime_(contracts_, options.engine, options.verify) {
    if (options_.verify)
        other_.emplace(std::make_shared<alkanes::Contracts>(), other_than(options.engine));
}

Result<ReplayedBlock> Replayer::run(const ReplaySource& source, const state::StateView& before,
                                    ProgressSink& progress, const std::stop_token& stop) {
    ReplayedBlock replayed;
    replayed.contracts = contracts_;
    const Nanoseconds begin = now_ns();
    Phases& phases = replayed.phases;
    auto block = load(source, phases, replayed.source);
    if (!block) return block.error();
    if (source.height) block->height = source.height;

    Stopwatch watch;
    auto context = alkanes::open_block(std::make_shared<const chain::Block>(*std::move(block)),
                                       {options_.network, options_.height}, before);
    if (!context) return context.error();
    replayed.context = std::make_shared<const alkanes::BlockContext>(*std::move(context));
    phases[Phase::decode] += watch.lap();

    alkanes::TransactionOptions how;
    how.record = options_.record;
    how.stop = stop;
    auto execution = alkanes::execute_block(runtime_, *replayed.context, before, how, progress);
    if (!execution) return execution.error();
    replayed.execution = std::make_shared<const alkanes::BlockExecution>(*std::move(execution));
    phases[Phase::execute] += watch.lap();

    if (options_.trace) {
        auto trace = alkanes::trace_of(*replayed.execution, *replayed.context);
        if (!trace) return trace.error();
        replayed.trace = *std::move(trace);
        phases[Phase::trace] += watch.lap();
        auto index = index_of(replayed.trace, options_.model, stop);
        if (!index) return index.error();
        replayed.index = std::make_shared<const conflict::ConflictIndex>(*std::move(index));
        phases[Phase::analyse] += watch.lap();
    }
    if (options_.estimate) {
        alkanes::TransactionOptions dry = how;
        dry.record = false;
        const auto alone =
            alkanes::estimate_block(runtime_, *replayed.context, before, dry, progress);
        if (!alone) return alone.error();
        replayed.estimated = alkanes::compare_sets(*replayed.execution, *alone);
        auto trace = alkanes::trace_of(*alone, *replayed.context);
        if (!trace) return trace.error();
        replayed.estimated_trace = *std::move(trace);
        phases[Phase::execute] += watch.lap(); // a dry run is execution (definitions.md)
    }
    if (other_) {
        if (const Status verified = verify(replayed, before, how); !verified)
            return verified.error();
        phases[Phase::verify] += watch.lap();
    }
    phases[Phase::other] = now_ns() - begin - phases.sum();
    return replayed;
}

Status Replayer::verify(ReplayedBlock& block, const state::StateView& before,
                        const alkanes::TransactionOptions& options) {
    SilentProgress silent;
    const auto again = alkanes::execute_block(*other_, *block.context, before, options, silent);
    if (!again) return again.error();
    block.difference = first_difference(*block.execution, *again);
    block.verified = block.difference.empty();
    return {};
}

} // namespace blockloom::execute
