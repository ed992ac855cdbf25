#include "simt/lane_tape.h"

#include "gpuvm/image.h"
#include "simt/kernel/layout.h"

#include <cstring>

namespace blockloom::simt {
namespace {

constexpr std::size_t to_words(std::size_t bytes) {
    return (bytes + 7) / 8 * 8;
}

std::size_t entry_bytes(const TapeEntry& entry) {
    return sizeof(LaneAnswer) + entry.results.size() * sizeof(wasm::Cell) +
           to_words(entry.page_numbers.size() * sizeof(std::uint32_t)) + entry.page_bytes.size() +
           (entry.bytes ? to_words(entry.bytes->size()) : 0);
}

} // namespace

std::size_t tape_bytes(const Tape& tape) {
    std::size_t bytes = 0;
    for (const TapeEntry& entry : tape) bytes += entry_bytes(entry);
    return bytes;
}

void write_tape(const Tape& tape, Byte* to) {
    const auto put = [&to](const void* bytes, std::size_t size) {
        if (size != 0) std::memcpy(to, bytes, size);
        to += to_words(size);
    };
    for (const TapeEntry& entry : tape) {
        LaneAnswer answer{};
        answer.fee = entry.fee;
        answer.import = entry.import;
        answer.results = static_cast<u32>(entry.results.size());
        answer.memory_pages = entry.pages;
        answer.flags = (entry.values ? static_cast<u32>(LANE_FLAG_VALUES) : 0) |
                       (entry.calls ? static_cast<u32>(LANE_FLAG_CALLS) : 0);
        answer.pages = static_cast<u32>(entry.page_numbers.size());
        answer.gives = entry.bytes ? 1 : 0;
        answer.given_bytes = entry.bytes ? static_cast<u32>(entry.bytes->size()) : 0;
        answer.size = static_cast<u32>(entry_bytes(entry));
        put(&answer, sizeof answer);
        put(entry.results.data(), entry.results.size() * sizeof(wasm::Cell));
        put(entry.page_numbers.data(), entry.page_numbers.size() * sizeof(std::uint32_t));
        put(entry.page_bytes.data(), entry.page_bytes.size());
        if (entry.bytes) put(entry.bytes->data(), entry.bytes->size());
    }
}

} // namespace blockloom::simt
