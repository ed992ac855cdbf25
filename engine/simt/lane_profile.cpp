#include "simt/lane_profile.h"

#include "simt/kernel/layout.h"

#include <algorithm>

namespace blockloom::simt {
namespace {

constexpr std::uint32_t magic = 0x504c'4c42, version = 3; // "BLLP"

} // namespace

Bytes note_of(const LaneProfile& profile) {
    Bytes note;
    for (const std::uint32_t number : {magic, version, profile.needs_all_data ? 1U : 0U})
        append_le(note, number);
    append_le(note, profile.ran.pages_copied);
    append_le(note, static_cast<std::uint32_t>(profile.pages.size()));
    for (const std::uint32_t page : profile.pages) append_le(note, page);
    const native::RanCode& ran = profile.ran;
    const auto count = [&note](std::size_t number) {
        append_le(note, static_cast<std::uint32_t>(number));
    };
    count(ran.blocks.size());
    const std::size_t at = note.size();
    note.resize(at + (ran.blocks.size() + 7) / 8);
    for (std::size_t i = 0; i < ran.blocks.size(); ++i)
        if (ran.blocks[i]) note[at + i / 8] |= static_cast<Byte>(1u << (i % 8));
    count(ran.pages.size() - static_cast<std::size_t>(std::ranges::count(ran.pages, 0u)));
    for (std::size_t i = 0; i < ran.pages.size(); ++i)
        if (ran.pages[i] != 0) count(i), append_le(note, ran.pages[i]);
    count(ran.rounds.size() - static_cast<std::size_t>(std::ranges::count(ran.rounds, 0)));
    for (std::size_t i = 0; i < ran.rounds.size(); ++i)
        if (ran.rounds[i] != 0) count(i), count(ran.rounds[i]);
    return note;
}

std::optional<LaneProfile> profile_in(ByteView note, std::uint64_t most_bytes,
                                      const wasm::Program& program) {
    std::size_t at = 0;
    const auto next = [&]() -> std::uint64_t {
        if (note.size() - at < sizeof(std::uint32_t)) return ~std::uint64_t{0};
        at += sizeof(std::uint32_t);
        return read_le<std::uint32_t>(note.data() + at - sizeof(std::uint32_t));
    };
    if (next() != magic || next() != version) return std::nullopt;
    LaneProfile profile;
    const std::uint64_t needs_all_data = next(), low_pages = next(), high_pages = next();
    if (needs_all_data > 1 || high_pages > 0xffff'ffff) return std::nullopt;
    profile.needs_all_data = needs_all_data != 0;
    profile.ran.pages_copied = low_pages | high_pages << 32;
    for (std::uint64_t pages = next(); pages > 0; --pages) {
        const std::uint64_t page = next(); // none is left: beyond any memory
        if (page * LANE_PAGE >= most_bytes || page > 0xffff'ffff) return std::nullopt;
        profile.pages.insert(static_cast<std::uint32_t>(page));
    }
    native::RanCode& ran = profile.ran;
    const std::size_t instructions = program.code.size();
    if (next() != instructions || note.size() - at < (instructions + 7) / 8) return std::nullopt;
    ran.blocks.resize(instructions);
    for (std::size_t i = 0; i < instructions; ++i)
        ran.blocks[i] = (note[at + i / 8] >> (i % 8) & 1) != 0;
    at += (instructions + 7) / 8;
    ran.pages.resize(instructions);
    for (std::uint64_t left = next(); left > 0; --left) {
        const std::uint64_t which = next(), low = next(), high = next();
        if (which >= instructions || high > 0xffff'ffff) return std::nullopt;
        ran.pages[which] = low | high << 32;
    }
    ran.rounds.resize(program.functions.size());
    for (std::uint64_t left = next(); left > 0; --left) {
        const std::uint64_t which = next(), rounds = next();
        if (which >= ran.rounds.size() || rounds > 0xff) return std::nullopt;
        ran.rounds[which] = static_cast<std::uint8_t>(rounds);
    }
    if (at != note.size()) return std::nullopt;
    return profile;
}

} // namespace blockloom::simt
