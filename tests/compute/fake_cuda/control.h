// What a test says to the fake CUDA driver, besides the faults in its environment (faults.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace blockloom::fake_cuda {

/// A launch: the values of the kernel's parameters, and its groups.
struct Launch {
    std::vector<std::uint64_t> parameters;
    std::uint32_t groups[3] = {1, 1, 1};
};
/// What a kernel does; called on the thread of its stream.
using Body = std::function<void(const Launch&)>;

/// Objects of the driver that have not been given back.
struct Live {
    std::size_t contexts = 0, streams = 0, events = 0, modules = 0, links = 0, blocks = 0;
    friend bool operator==(const Live&, const Live&) = default;
};

class Control {
public:
    virtual ~Control() = default;
    /// What kernels with this name in their PTX do from now on; without a body they do nothing.
    virtual void kernel(const std::string& entry, Body body) = 0;
    /// Bytes from an address of the device to the end of its allocation; 0: not allocated.
    [[nodiscard]] virtual std::size_t bytes_from(std::uint64_t address) const = 0;
    /// Lets launches end that hang, also later ones, until a device is opened again.
    virtual void release() = 0;
    [[nodiscard]] virtual Live live() const = 0;
    /// Calls that break the rules of the driver's interface: without a current context, or with
    /// an object that was given back.
    [[nodiscard]] virtual std::vector<std::string> mistakes() const = 0;
};

} // namespace blockloom::fake_cuda

/// The only exported function that a driver does not have.
extern "C" blockloom::fake_cuda::Control* fake_cuda_control();
