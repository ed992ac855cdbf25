// When the waves and lanes of a submission ran.
#include "gpuvm/batch_state.h"

#include <algorithm>

namespace blockloom::gpuvm {
namespace {

bool ran(std::uint32_t status) {
    return status == GPUVM_START || status == GPUVM_RUNNING || status == GPUVM_ANSWERED;
}

} // namespace

void Batch::State::read_clocks(Nanoseconds begin, Nanoseconds end) {
    const std::size_t from = download_words() - clock_words();
    const std::uint32_t* const words =
        reinterpret_cast<const std::uint32_t*>(download->mapped().data()) + from;
    const auto tick = [&](std::size_t word) {
        return words[word] | std::uint64_t{words[word + 1]} << 32;
    };
    const auto whole = [&](std::uint32_t wave) {
        const std::size_t word = std::size_t{4} * wave;
        return tick(word) != 0 && tick(word + 2) >= tick(word);
    };
    ClockBracket bracket{begin, end, ~std::uint64_t{0}, 0};
    for (std::uint32_t wave = 0; wave < waves; ++wave) {
        if (!whole(wave)) continue;
        bracket.first = std::min(bracket.first, tick(std::size_t{4} * wave));
        bracket.last = std::max(bracket.last, tick(std::size_t{4} * wave + 2));
    }
    if (bracket.first > bracket.last) return;
    WaveClock& clock = machine.clock;
    clock.anchor(bracket);
    if (clock.ns_per_tick() <= 0) return;
    for (std::uint32_t wave = 0; wave < waves; ++wave) {
        if (!whole(wave)) continue;
        WaveTime time;
        time.wave = wave;
        time.begin = clock.to_host(tick(std::size_t{4} * wave));
        time.end = clock.to_host(tick(std::size_t{4} * wave + 2));
        time.first = static_cast<std::uint32_t>(lane_times.size());
        const std::uint32_t last = std::min(count, (wave + 1) * machine.wave);
        for (std::uint32_t lane = wave * machine.wave; lane < last; ++lane) {
            // What went up: which lanes were to run.
            if (!ran(arrived[place(GPUVM_STATUS, lane)])) continue;
            const std::uint64_t stopped = tick(std::size_t{4} * waves + std::size_t{2} * lane);
            const Nanoseconds at = stopped == 0 ? time.end : clock.to_host(stopped);
            lane_times.push_back({lane, std::clamp(at, time.begin, time.end)});
        }
        time.lanes = static_cast<std::uint32_t>(lane_times.size()) - time.first;
        wave_times.push_back(time);
    }
}

std::span<const WaveTime> Batch::wave_times() const noexcept {
    return state_->wave_times;
}

std::span<const LaneTime> Batch::lane_times(const WaveTime& wave) const noexcept {
    return std::span(state_->lane_times).subspan(wave.first, wave.lanes);
}

} // namespace blockloom::gpuvm
