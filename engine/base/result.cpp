#include "base/result.h"

#include <fmt/format.h>

namespace blockloom {

Error input_error(const std::string& place, std::uint64_t offset, const std::string& expected,
                  const std::string& found) {
    return {ErrorCode::bad_input,
            fmt::format("{}: offset {}: expected {}, found {}", place, offset, expected, found)};
}

} // namespace blockloom
