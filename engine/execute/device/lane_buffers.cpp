#include "execute/device/lane_buffers.h"

#include <algorithm>
#include <cstring>

namespace blockloom::execute {
namespace {

constexpr std::uint64_t device_page = 1024; // gpuvm::PageRead

/// Bytes of a lane's memory.
struct Range {
    std::uint32_t lane = 0;
    std::uint64_t from = 0, bytes = 0;
};

Result<std::vector<std::string>> read_ranges(gpuvm::Batch& batch, std::span<const Range> ranges) {
    std::vector<gpuvm::PageRead> pages;
    for (const Range& range : ranges)
        for (std::uint64_t page = range.from / device_page;
             page * device_page < range.from + range.bytes; ++page)
            pages.push_back({range.lane, static_cast<std::uint32_t>(page)});
    std::vector<Byte> bytes(pages.size() * device_page);
    if (const Status read = batch.read_pages(pages, bytes); !read) return read.error();
    std::vector<std::string> texts;
    const Byte* at = bytes.data();
    for (const Range& range : ranges) {
        const std::uint64_t skip = range.from % device_page;
        texts.emplace_back(reinterpret_cast<const char*>(at) + skip, range.bytes);
        at += (skip + range.bytes + device_page - 1) / device_page * device_page;
    }
    return texts;
}

/// Where the first copy of a buffer ends: the page of its length, or the next if little is left.
std::uint64_t first_end(std::uint64_t from, std::uint64_t memory) {
    return std::min((from + device_page / 2) / device_page * device_page + device_page, memory);
}

} // namespace

Result<std::vector<Buffer>> read_buffers(gpuvm::Batch& batch, std::span<const BufferAt> wanted) {
    std::vector<Buffer> buffers(wanted.size());
    std::vector<Range> ranges;
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto& [lane, pointer, memory] = wanted[i];
        if (pointer < length_bytes || pointer > memory) continue;
        if (batch.read_kept(lane, pointer, buffers[i].bytes)) {
            buffers[i].state = Buffer::State::there;
            const auto length = static_cast<std::uint32_t>(buffers[i].bytes.size());
            buffers[i].bytes.insert(0, reinterpret_cast<const char*>(&length), length_bytes);
            continue;
        }
        const std::uint64_t from = pointer - length_bytes;
        ranges.push_back({lane, from, first_end(from, memory) - from});
        of.push_back(i);
    }
    auto first = read_ranges(batch, ranges);
    if (!first) return first.error();
    std::vector<Range> longer;
    std::vector<std::size_t> longer_of;
    for (std::size_t k = 0; k < ranges.size(); ++k) {
        const BufferAt& at = wanted[of[k]];
        Buffer& buffer = buffers[of[k]];
        std::uint32_t length = 0;
        std::memcpy(&length, (*first)[k].data(), sizeof length);
        const bool outside = std::uint64_t{at.pointer} + length > at.memory;
        buffer.state = outside                ? Buffer::State::outside
                       : length > most_buffer ? Buffer::State::too_long
                                              : Buffer::State::there;
        const bool there = buffer.state == Buffer::State::there;
        const std::uint64_t all = length_bytes + (there ? length : 0);
        buffer.bytes = (*first)[k].substr(0, all);
        if (all <= ranges[k].bytes) continue;
        longer.push_back({at.lane, ranges[k].from + ranges[k].bytes, all - ranges[k].bytes});
        longer_of.push_back(of[k]);
    }
    if (longer.empty()) return buffers;
    auto rest = read_ranges(batch, longer);
    if (!rest) return rest.error();
    for (std::size_t k = 0; k < longer.size(); ++k) buffers[longer_of[k]].bytes += (*rest)[k];
    return buffers;
}

} // namespace blockloom::execute
