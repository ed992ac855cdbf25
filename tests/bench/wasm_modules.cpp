#include "wasm_modules.h"

#include "wasm/binary_reader.h"

namespace blockloom::bench {
namespace {

void put_unsigned(Bytes& to, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) to.push_back(static_cast<Byte>(value | 0x80));
    to.push_back(static_cast<Byte>(value));
}

} // namespace

Bytes enlarged(const wasm::Module& module, std::size_t bytes) {
    const ByteView all(*module.bytes);
    const std::size_t times =
        std::max<std::size_t>(1, (bytes + code_bytes(module) - 1) / code_bytes(module));
    Bytes result(all.begin(), all.begin() + 8);
    wasm::BinaryReader in(all, 8, static_cast<std::uint32_t>(all.size()));
    while (!in.done() && !in.failed()) {
        const Byte section = in.byte();
        const std::uint32_t size = in.u32();
        wasm::BinaryReader inside(all, in.at(), in.at() + size);
        const ByteView content = in.take(size);
        if (section == 0) continue;
        Bytes changed;
        if (section == 3 || section == 10) { // functions, code: vectors of as many items
            put_unsigned(changed, std::uint64_t{inside.u32()} * times);
            const ByteView items = inside.take(inside.left());
            for (std::size_t i = 0; i < times; ++i)
                changed.insert(changed.end(), items.begin(), items.end());
        } else {
            changed.assign(content.begin(), content.end());
        }
        result.push_back(section);
        put_unsigned(result, changed.size());
        result.insert(result.end(), changed.begin(), changed.end());
    }
    return result;
}

std::uint64_t code_bytes(const wasm::Module& module) {
    std::uint64_t bytes = 0;
    for (const wasm::Body& body : module.bodies) bytes += body.end - body.begin;
    return bytes;
}

} // namespace blockloom::bench
