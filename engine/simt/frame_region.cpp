#include "simt/frame_region.h"

#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace blockloom::simt {

FrameRegion::~FrameRegion() {
    if (data_ != nullptr) ::munmap(data_, bytes_);
}

FrameRegion::FrameRegion(FrameRegion&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)),
      stride_(std::exchange(other.stride_, 0)) {}

FrameRegion& FrameRegion::operator=(FrameRegion&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(stride_, other.stride_);
    return *this;
}

Status FrameRegion::reserve(std::size_t count, std::size_t bytes) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t stride = (bytes + page - 1) / page * page;
    *this = FrameRegion();
    const std::size_t all = count * stride;
    if (all == 0) return {};
    void* const got = ::mmap(nullptr, all, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED)
        return Error{ErrorCode::system, fmt::format("compiled lanes: {} frames of {} bytes: {}",
                                                    count, stride, std::strerror(errno))};
    data_ = static_cast<Byte*>(got);
    bytes_ = all;
    stride_ = stride;
    return {};
}

std::span<Byte> FrameRegion::frame(std::size_t number) const noexcept {
    return {data_ + number * stride_, stride_};
}

void FrameRegion::clear(std::size_t number) const noexcept {
    const std::span<Byte> all = frame(number);
    // Pages that were never written stay away.
    if (all.size() <= (std::size_t{16} << 10) ||
        ::madvise(all.data(), all.size(), MADV_DONTNEED) != 0)
        std::memset(all.data(), 0, all.size());
}

} // namespace blockloom::simt
