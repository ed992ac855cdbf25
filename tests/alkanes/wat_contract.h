// Contracts of a few instructions, written as text and assembled by wabt's wat2wasm.
#pragma once

#include "base/bytes.h"

#include <optional>
#include <string>

namespace calls {

using namespace blockloom;

/// Whether wat2wasm is installed.
[[nodiscard]] bool can_assemble();

/// A module whose `__execute` is `body`, with every host function imported as $name without its
/// underscores (Blockloom's own ones only where `body` uses one) and one page of memory. Buffers
/// (pointer; u32 length before it):
///   `$text PTR "…"` is written by `buffer`; from 4096 on memory is free.
/// Functions: ($empty) gives an empty response; ($give p) one whose data is u32 length and bytes of
/// the buffer p; ($revert p) the same after abort; ($reply n) the n bytes from 2048 as they are.
/// Aborts the test program where the text is wrong.
[[nodiscard]] Bytes contract(const std::string& body, const std::string& more = {});

/// A data segment: `bytes` as a buffer at `pointer`.
[[nodiscard]] std::string buffer(std::uint32_t pointer, const std::string& bytes);

/// Imports of all host functions, as $name without underscores.
[[nodiscard]] std::string import_text();

/// Any module text.
[[nodiscard]] Bytes assemble(const std::string& text);

} // namespace calls
