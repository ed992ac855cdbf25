#include "wasm/host_functions.h"

#include <bit>

namespace blockloom::tests {

using wasm::Cell;
using wasm::ValueType;

const std::vector<HostSignature>& host_signatures() {
    using enum ValueType;
    static const std::vector<HostSignature> functions{{"h0", {{i32}, {i32}}},
                                                      {"h1", {{i64, f64}, {i64, i32}}},
                                                      {"h2", {{}, {}}},
                                                      {"h3", {{f32, i32}, {f32}}}};
    return functions;
}

HostReply host_reply(const HostSignature& function, std::span<const Cell> arguments) {
    auto mixed = static_cast<std::uint64_t>(function.name.back());
    for (const Cell argument : arguments)
        mixed = (mixed ^ argument) * 0x9e3779b97f4a7c15, mixed ^= mixed >> 29;
    HostReply reply;
    reply.refused = !arguments.empty() && mixed % 61 == 0;
    reply.fee = mixed % 23;
    for (const ValueType type : function.type.results) {
        mixed = mixed * 0xd1342543de82ef95 + 1;
        switch (type) {
        case ValueType::i32:
            reply.results.push_back(mixed >> 40);
            break;
        case ValueType::f32:
            reply.results.push_back(
                std::bit_cast<std::uint32_t>(static_cast<float>(mixed >> 50) / 8.0f));
            break;
        case ValueType::f64:
            reply.results.push_back(
                std::bit_cast<std::uint64_t>(static_cast<double>(mixed >> 50) / 8.0));
            break;
        default:
            reply.results.push_back(mixed);
        }
    }
    return reply;
}

} // namespace blockloom::tests
