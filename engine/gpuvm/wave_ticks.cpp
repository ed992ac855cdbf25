#include "gpuvm/wave_ticks.h"

namespace blockloom::gpuvm {

void extend_ticks(std::span<Ticks> ran, std::span<std::uint64_t> stops, std::uint32_t waves,
                  std::uint32_t lanes_a_wave) {
    std::uint64_t near = 0;
    for (Ticks& wave : ran) {
        if (wave.begin == 0 || wave.end == 0) continue;
        const auto begin = static_cast<std::uint32_t>(wave.begin);
        const auto end = static_cast<std::uint32_t>(wave.end);
        near = near == 0 ? begin + (std::uint64_t{1} << 32) : nearest_tick(begin, near);
        wave = {near, near + static_cast<std::uint32_t>(end - begin)};
    }
    for (std::size_t lane = 0; lane < stops.size(); ++lane) {
        if (stops[lane] == 0) continue;
        const auto low = static_cast<std::uint32_t>(stops[lane]);
        for (std::size_t i = lane / lanes_a_wave; i < ran.size(); i += waves) {
            if (!ran[i].whole()) continue;
            const auto since = static_cast<std::uint32_t>(low - ran[i].begin);
            if (since > ran[i].end - ran[i].begin) continue;
            stops[lane] = ran[i].begin + since;
            break;
        }
    }
}

} // namespace blockloom::gpuvm
