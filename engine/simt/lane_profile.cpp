#include "simt/lane_profile.h"

#include "simt/kernel/layout.h"

namespace blockloom::simt {
namespace {

constexpr std::uint32_t magic = 0x504c'4c42, version = 1; // "BLLP"

} // namespace

void LaneProfile::add(const std::vector<bool>& more) {
    if (ran.size() < more.size()) ran.resize(more.size());
    for (std::size_t i = 0; i < more.size(); ++i)
        if (more[i]) ran[i] = true;
}

Bytes note_of(const LaneProfile& profile) {
    Bytes note;
    for (const std::uint32_t number :
         {magic, version, static_cast<std::uint32_t>(profile.pages.size())})
        append_le(note, number);
    for (const std::uint32_t page : profile.pages) append_le(note, page);
    append_le(note, static_cast<std::uint32_t>(profile.ran.size()));
    const std::size_t at = note.size();
    note.resize(at + (profile.ran.size() + 7) / 8);
    for (std::size_t i = 0; i < profile.ran.size(); ++i)
        if (profile.ran[i]) note[at + i / 8] |= static_cast<Byte>(1u << (i % 8));
    return note;
}

std::optional<LaneProfile> profile_in(ByteView note, std::uint64_t most_bytes,
                                      std::size_t instructions) {
    std::size_t at = 0;
    const auto next = [&]() -> std::uint64_t {
        if (note.size() - at < sizeof(std::uint32_t)) return ~std::uint64_t{0};
        at += sizeof(std::uint32_t);
        return read_le<std::uint32_t>(note.data() + at - sizeof(std::uint32_t));
    };
    if (next() != magic || next() != version) return std::nullopt;
    LaneProfile profile;
    for (std::uint64_t pages = next(); pages > 0; --pages) {
        const std::uint64_t page = next(); // none is left: beyond any memory
        if (page * LANE_PAGE >= most_bytes || page > 0xffff'ffff) return std::nullopt;
        profile.pages.insert(static_cast<std::uint32_t>(page));
    }
    if (next() != instructions || note.size() - at != (instructions + 7) / 8) return std::nullopt;
    profile.ran.resize(instructions);
    for (std::size_t i = 0; i < instructions; ++i)
        profile.ran[i] = (note[at + i / 8] >> (i % 8) & 1) != 0;
    return profile;
}

} // namespace blockloom::simt
