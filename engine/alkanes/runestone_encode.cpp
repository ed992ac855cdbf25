#include "alkanes/leb128.h"
#include "alkanes/runestone.h"
#include "alkanes/runestone_tags.h"
#include "alkanes/script.h"

#include <algorithm>

namespace blockloom::alkanes {

namespace {

void field(Bytes& payload, u128 tag, u128 value) {
    append_leb128(payload, tag);
    append_leb128(payload, value);
}

template <typename Integer>
void field(Bytes& payload, u128 tag, const std::optional<Integer>& value) {
    if (value) field(payload, tag, u128{*value});
}

void append_etching(Bytes& payload, const Etching& etching) {
    field(payload, tag::flags,
          flag::etching | (etching.terms ? flag::terms : 0) | (etching.turbo ? flag::turbo : 0));
    field(payload, tag::rune, etching.rune);
    field(payload, tag::divisibility, etching.divisibility);
    field(payload, tag::spacers, etching.spacers);
    field(payload, tag::symbol, etching.symbol);
    field(payload, tag::premine, etching.premine);
    if (!etching.terms) return;
    field(payload, tag::amount, etching.terms->amount);
    field(payload, tag::cap, etching.terms->cap);
    field(payload, tag::height_start, etching.terms->height_start);
    field(payload, tag::height_end, etching.terms->height_end);
    field(payload, tag::offset_start, etching.terms->offset_start);
    field(payload, tag::offset_end, etching.terms->offset_end);
}

void append_edicts(Bytes& payload, FlatList<RuneEdict> edicts) {
    if (edicts.empty()) return;
    std::stable_sort(edicts.begin(), edicts.end(),
                     [](const RuneEdict& a, const RuneEdict& b) { return a.id < b.id; });
    append_leb128(payload, tag::body);
    RuneId before;
    for (const RuneEdict& edict : edicts) {
        const std::uint64_t blocks = edict.id.block - before.block;
        append_leb128(payload, blocks);
        append_leb128(payload, blocks == 0 ? edict.id.tx - before.tx : edict.id.tx);
        append_leb128(payload, edict.amount);
        append_leb128(payload, edict.output);
        before = edict.id;
    }
}

} // namespace

Bytes encode_runestone(const Runestone& runestone) {
    Bytes payload;
    if (runestone.etching) append_etching(payload, *runestone.etching);
    if (runestone.mint) {
        field(payload, tag::mint, u128{runestone.mint->block});
        field(payload, tag::mint, u128{runestone.mint->tx});
    }
    field(payload, tag::pointer, runestone.pointer);
    for (const u128 value : runestone.protocol) field(payload, tag::protocol, value);
    append_edicts(payload, runestone.edicts);
    Bytes script{opcode::return_, opcode::number_13};
    append_pushes(script, payload);
    return script;
}

} // namespace blockloom::alkanes
