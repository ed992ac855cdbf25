#include "base/sha256.h"
#include "chain/block_head.h"
#include "chain/container.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::chain {

namespace {

constexpr std::size_t record_head = 8; // magic and length
constexpr std::size_t scan_piece = 4096;

/// mainnet, testnet3, testnet4, signet, regtest, as they lie in the file.
constexpr std::array<std::array<Byte, 4>, 5> magics{{{0xf9, 0xbe, 0xb4, 0xd9},
                                                     {0x0b, 0x11, 0x09, 0x07},
                                                     {0x1c, 0x16, 0x3f, 0x28},
                                                     {0x0a, 0x03, 0xcf, 0x40},
                                                     {0xfa, 0xbf, 0xb5, 0xda}}};

class RecordScan {
public:
    RecordScan(std::shared_ptr<const BlockFile> file, StoredBytes& stored)
        : file_(std::move(file)), stored_(stored) {}

    [[nodiscard]] bool record_at(std::uint64_t at) {
        if (at + record_head > stored_.size()) return false;
        const std::array<Byte, 4> found = plain<4>(at);
        return std::find(magics.begin(), magics.end(), found) != magics.end();
    }

    [[nodiscard]] Finding run() {
        std::uint64_t at = 0;
        while (at < stored_.size() && !stored_.failure()) {
            if (record_at(at)) {
                at = take_record(at);
                continue;
            }
            const std::uint64_t next = after_zeros(at);
            if (stored_.failure()) break;
            if (next > at) {
                at = next;
                continue;
            }
            report(at, "a record's magic or zeros to the end",
                   fmt::format("{}", to_hex(plain<4>(at))));
            at = next_plausible(at + 1);
        }
        return std::move(finding_);
    }

private:
    template <std::size_t size> [[nodiscard]] std::array<Byte, size> plain(std::uint64_t at) {
        std::array<Byte, size> bytes{};
        file_->key().apply(stored_.at(at, size), at, bytes.data());
        return bytes;
    }

    [[nodiscard]] std::uint32_t length_at(std::uint64_t at) {
        return read_le<std::uint32_t>(plain<record_head>(at).data() + 4);
    }

    [[nodiscard]] bool fits(std::uint64_t at) {
        return length_at(at) <= stored_.size() - at - record_head;
    }

    /// Takes the record at `at`; returns where to continue.
    std::uint64_t take_record(std::uint64_t at) {
        const std::uint32_t length = length_at(at);
        const std::uint64_t begin = at + record_head;
        if (!fits(at) || length <= header_size) {
            report(
                at + 4,
                fmt::format("a record's length, {} to {}", header_size + 1, stored_.size() - begin),
                fmt::format("{}", length));
            return next_plausible(at + 1);
        }
        const std::array<Byte, head_size> head = plain<head_size>(begin);
        const ByteView beginning = ByteView(head).first(std::min<std::size_t>(length, head_size));
        BlockRef ref;
        ref.file = file_;
        ref.offset = begin;
        ref.size = length;
        ref.container = Container::record;
        if (const auto known = read_block_head(beginning)) {
            ref.header = known->header;
            ref.hash = known->hash;
            ref.height = known->height;
        } else { // decoding it will say what is wrong
            ref.header = parse_header(beginning);
            ref.hash = hasher_.twice({beginning.first(header_size)});
        }
        finding_.blocks.push_back(std::move(ref));
        return begin + length;
    }

    /// Where the zeros at `at` end: a record, or the end of the file. Core allocates files ahead
    /// with zeros that it does not obfuscate; a tool that writes through the key obfuscates them.
    /// `at` itself if there are none.
    [[nodiscard]] std::uint64_t after_zeros(std::uint64_t at) {
        const std::uint64_t raw_end = after_stored_zeros(at);
        const std::uint64_t plain_end = file_->key().is_zero() ? at : after_plain_zeros(at);
        const std::uint64_t end = std::max(raw_end, plain_end);
        if (end == stored_.size()) return end;
        // An obfuscated magic may itself begin with zeros.
        for (std::size_t back = 0; back < 4 && back < end - at; ++back)
            if (record_at(end - back)) return end - back;
        return at;
    }

    [[nodiscard]] std::uint64_t after_stored_zeros(std::uint64_t at) {
        while (at < stored_.size()) {
            const ByteView piece = stored_.at(at, scan_piece);
            const auto other =
                std::find_if(piece.begin(), piece.end(), [](Byte byte) { return byte != 0; });
            if (other != piece.end() || piece.empty())
                return at + static_cast<std::uint64_t>(other - piece.begin());
            at = std::max(at + piece.size(), stored_.next_stored(at + piece.size()));
        }
        return stored_.size();
    }

    [[nodiscard]] std::uint64_t after_plain_zeros(std::uint64_t at) {
        for (; at < stored_.size() && !stored_.failure(); at += record_head) {
            const auto bytes = plain<record_head>(at);
            for (std::size_t i = 0; i < bytes.size(); ++i)
                if (bytes[i] != 0) return std::min(at + i, stored_.size());
        }
        return stored_.size();
    }

    /// The next record that fits and whose block looks like one, or the end.
    [[nodiscard]] std::uint64_t next_plausible(std::uint64_t at) {
        for (; at + record_head < stored_.size() && !stored_.failure(); ++at) {
            if (!record_at(at) || !fits(at)) continue;
            const auto head = plain<head_size>(at + record_head);
            if (read_block_head(head)) return at;
        }
        return stored_.size();
    }

    void report(std::uint64_t at, const std::string& expected, const std::string& found) {
        finding_.malformed.push_back({fmt::format("{}, record at {}", file_->name(), at),
                                      input_error(file_->name(), at, expected, found)});
    }

    std::shared_ptr<const BlockFile> file_;
    StoredBytes& stored_;
    Finding finding_;
    Sha256 hasher_;
};

} // namespace

std::optional<Finding> find_records(const std::shared_ptr<const BlockFile>& file,
                                    StoredBytes& stored) {
    RecordScan scan(file, stored);
    if (!scan.record_at(0)) return std::nullopt;
    return scan.run();
}

} // namespace blockloom::chain
