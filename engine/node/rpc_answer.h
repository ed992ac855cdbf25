// What a server answers to a call of JSON-RPC, read from any bytes.
#pragma once

#include "base/json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace blockloom::node {

struct RpcAnswer {
    enum class Kind {
        result,    ///< `document`'s member "result", which may be null
        error,     ///< `code` and `message`
        malformed, ///< `message` says what is wrong: not an answer to this call
    };
    Kind kind = Kind::malformed;
    std::int64_t code = 0;
    std::string message;
    std::optional<JsonDocument> document;
};

/// Reads the answer to the call `id`. Numbers of any size and names that are not known are
/// accepted; an answer to another call, or without an id, is malformed. `place` names it in errors
/// of the document. The text may be at most `most_bytes` long.
[[nodiscard]] RpcAnswer read_rpc_answer(std::string_view text, std::uint64_t id,
                                        const std::string& place, std::size_t most_bytes);

} // namespace blockloom::node
