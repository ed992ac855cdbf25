#include "range/check_sink.h"

#include "range/stored_value.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::range {
namespace {

/// Bytes of a difference that are shown.
constexpr std::size_t most_shown = 32;

std::string piece(std::string_view bytes, std::size_t from) {
    if (from >= bytes.size()) return fmt::format("ends after {} bytes", bytes.size());
    const std::string_view shown = bytes.substr(from, most_shown);
    return fmt::format("0x{}{} from byte {} of {}", to_hex(as_bytes(shown)),
                       from + shown.size() < bytes.size() ? "…" : "", from, bytes.size());
}

} // namespace

std::pair<std::string, std::string> different_bytes(std::string_view node,
                                                    std::string_view replay) {
    std::pair texts(bytes_text(node), bytes_text(replay));
    if (texts.first != texts.second && node.size() <= 2 * most_shown &&
        replay.size() <= 2 * most_shown)
        return texts;
    const auto at = static_cast<std::size_t>(
        std::mismatch(node.begin(), node.end(), replay.begin(), replay.end()).first - node.begin());
    return {piece(node, at), piece(replay, at)};
}

} // namespace blockloom::range
