// The same messages on the processor, with recorded answers.
#pragma once

#include "base/clock.h"
#include "gpuvm_mint.h"

#include <functional>

namespace blockloom::bench {

/// Runs one message from a clean instance: gives the nanoseconds that the contract took (no reset),
/// and its response.
using MintRunner = std::function<Nanoseconds(const MintMessage&, std::string& response)>;

/// Machine code of the native engine, metered; also fills fuel and steps where they are 0.
[[nodiscard]] std::function<MintRunner()> native_mint(const Mint& mint);
/// One run on the interpreter: fuel, steps and response of a message, as expected of every engine.
void interpret_mint(const Mint& mint, MintMessage& message);
/// wasm2c and gcc -O2, not metered.
#ifdef BLOCKLOOM_HAVE_WASM2C
[[nodiscard]] std::function<MintRunner()> wasm2c_mint();
#endif
#ifdef BLOCKLOOM_HAVE_WASM2C_RUST
[[nodiscard]] std::function<MintRunner()> wasm2c_rust();
#endif

/// Average nanoseconds a message, effective: `threads` runners at once over all messages, `rounds`
/// times.
[[nodiscard]] double time_mint(const std::function<MintRunner()>& maker, const Mint& mint,
                               unsigned threads, unsigned rounds);

} // namespace blockloom::bench
