#include "execute/version_index.h"

#include <algorithm>
#include <bit>

namespace blockloom::execute {
namespace {

constexpr std::size_t most_parts = 256;

std::size_t count_writes(const Offer& offer) {
    return offer.result.log.writes.size();
}

} // namespace

void VersionIndex::build(std::span<const std::unique_ptr<Offer>> offers, WorkerPool& pool,
                         const std::function<void()>& beside) {
    // The writes are the last probes of an offer.
    const auto writes_of = [&](std::size_t i) {
        return offers[i] == nullptr ? std::span<const Probe>()
                                    : std::span(offers[i]->probes).last(count_writes(*offers[i]));
    };
    const std::size_t pieces = std::min<std::size_t>(offers.size(), pool.workers() * 4ULL);
    const auto first_of = [&](std::size_t piece) { return offers.size() * piece / pieces; };
    parts_.assign(most_parts + 1, Part());
    places_.assign(pieces * most_parts, 0);
    // Where each piece's writes of each part go: counted, then summed part by part, so that a part
    // has its writes in block order.
    pool.each(pieces + 1, 1, [&](unsigned, std::size_t begin, std::size_t) {
        if (begin == 0) {
            if (beside) beside();
            return;
        }
        std::size_t* const places = &places_[(begin - 1) * most_parts];
        for (std::size_t i = first_of(begin - 1); i < first_of(begin); ++i)
            for (const Probe& write : writes_of(i)) ++places[part_of(write.hash)];
    });
    std::size_t entries = 0, slots = 0;
    for (std::size_t part = 0; part < most_parts; ++part) {
        parts_[part].entries = entries;
        for (std::size_t piece = 0; piece < pieces; ++piece) {
            std::size_t& place = places_[piece * most_parts + part];
            entries += std::exchange(place, entries);
        }
        const std::size_t own = entries - parts_[part].entries;
        const std::size_t size = own == 0 ? 1 : std::bit_ceil(2 * own);
        parts_[part].slots = slots;
        parts_[part].mask = size - 1;
        slots += size;
    }
    parts_.back() = {entries, slots, 0};
    entries_.resize(std::max(entries_.size(), entries));
    versions_.resize(std::max(versions_.size(), entries));
    slots_.resize(std::max(slots_.size(), slots));

    pool.each(pieces, 1, [&](unsigned, std::size_t piece, std::size_t) {
        std::size_t* const places = &places_[piece * most_parts];
        for (std::size_t i = first_of(piece); i < first_of(piece + 1); ++i)
            for (const Probe& write : writes_of(i)) {
                const auto& [key, value] = offers[i]->result.log.writes[write.place];
                entries_[places[part_of(write.hash)]++] = {write.hash, &key, &value,
                                                           static_cast<std::uint32_t>(i), 0};
            }
    });
    const std::size_t grain = entries < few_writes ? most_parts : 4;
    pool.each(most_parts, grain, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t part = begin; part < end; ++part) group(part);
    });
}

void VersionIndex::group(std::size_t number) {
    const Part& part = parts_[number];
    const std::size_t end = parts_[number + 1].entries;
    Slot* const slots = &slots_[part.slots];
    std::fill(slots, slots + part.mask + 1, Slot());
    for (std::size_t i = part.entries; i < end; ++i) {
        Entry& entry = entries_[i];
        std::uint64_t at = entry.hash & part.mask;
        while (slots[at].key != nullptr &&
               !(slots[at].hash == entry.hash && *slots[at].key == *entry.key))
            at = (at + 1) & part.mask;
        Slot& slot = slots[at];
        if (slot.key == nullptr) slot = {entry.hash, entry.key, 0, 0, 0, entry.task};
        ++slot.count;
        entry.slot = static_cast<std::uint32_t>(at);
    }
    auto next = static_cast<std::uint32_t>(part.entries);
    for (std::size_t i = part.entries; i < end; ++i) {
        const Entry& entry = entries_[i];
        Slot& slot = slots[entry.slot];
        if (slot.filled == 0) {
            slot.first = next;
            next += slot.count;
        }
        versions_[slot.first + slot.filled++] = {entry.task, entry.value};
    }
}

const state::Value* VersionIndex::latest_of(const Slot& slot, std::uint32_t task) const noexcept {
    const Version* const first = &versions_[slot.first];
    const Version* const above = std::lower_bound(
        first, first + slot.count, task,
        [](const Version& version, std::uint32_t below) { return version.task < below; });
    return above == first ? nullptr : (above - 1)->value;
}

} // namespace blockloom::execute
