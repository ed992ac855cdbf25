#include "wasm/opcodes.h"

namespace blockloom::wasm {

const char* name_of(Opcode opcode) noexcept {
    static constexpr const char* names[] = {
#define BLOCKLOOM_WASM_NAME(name, format) #name,
        BLOCKLOOM_WASM_OPCODES(BLOCKLOOM_WASM_NAME)
#undef BLOCKLOOM_WASM_NAME
    };
    return opcode < Opcode::count ? names[static_cast<std::uint16_t>(opcode)] : "?";
}

Format format_of(Opcode opcode) noexcept {
    static constexpr Format formats[] = {
#define BLOCKLOOM_WASM_FORMAT(name, format) Format::format,
        BLOCKLOOM_WASM_OPCODES(BLOCKLOOM_WASM_FORMAT)
#undef BLOCKLOOM_WASM_FORMAT
    };
    return opcode < Opcode::count ? formats[static_cast<std::uint16_t>(opcode)] : Format::none;
}

} // namespace blockloom::wasm
