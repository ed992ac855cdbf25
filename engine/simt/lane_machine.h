// Programs compiled to lane code, for a GPU by CUDA or for this machine's processor: the processor
// runs the GPU's kernel in a loop over lanes (docs/gpuvm.md#compiled-lanes).
#pragma once

#include "gpuvm/machine.h"

namespace blockloom::simt {

/// Runs every lane from its beginning to its end, or until a host call that neither a rule nor an
/// earlier answer of the host answers; after the host's answer it runs again from its beginning. A
/// lane that leaves is ejected. Results, fuel, steps, read logs and memory of the others are those
/// of the interpreter. With a provider of CUDA lanes run there once their program is compiled.
[[nodiscard]] std::unique_ptr<gpuvm::Machine> make_machine(compute::ProviderPtr provider,
                                                           const gpuvm::Options& options = {});

/// The machine for a device: this one for the backends "simt" and "cuda", the interpreter kernel
/// for others.
[[nodiscard]] Result<std::unique_ptr<gpuvm::Machine>>
machine_for(compute::ProviderPtr provider, const gpuvm::Options& options = {});

} // namespace blockloom::simt
