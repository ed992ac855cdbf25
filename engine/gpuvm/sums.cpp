#include "gpuvm/sums.h"

#include "compute/errors.h"
#include "gpuvm/codes.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::gpuvm {

std::uint32_t sums_of(std::uint64_t words) noexcept {
    return static_cast<std::uint32_t>((words + GPUVM_SUM_WORDS - 1) / GPUVM_SUM_WORDS);
}

Status check_sums(std::span<const std::uint32_t> words, std::span<const std::uint32_t> sums,
                  std::size_t begin) {
    for (std::uint32_t block = 0; block < sums.size(); ++block) {
        const std::uint32_t first = block * GPUVM_SUM_WORDS;
        const std::uint32_t found = sum_of(
            words.subspan(first, std::min<std::size_t>(words.size() - first, GPUVM_SUM_WORDS)),
            static_cast<std::uint32_t>(begin) + first);
        if (found != sums[block])
            return Error{compute::corrupted,
                         fmt::format("gpuvm: the words from {} on were damaged during the "
                                     "download: expected checksum {:08x}, found {:08x}",
                                     begin + first, sums[block], found)};
    }
    return {};
}

} // namespace blockloom::gpuvm
