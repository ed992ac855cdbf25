// A program as lane code for this machine's processor, and what its lanes' memory looks like.
#pragma once

#include "gpuvm/image.h"
#include "native/lanes/lane_code.h"
#include "simt/device_code.h"

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

/// Code for both reaches, with and without records, each compiled when it is first needed. Used by
/// any thread.
class ProgramCode {
public:
    explicit ProgramCode(const gpuvm::InstanceImage& image);

    /// Null: it cannot be compiled. `records`: it shows a device's code which blocks run, which
    /// makes it a little slower.
    [[nodiscard]] std::shared_ptr<const native::LaneCode> of(Reach reach, bool records);
    /// Code on a device; lanes on the host show what it needs first. `image`: that of the program.
    [[nodiscard]] std::shared_ptr<DeviceCode> on_device(const gpuvm::InstanceImage& image,
                                                        const compute::ProviderPtr& provider,
                                                        std::uint32_t function);
    /// Whether there is more than `declared`.
    [[nodiscard]] bool reaches_further() const noexcept { return further_; }
    /// Whether code for `image` is the same: it depends on the program, the memory's size and its
    /// limit, and the tables.
    [[nodiscard]] bool is_for(const gpuvm::InstanceImage& image) const;

private:
    gpuvm::InstanceImage image_; ///< without its bytes
    bool further_ = false;
    std::mutex mutex_;
    std::array<std::vector<native::AddressRange>, reaches> ranges_;
    struct Made {
        std::shared_ptr<const native::LaneCode> code;
        bool tried = false;
    };
    std::array<std::array<Made, 2>, reaches> made_; ///< by reach, and by whether it records
    std::shared_ptr<native::RanBlocks> ran_;        ///< of all functions that lanes ran
    std::vector<std::shared_ptr<DeviceCode>> device_;
};

/// The code for an image: what was compiled for a machine serves the next one of the process.
[[nodiscard]] std::shared_ptr<ProgramCode> code_for(const gpuvm::InstanceImage& image);

} // namespace blockloom::simt
