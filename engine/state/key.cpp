#include "state/key.h"

#define XXH_INLINE_ALL // short keys: a call would cost as much as the hash
#include <xxhash.h>

namespace blockloom::state {

std::uint64_t hash_of_key(std::string_view bytes) noexcept {
    return XXH3_64bits(bytes.data(), bytes.size());
}

} // namespace blockloom::state
