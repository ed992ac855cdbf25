// Random runestones, protostones and cellpacks that their encoders keep exactly. Drawn from any
// source of numbers: a seeded generator in tests, the input's bytes in fuzz targets.
#pragma once

#include "alkanes/cellpack.h"
#include "alkanes/protostone.h"
#include "alkanes/runestone.h"

#include <algorithm>
#include <vector>

namespace stones {

using namespace blockloom;

/// Numbers from bytes, two at a time; zeros once they are used up.
class ByteDraw {
public:
    explicit ByteDraw(ByteView bytes) : left_(bytes) {}

    std::uint64_t operator()() {
        if (left_.size() < 2) return 0;
        const auto number = read_le<std::uint16_t>(left_.data());
        left_ = left_.subspan(2);
        return number;
    }

private:
    ByteView left_;
};

template <typename Draw> std::uint64_t below(Draw& draw, std::uint64_t end) {
    return draw() % end;
}

template <typename Draw> bool once_in(Draw& draw, std::uint64_t n) {
    return below(draw, n) == 1 % n;
}

/// Mostly small; some of any width up to `bits`, some the largest.
template <typename Draw> u128 number(Draw& draw, unsigned bits = 128) {
    const u128 most = bits == 128 ? ~u128{0} : (u128{1} << bits) - 1;
    switch (below(draw, 4)) {
    case 0: {
        u128 value = 0;
        for (int i = 0; i < 8; ++i) value = value << 16U | (draw() & 0xffffU);
        return value >> below(draw, 128) & most;
    }
    case 1:
        return once_in(draw, 4) ? most : below(draw, 200) & most;
    default:
        return below(draw, 200) & most;
    }
}

template <typename Integer, typename Draw>
std::optional<Integer> maybe(Draw& draw, unsigned bits = 8 * sizeof(Integer)) {
    if (once_in(draw, 2)) return std::nullopt;
    return static_cast<Integer>(number(draw, bits));
}

template <typename Draw> std::optional<u128> maybe_amount(Draw& draw, unsigned bits) {
    if (once_in(draw, 2)) return std::nullopt;
    return number(draw, bits);
}

template <typename Draw> alkanes::Cellpack cellpack(Draw& draw) {
    alkanes::Cellpack made{{number(draw), number(draw)}, {}};
    for (std::uint64_t n = below(draw, 12); n > 0; --n) made.inputs.push_back(number(draw));
    return made;
}

template <typename Draw> alkanes::Protostone protostone(Draw& draw) {
    alkanes::Protostone made;
    made.protocol = once_in(draw, 4) ? number(draw, 127) + 1 : alkanes::alkanes_protocol;
    made.burn = maybe_amount(draw, 128);
    made.pointer = maybe<std::uint32_t>(draw);
    made.refund = maybe<std::uint32_t>(draw);
    made.from = maybe<std::uint32_t>(draw);
    if (!once_in(draw, 3)) {
        made.message = alkanes::encode_cellpack(cellpack(draw));
        made.message.resize((made.message.size() + 14) / 15 * 15);
    }
    for (std::uint64_t n = below(draw, 5); n > 0; --n)
        made.edicts.push_back({{number(draw), number(draw)}, number(draw), number(draw)});
    std::stable_sort(made.edicts.begin(), made.edicts.end(),
                     [](const alkanes::Edict& a, const alkanes::Edict& b) { return a.id < b.id; });
    return made;
}

template <typename Draw> std::vector<alkanes::Protostone> protostones(Draw& draw) {
    std::vector<alkanes::Protostone> made;
    for (std::uint64_t n = below(draw, 4); n > 0; --n) made.push_back(protostone(draw));
    return made;
}

template <typename Draw> alkanes::Etching etching(Draw& draw) {
    alkanes::Etching made;
    made.divisibility = maybe<std::uint8_t>(draw, 5);
    made.premine = maybe_amount(draw, 60);
    made.rune = maybe_amount(draw, 128);
    made.spacers = maybe<std::uint32_t>(draw, 27);
    made.symbol = maybe<std::uint32_t>(draw, 15);
    made.turbo = once_in(draw, 2);
    if (once_in(draw, 2)) return made;
    alkanes::Terms& terms = made.terms.emplace();
    terms.cap = maybe_amount(draw, 60);
    terms.amount = maybe_amount(draw, 60);
    terms.height_start = maybe<std::uint64_t>(draw);
    terms.height_end = maybe<std::uint64_t>(draw);
    terms.offset_start = maybe<std::uint64_t>(draw);
    terms.offset_end = maybe<std::uint64_t>(draw);
    return made;
}

/// For a transaction of `outputs` outputs.
template <typename Draw> alkanes::Runestone runestone(Draw& draw, std::uint32_t outputs) {
    alkanes::Runestone made;
    const auto id = [&draw] {
        alkanes::RuneId drawn{static_cast<std::uint64_t>(number(draw, 64)), 0};
        if (drawn.block != 0) drawn.tx = static_cast<std::uint32_t>(number(draw, 32));
        return drawn;
    };
    if (once_in(draw, 3)) made.etching = etching(draw);
    if (once_in(draw, 3)) made.mint = id();
    made.pointer = maybe<std::uint32_t>(draw);
    made.protocol = alkanes::encode_protostones(protostones(draw));
    if (once_in(draw, 4)) made.protocol.push_back(number(draw));
    for (std::uint64_t n = below(draw, 4); n > 0; --n)
        made.edicts.push_back(
            {id(), number(draw), static_cast<std::uint32_t>(below(draw, outputs + 1ULL))});
    std::stable_sort(
        made.edicts.begin(), made.edicts.end(),
        [](const alkanes::RuneEdict& a, const alkanes::RuneEdict& b) { return a.id < b.id; });
    return made;
}

} // namespace stones
