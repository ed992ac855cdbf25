// The host's answers to a lane's calls: a lane that runs again reads them in order.
#pragma once

#include "base/bytes.h"
#include "wasm/instance.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::simt {

/// An answer of the host to a call, with what it wrote.
struct TapeEntry {
    std::uint32_t import = 0;
    std::vector<wasm::Cell> results;
    std::uint64_t fee = 0;
    bool values = true;                      ///< false: from here on value rules yield
    bool calls = true;                       ///< false: from here on known calls yield
    std::uint32_t pages = 0;                 ///< new size in pages of 64 KiB; 0: unchanged
    std::vector<std::uint32_t> page_numbers; ///< small pages that it wrote
    std::vector<Byte> page_bytes;
    std::optional<std::string> bytes; ///< gpuvm::HostReply::bytes
};

using Tape = std::vector<TapeEntry>;

/// Bytes of the tape as the kernel reads it (LaneAnswer in kernel/layout.h): a multiple of 8.
[[nodiscard]] std::size_t tape_bytes(const Tape& tape);
/// Writes them; `to` has room for tape_bytes.
void write_tape(const Tape& tape, Byte* to);

} // namespace blockloom::simt
