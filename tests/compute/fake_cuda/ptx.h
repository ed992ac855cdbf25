// The little of PTX that the fake driver reads, and the machine code that it makes of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::fake_cuda {

struct Entry {
    std::string name;
    std::vector<std::size_t> parameters; ///< bytes of each: 4 or 8
};

/// The kernels of a text; an error is a line as the compiler's log has it.
struct Ptx {
    std::vector<Entry> entries;
    std::string error;
};
[[nodiscard]] Ptx read_ptx(std::string_view text);

/// Machine code of a device with this major capability, ended by a zero byte.
[[nodiscard]] std::string image_of(const std::vector<Entry>& entries, int major);
struct Image {
    int major = 0;
    std::vector<Entry> entries;
};
/// Nothing: it is no machine code.
[[nodiscard]] std::optional<Image> read_image(const char* image);

} // namespace blockloom::fake_cuda
