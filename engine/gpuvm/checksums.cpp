#include "gpuvm/checksums.h"

#include "compute/errors.h"
#include "gpuvm/codes.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::gpuvm {

std::uint32_t checksum_count(std::uint64_t words) noexcept {
    return static_cast<std::uint32_t>((words + GPUVM_SUM_WORDS - 1) / GPUVM_SUM_WORDS);
}

Status verify_checksums(std::span<const std::uint32_t> words,
                        std::span<const std::uint32_t> checksums, std::size_t begin) {
    for (std::uint32_t block = 0; block < checksums.size(); ++block) {
        const std::uint32_t first = block * GPUVM_SUM_WORDS;
        const std::uint32_t found = checksum(
            words.subspan(first, std::min<std::size_t>(words.size() - first, GPUVM_SUM_WORDS)),
            static_cast<std::uint32_t>(begin) + first);
        if (found != checksums[block])
            return Error{compute::corrupted,
                         fmt::format("gpuvm: the words from {} on were damaged during the "
                                     "download: expected checksum {:08x}, found {:08x}",
                                     begin + first, checksums[block], found)};
    }
    return {};
}

} // namespace blockloom::gpuvm
