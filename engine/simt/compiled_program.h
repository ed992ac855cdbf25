// A program as lane code for this machine, and the state that its lanes start with.
#pragma once

#include "gpuvm/host_rule.h"
#include "gpuvm/image.h"
#include "native/lanes/lane_code.h"

#include <array>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace blockloom::simt {

/// How much of its memory a lane has: what its module declares and a little growth, as most
/// contracts need; or all of it, for those that leave there.
enum class Reach : std::uint8_t { declared, whole };
inline constexpr std::size_t reaches = 2;

/// Code for both reaches, each compiled when it is first needed. Used by any thread.
class ProgramCode {
public:
    explicit ProgramCode(const gpuvm::InstanceImage& image);

    /// Null: it cannot be compiled, and `why` says so.
    [[nodiscard]] const native::LaneCode* of(Reach reach);
    [[nodiscard]] std::string why();
    /// Bytes of a lane's frame, whatever its reach.
    [[nodiscard]] std::size_t frame_bytes() const noexcept { return frame_bytes_; }
    /// Whether there is more than `declared`.
    [[nodiscard]] bool reaches_further() const noexcept { return further_; }
    /// Whether code for `image` is the same: it depends on the program, the memory's size and its
    /// limit, and the tables.
    [[nodiscard]] bool is_for(const gpuvm::InstanceImage& image) const;

private:
    gpuvm::InstanceImage image_; ///< without its bytes
    std::size_t frame_bytes_ = 0;
    bool further_ = false;
    std::mutex mutex_;
    std::array<std::vector<native::AddressRange>, reaches> ranges_;
    std::array<std::shared_ptr<const native::LaneCode>, reaches> code_;
    std::array<bool, reaches> tried_{};
    std::string why_;
};

/// Immutable once made; used by any thread.
class CompiledProgram {
public:
    CompiledProgram(gpuvm::InstanceImage image, std::span<const gpuvm::HostRule> rules,
                    std::shared_ptr<ProgramCode> code);

    [[nodiscard]] const gpuvm::InstanceImage& image() const noexcept { return image_; }
    [[nodiscard]] const wasm::Program& program() const noexcept { return *image_.program; }
    [[nodiscard]] const std::shared_ptr<ProgramCode>& code() const noexcept { return code_; }
    /// Yields where none was given, or where it does not suit the import's type.
    [[nodiscard]] const gpuvm::HostRule& rule(std::uint32_t import) const noexcept;

    /// Globals and memory of the start, in a frame that is zero.
    void fill(const native::LanePlan& plan, std::span<Byte> frame) const;
    /// The bytes of a small page at the start; empty: zero.
    [[nodiscard]] ByteView page(std::uint32_t number) const;

private:
    gpuvm::InstanceImage image_;
    std::vector<gpuvm::HostRule> rules_;
    std::shared_ptr<ProgramCode> code_;
};

} // namespace blockloom::simt
