// A program for devices, in the forms that the backends accept.
#pragma once

#include "base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::compute {

/// A 32-bit specialization constant (layout(constant_id = id)).
struct SpecConstant {
    std::uint32_t id = 0;
    std::uint32_t value = 0;
    friend bool operator==(const SpecConstant&, const SpecConstant&) = default;
};

/// The input of a kernel's host form: one workgroup of a dispatch.
struct HostGroup {
    std::array<std::uint32_t, 3> index{};          ///< gl_WorkGroupID
    std::array<std::uint32_t, 3> count{};          ///< gl_NumWorkGroups
    std::span<const std::span<std::byte>> buffers; ///< by binding
    std::span<const std::byte> push;
    std::span<const SpecConstant> constants;
};

/// Runs all invocations of one workgroup. Called from several threads at once.
using HostKernel = std::function<void(const HostGroup&)>;

/// A kernel as PTX, for CUDA. Its parameters: a 64-bit device address for each buffer binding, in
/// order, then each 4-byte word of `push` as a 32-bit parameter.
struct PtxForm {
    /// Makes the PTX; called only if no compiled code is kept.
    std::function<Result<std::string>()> text;
    std::string key;   ///< hexadecimal, determines the text: of the kept code; empty: not kept
    std::string entry; ///< name of the .entry
    std::uint32_t threads = 64;  ///< of one group
    std::uint32_t registers = 0; ///< the most of a thread; 0: the driver's choice
    std::uint32_t level = 4;     ///< of the driver's optimiser
};

/// A kernel as a caller provides it. `spirv` and `host` are equivalent; a backend uses the form it
/// can run and refuses a source that lacks it. The words of `spirv` are only read during the call.
struct KernelSource {
    std::string name;                     ///< used in messages
    std::span<const std::uint32_t> spirv; ///< entry point "main", storage buffers in set 0
    HostKernel host;
    std::optional<PtxForm> ptx{};
    std::uint32_t buffers = 0;    ///< storage buffers: bindings 0 … buffers - 1
    std::uint32_t push_bytes = 0; ///< a multiple of 4
    std::vector<SpecConstant> constants;
};

/// What compiling a kernel gave, as far as the backend says; 0: unknown.
struct KernelFacts {
    std::uint32_t registers = 0;   ///< of a thread
    std::uint32_t local_bytes = 0; ///< of a thread, in the device's memory
    std::int64_t took = 0;         ///< nanoseconds to compile or to load it
    bool kept = false;             ///< an earlier start has compiled it
};

/// A kernel compiled for one provider. Immutable; may be used by several lists at once.
class Kernel {
public:
    virtual ~Kernel() = default;
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] std::uint32_t buffers() const noexcept { return buffers_; }
    [[nodiscard]] std::uint32_t push_bytes() const noexcept { return push_bytes_; }
    [[nodiscard]] const void* owner() const noexcept { return owner_; }
    [[nodiscard]] const KernelFacts& facts() const noexcept { return facts_; }

protected:
    Kernel(const void* owner, const KernelSource& source)
        : owner_(owner), name_(source.name), buffers_(source.buffers),
          push_bytes_(source.push_bytes) {}

    const void* owner_;
    std::string name_;
    std::uint32_t buffers_, push_bytes_;
    KernelFacts facts_;
};

using KernelPtr = std::shared_ptr<Kernel>;

} // namespace blockloom::compute
