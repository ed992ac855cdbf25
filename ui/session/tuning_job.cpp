#include "session/tuning_job.h"

#include "execute/layered_state.h"
#include "range/chain_rules.h"
#include "range/executed.h"
#include "range/state_before.h"
#include "runs/tune_replay.h"
#include "text/words.h"

#include <algorithm>

namespace blockloom::ui {
namespace {

/// The blocks to replay as the sources hold them, by hash: what could not be read is left out
/// there.
Result<std::vector<execute::ReplaySource>> blocks_of(const TuningOrder& order,
                                                     const range::Sources& sources) {
    std::vector<execute::ReplaySource> found;
    for (std::size_t i = order.first; i < order.first + order.count; ++i) {
        const auto& replayed = order.range->blocks[i]->replayed;
        if (!replayed) continue;
        const auto at = std::find_if(
            sources.pending.begin(), sources.pending.end(), [&](const range::Pending& pending) {
                return pending.block && pending.block->hash == replayed->execution->hash;
            });
        if (at == sources.pending.end())
            return Error{
                ErrorCode::bad_input,
                words(
                    "A block of the open range is no longer in its sources: reload the range (F5)")
                    .toStdString()};
        found.push_back(range::replay_source(*at));
    }
    return found;
}

} // namespace

std::string code_of(const range::Range& range) {
    std::vector<std::shared_ptr<const execute::ReplayedBlock>> blocks;
    for (const auto& block : range.blocks) blocks.push_back(block->replayed);
    return runs::code_of(blocks);
}

Result<runs::ReplayTuning> perform_tuning(const TuningOrder& order, const TuningSeen& seen,
                                          ProgressSink& progress, const std::stop_token& stop) {
    range::RangeOptions listing = order.options;
    listing.chain = "bitcoin"; // blocks only; what they mean is the replay's business
    const auto sources = range::gather_sources(listing, progress, stop);
    if (!sources) return sources.error();
    if (sources->pending.empty() || order.count == 0)
        return Error{ErrorCode::bad_input, "expected blocks to replay, found none"};
    const auto before =
        range::state_before(order.options, sources->pending.front(), sources->manifest, stop);
    if (!before) return before.error();
    execute::LayeredState layered(before->view());
    for (std::size_t i = 0; i < order.first; ++i)
        if (const auto& replayed = order.range->blocks[i]->replayed)
            layered.apply(replayed->execution->changes);

    runs::TuningInput input;
    const auto blocks = blocks_of(order, *sources);
    if (!blocks) return blocks.error();
    input.blocks = *blocks;
    input.before = order.first == 0 ? before->view() : &layered;
    if (const Status chosen =
            range::choose_rules(input.base, order.options, sources->manifest, *before);
        !chosen)
        return chosen.error();
    input.base.contracts = order.options.contracts;
    // All blocks, because the first ones decide what the others read.
    std::vector<execute::ReplaySource> all;
    for (const range::Pending& pending : sources->pending)
        if (pending.block) all.push_back(range::replay_source(pending));
    if (const Status read = range::read_ahead(before->source, all, input.base, progress, stop);
        !read)
        return read.error();
    input.code = code_of(*order.range);
    input.seen = seen;
    std::vector<std::string> backends = order.space.backends;
    if (order.one) backends = {order.one->setting.backend};
    for (const std::string& backend : backends) {
        if (backend == "cpu") continue;
        auto device = runs::open_tuning_device(backend, words("chosen in the window").toStdString(),
                                               input.base);
        if (!device) return device.error();
        input.devices.push_back(*std::move(device));
    }
    auto tuned = order.one
                     ? runs::measure_setting(input, order.known, order.one->setting,
                                             order.one->times, progress, stop)
                     : runs::tune_replay(input, order.space,
                                         {.budget = Nanoseconds{order.seconds} * 1'000'000'000},
                                         order.coarse, progress, stop);
    if (tuned) tuned->sources = order.options.sources;
    return tuned;
}

} // namespace blockloom::ui
