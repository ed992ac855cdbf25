#include "base/contain.h"

#include <fmt/format.h>

#include <new>
#include <stdexcept>

namespace blockloom {
namespace {

/// Short enough for a std::string to hold it without allocating.
constexpr const char* out_of_memory = "out of memory";

const char* words_of(const std::exception& thrown) noexcept {
    if (dynamic_cast<const std::bad_alloc*>(&thrown) != nullptr) return out_of_memory;
    // A container was asked to hold more than it can address.
    if (dynamic_cast<const std::length_error*>(&thrown) != nullptr) return out_of_memory;
    return thrown.what();
}

} // namespace

Error error_of(const std::exception& thrown, std::string_view doing) noexcept {
    try {
        return {ErrorCode::system, fmt::format("{}: {}", doing, words_of(thrown))};
    } catch (const std::exception&) {
        return {ErrorCode::system, out_of_memory};
    }
}

} // namespace blockloom
