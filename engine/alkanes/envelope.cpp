#include "alkanes/envelope.h"

#include "alkanes/script.h"
#include "alkanes/witness.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace blockloom::alkanes {

namespace {

constexpr std::string_view protocol_id = "BIN";

bool is_protocol_id(const Instruction& instruction) noexcept {
    return instruction.push && std::equal(instruction.data.begin(), instruction.data.end(),
                                          protocol_id.begin(), protocol_id.end());
}

/// The pushes up to OP_ENDIF, without the first: the body tag, empty as a rule. Nothing where
/// another opcode or the script's end comes first.
std::optional<Bytes> read_payload(ScriptWalker& walker) {
    Bytes payload;
    bool tagged = false; // the body tag has been passed
    for (Instruction next; walker.next(next);) {
        if (!next.push && next.opcode == opcode::end_if) return payload;
        Byte number = 0;
        ByteView data = next.data;
        if (!next.push) {
            if (next.opcode == opcode::negative_1) {
                number = 0x81;
            } else if (next.opcode >= opcode::number_1 && next.opcode <= opcode::number_16) {
                number = static_cast<Byte>(next.opcode - opcode::number_1 + 1);
            } else {
                return std::nullopt;
            }
            data = {&number, 1};
        }
        if (tagged) payload.insert(payload.end(), data.begin(), data.end());
        tagged = true;
    }
    return std::nullopt;
}

/// Whether "BIN" stands anywhere. Byte by byte, because memchr is many times as fast as memmem.
bool may_hold_envelope(ByteView bytes) noexcept {
    while (bytes.size() >= protocol_id.size()) {
        const auto* const found = static_cast<const Byte*>(std::memchr(
            bytes.data(), protocol_id.front(), bytes.size() - (protocol_id.size() - 1)));
        if (found == nullptr) return false;
        if (std::memcmp(found, protocol_id.data(), protocol_id.size()) == 0) return true;
        bytes = bytes.subspan(static_cast<std::size_t>(found - bytes.data()) + 1);
    }
    return false;
}

} // namespace

std::vector<Envelope> envelopes_of_script(ByteView script, std::uint32_t input) {
    std::vector<Envelope> found;
    ScriptWalker walker(script);
    Instruction next;
    bool more = walker.next(next);
    while (more) {
        const bool empty_push = next.push && next.data.empty();
        more = walker.next(next);
        if (!empty_push || !more || next.push || next.opcode != opcode::if_) continue;
        more = walker.next(next);
        if (!more || !is_protocol_id(next)) continue;
        if (auto payload = read_payload(walker)) found.push_back({input, std::move(*payload)});
        more = walker.next(next);
    }
    if (walker.broken()) found.clear();
    return found;
}

std::vector<Envelope> find_envelopes(const chain::Block& block, const chain::Transaction& tx) {
    std::vector<Envelope> found;
    if (!may_hold_envelope(block.bytes.subspan(tx.witness, tx.witness_size))) return found;
    WitnessStacks stacks(block, tx);
    for (std::uint32_t input = 0; input < tx.input_count; ++input) {
        const ByteView script = tapscript(stacks.next());
        if (!may_hold_envelope(script)) continue;
        auto here = envelopes_of_script(script, input);
        std::move(here.begin(), here.end(), std::back_inserter(found));
    }
    return found;
}

Bytes envelope_script(ByteView payload) {
    Bytes script{opcode::push_0, opcode::if_};
    append_push(script, as_bytes(protocol_id));
    append_push(script, {}); // the body tag
    append_pushes(script, payload);
    // OP_TRUE, so that the script spends by itself.
    script.insert(script.end(), {opcode::end_if, opcode::number_1});
    return script;
}

std::vector<Bytes> envelope_witness(ByteView payload) {
    // Leaf version c0 and BIP341's point without a known key: a tree of this one leaf.
    static const Bytes control_block =
        *from_hex("c050929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0");
    return {envelope_script(payload), control_block};
}

} // namespace blockloom::alkanes
