#include "alkanes/envelope.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

namespace blockloom::alkanes {

namespace {

constexpr int gzip_only = 15 + 16; ///< windowBits: largest window, gzip header
constexpr std::size_t first_room = std::size_t{64} * 1024;

/// zlib's state with its end.
class Stream {
public:
    using End = int (*)(z_stream*);
    explicit Stream(End end) noexcept : end_(end) {}
    ~Stream() { end_(&state); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    /// zlib's input is not const, but it does not write to it.
    void read_from(ByteView bytes) noexcept {
        state.next_in = const_cast<Bytef*>(bytes.data());
        state.avail_in = static_cast<uInt>(bytes.size());
    }
    void write_to(Bytes& bytes) noexcept {
        state.next_out = bytes.data() + state.total_out;
        state.avail_out = static_cast<uInt>(bytes.size() - state.total_out);
    }

    z_stream state{};

private:
    End end_;
};

} // namespace

Result<Bytes> inflate_code(ByteView stored, const std::string& place, std::size_t most) {
    if (stored.size() > std::numeric_limits<uInt>::max())
        return input_error(place, 0, "gzip of less than 4 GB",
                           fmt::format("{} bytes", stored.size()));
    Stream stream(inflateEnd);
    if (inflateInit2(&stream.state, gzip_only) != Z_OK)
        return Error{ErrorCode::system, place + ": zlib initialisation failed"};
    stream.read_from(stored);
    Bytes code;
    for (;;) {
        // One byte of room more than allowed tells a bomb from what just fits.
        if (code.size() == stream.state.total_out)
            code.resize(std::min(std::max(first_room, 2 * code.size()), most + 1));
        stream.write_to(code);
        const int answer = inflate(&stream.state, Z_NO_FLUSH);
        const std::size_t filled = stream.state.total_out;
        if (filled > most)
            return input_error(place, stream.state.total_in,
                               fmt::format("gzip that inflates to at most {} bytes", most), "more");
        if (answer == Z_STREAM_END) {
            code.resize(filled);
            return code;
        }
        if (answer == Z_MEM_ERROR) return Error{ErrorCode::system, place + ": out of memory"};
        const bool room = filled < code.size();
        if ((answer != Z_OK && answer != Z_BUF_ERROR) || (room && stream.state.avail_in == 0))
            return input_error(place, stream.state.total_in, "gzip data",
                               answer == Z_OK || answer == Z_BUF_ERROR ? "the end inside it"
                               : stream.state.msg != nullptr           ? stream.state.msg
                                                                       : zError(answer));
    }
}

Result<GzipContent> look_through(ByteView stored, const std::string& place, std::uint64_t most) {
    if (stored.size() > std::numeric_limits<uInt>::max())
        return input_error(place, 0, "gzip of less than 4 GB",
                           fmt::format("{} bytes", stored.size()));
    Stream stream(inflateEnd);
    if (inflateInit2(&stream.state, gzip_only) != Z_OK)
        return Error{ErrorCode::system, place + ": zlib initialisation failed"};
    stream.read_from(stored);
    GzipContent content;
    Bytes room(first_room);
    for (;;) {
        stream.state.next_out = room.data();
        stream.state.avail_out = static_cast<uInt>(room.size());
        const int answer = inflate(&stream.state, Z_NO_FLUSH);
        const std::size_t filled = room.size() - stream.state.avail_out;
        for (std::size_t i = 0; i < filled && content.size + i < content.head.size(); ++i)
            content.head[content.size + i] = room[i];
        content.size += filled;
        content.whole = answer == Z_STREAM_END;
        if (content.whole || content.size > most) return content;
        if (answer != Z_OK)
            return input_error(place, stream.state.total_in, "gzip data",
                               answer == Z_BUF_ERROR         ? "the end inside it"
                               : stream.state.msg != nullptr ? stream.state.msg
                                                             : zError(answer));
    }
}

Result<Bytes> deflate_code(ByteView code) {
    const std::string place = "contract code";
    if (code.size() > std::numeric_limits<uInt>::max())
        return input_error(place, 0, "less than 4 GB", fmt::format("{} bytes", code.size()));
    Stream stream(deflateEnd);
    constexpr int memory_level = 8;
    if (deflateInit2(&stream.state, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_only, memory_level,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return Error{ErrorCode::system, place + ": zlib initialisation failed"};
    stream.read_from(code);
    Bytes stored(deflateBound(&stream.state, static_cast<uLong>(code.size())));
    stream.write_to(stored);
    const int answer = deflate(&stream.state, Z_FINISH);
    if (answer != Z_STREAM_END)
        return Error{ErrorCode::system, fmt::format("{}: {}", place, zError(answer))};
    stored.resize(stream.state.total_out);
    return stored;
}

} // namespace blockloom::alkanes
