// The ticks at which the waves of a submission began and ended.
#pragma once

#include <cstdint>
#include <span>

namespace blockloom::gpuvm {

/// Two ticks of a wave in a slice; both 0 if it did not run.
struct Ticks {
    std::uint64_t begin = 0, end = 0;
    [[nodiscard]] bool whole() const noexcept { return begin != 0 && end >= begin; }
};

/// The tick closest to `near` whose low 32 bits are `low`.
[[nodiscard]] constexpr std::uint64_t nearest_tick(std::uint32_t low, std::uint64_t near) noexcept {
    const auto distance = static_cast<std::int32_t>(low - static_cast<std::uint32_t>(near));
    return near + static_cast<std::uint64_t>(std::int64_t{distance});
}

/// Some drivers return only the low 32 bits of a shader clock (lavapipe of Mesa 22.3, whose clock
/// is the processor's: they overflow every second or two). Extends the ticks of one submission so
/// that they are comparable again; the first wave of all begins above 2^32, so their origin is
/// arbitrary. `ran`: by slice, then by wave; slices follow each other. `stops`: one per lane, 0 if
/// it did not stop; a stop is inside one of its wave's slices. No wave may run for 2^32 ticks, and
/// successive waves in `ran` begin less than 2^31 ticks apart.
void extend_ticks(std::span<Ticks> ran, std::span<std::uint64_t> stops, std::uint32_t waves,
                  std::uint32_t lanes_a_wave);

} // namespace blockloom::gpuvm
