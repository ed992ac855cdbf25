// When the waves and lanes of a submission ran.
#include "gpuvm/batch_state.h"
#include "gpuvm/kernel_batch.h"
#include "gpuvm/wave_ticks.h"

#include <algorithm>

namespace blockloom::gpuvm {
namespace {

bool is_to_run(std::uint32_t status) {
    return status == GPUVM_START || status == GPUVM_RUNNING || status == GPUVM_ANSWERED;
}

} // namespace

void BatchState::read_clocks(Nanoseconds begin, Nanoseconds end) {
    const auto* const words = reinterpret_cast<const std::uint32_t*>(download->mapped().data()) +
                              (download_words() - clock_words());
    std::vector<std::uint64_t> ticks(clock_words() / 2);
    bool narrow = true;
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        ticks[i] = words[2 * i] | std::uint64_t{words[2 * i + 1]} << 32;
        narrow = narrow && words[2 * i + 1] == 0;
    }
    // By slice, then by wave.
    std::vector<Ticks> ran(std::size_t{waves} * machine.options.slices);
    for (std::size_t i = 0; i < ran.size(); ++i)
        ran[i] = {ticks[lanes + 2 * i], ticks[lanes + 2 * i + 1]};
    if (narrow) extend_ticks(ran, std::span(ticks).first(lanes), waves, machine.wave);
    ClockBracket bracket{begin, end, ~std::uint64_t{0}, 0, narrow};
    for (const Ticks& wave : ran) {
        if (!wave.whole()) continue;
        bracket.first = std::min(bracket.first, wave.begin);
        bracket.last = std::max(bracket.last, wave.end);
    }
    if (bracket.first > bracket.last) return;
    WaveClock& clock = machine.clock;
    clock.anchor(bracket);
    if (clock.ns_per_tick() <= 0) return;
    for (std::size_t i = 0; i < ran.size(); ++i) {
        if (!ran[i].whole()) continue;
        WaveTime time;
        time.wave = static_cast<std::uint32_t>(i % waves);
        time.begin = clock.to_host(ran[i].begin);
        time.end = clock.to_host(ran[i].end);
        time.first = static_cast<std::uint32_t>(lane_times.size());
        const std::uint32_t last = std::min(count, (time.wave + 1) * machine.wave);
        for (std::uint32_t lane = time.wave * machine.wave; lane < last; ++lane) {
            // What was uploaded: which lanes were to run. Some of them stopped in an earlier slice.
            if (!is_to_run(arrived[place(GPUVM_STATUS, lane)])) continue;
            const std::uint64_t stopped = ticks[lane];
            if (stopped != 0 && stopped < ran[i].begin) continue;
            const bool here = stopped != 0 && stopped <= ran[i].end;
            lane_times.push_back({lane, here ? clock.to_host(stopped) : time.end});
        }
        time.lanes = static_cast<std::uint32_t>(lane_times.size()) - time.first;
        wave_times.push_back(time);
    }
}

std::span<const WaveTime> KernelBatch::wave_times() const noexcept {
    return state_->wave_times;
}

std::span<const LaneTime> KernelBatch::lane_times(const WaveTime& wave) const noexcept {
    return std::span(state_->lane_times).subspan(wave.first, wave.lanes);
}

} // namespace blockloom::gpuvm
