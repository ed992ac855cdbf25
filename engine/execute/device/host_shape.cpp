#include "execute/device/host_shape.h"

#include "alkanes/message_run.h"

namespace blockloom::execute {

std::optional<HostShape> shape_of(std::string_view import, const alkanes::Frame& frame) {
    constexpr std::uint64_t wide = 16; // of a number
    const alkanes::Surroundings& around = frame.run.surroundings();
    if (import == "__call" || import == "__delegatecall" || import == "__staticcall")
        return HostShape{7, -1, 0};
    if (import == "__request_storage" || import == "__log" || import == "__record_get" ||
        import == "__record_put")
        return HostShape{1, -1, 0};
    if (import == "__balance") return HostShape{3, 2, wide};
    if (import == "__sequence") return HostShape{0, 0, wide};
    if (import == "__returndatacopy") return HostShape{0, 0, frame.returndata.size()};
    if (import == "__load_block") return HostShape{0, 0, around.block.size()};
    if (import == "abort" || import == "__request_block" || import == "__is_dry_run")
        return HostShape{};
    return std::nullopt; // __load_storage, and what the device answers unless something is wrong
}

} // namespace blockloom::execute
