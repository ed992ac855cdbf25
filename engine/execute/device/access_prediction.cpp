#include "execute/device/access_prediction.h"

#include <algorithm>

namespace blockloom::execute {
namespace {

using namespace std::string_view_literals;

/// Lower heights are short or common numbers, which names contain by chance.
constexpr std::uint64_t least_height = 1U << 16U;

/// Text of a reader in a name, and what stands for it: no contract writes that by chance.
struct Part {
    std::string text;
    std::string_view placeholder;
};

/// What of a reader a name of this kind may contain, the longest first.
std::vector<Part> parts_of(ContractRead::Kind kind, const KeyReader& reader) {
    std::vector<Part> parts;
    if (kind == ContractRead::Kind::balance)
        parts.push_back({alkanes::id_bytes(reader.contract), "\0<the reader's contract>\0"sv});
    if (kind != ContractRead::Kind::storage) return parts;
    const auto& txid = reader.txid;
    std::string id(reinterpret_cast<const char*>(txid.data()), txid.size());
    parts.push_back({std::move(id), "\0<the reader's txid>\0"sv});
    if (reader.height < least_height) return parts;
    parts.push_back({std::to_string(reader.height), "\0<the height in digits>\0"sv});
    // The four low bytes are in a number of any width.
    const auto low = static_cast<std::uint32_t>(reader.height);
    parts.push_back({{reinterpret_cast<const char*>(&low), sizeof low}, "\0<the height>\0"sv});
    return parts;
}

std::string with(std::string text, std::string_view what, std::string_view instead) {
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + instead.size()))
        text.replace(at, what.size(), instead);
    return text;
}

} // namespace

AccessPrediction::Learned& AccessPrediction::learned_of(const CallKind& who) {
    return kinds_.try_emplace(who, Learned{static_cast<std::uint32_t>(kinds_.size()), {}, {}})
        .first->second;
}

std::uint32_t AccessPrediction::number_of(const CallKind& who) const {
    const auto found = kinds_.find(who);
    return found == kinds_.end() ? unmet : found->second.number;
}

void AccessPrediction::learn(const CallKind& who, ContractRead read, const KeyReader& reader) {
    if (read.name.size() > most_bytes) return;
    Learned& learned = learned_of(who);
    if (learned.patterns.size() >= most_names) return;
    ContractRead general = std::move(read);
    bool is_general = false;
    for (const Part& part : parts_of(general.kind, reader)) {
        is_general |= general.name.find(part.text) != std::string::npos;
        general.name = with(std::move(general.name), part.text, part.placeholder);
    }
    if (std::ranges::find(learned.patterns, general, &Pattern::read) != learned.patterns.end())
        return;
    if (learned.once.size() >= most_once) learned.once.clear();
    if (++learned.once[general] < 2) return;
    learned.once.erase(general);
    learned.patterns.push_back({std::move(general), is_general});
}

std::vector<ContractRead> AccessPrediction::expected(const CallKind& who,
                                                     const KeyReader& reader) const {
    const auto found = kinds_.find(who);
    if (found == kinds_.end()) return {};
    std::vector<ContractRead> reads;
    reads.reserve(found->second.patterns.size());
    for (const Pattern& pattern : found->second.patterns) {
        ContractRead& read = reads.emplace_back(pattern.read);
        if (!pattern.is_general) continue;
        for (const Part& part : parts_of(read.kind, reader))
            read.name = with(std::move(read.name), part.placeholder, part.text);
    }
    return reads;
}

} // namespace blockloom::execute
