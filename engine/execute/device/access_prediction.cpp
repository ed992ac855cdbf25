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

/// What of a reader a name may contain, the longest first.
std::vector<Part> parts_of(const KeyReader& reader) {
    std::vector<Part> parts;
    const auto& txid = reader.txid;
    parts.push_back(
        {{reinterpret_cast<const char*>(txid.data()), txid.size()}, "\0<the reader's txid>\0"sv});
    if (reader.height < least_height) return parts;
    parts.push_back({std::to_string(reader.height), "\0<the height in digits>\0"sv});
    // The four low bytes are in a number of any width.
    const auto low = static_cast<std::uint32_t>(reader.height);
    parts.push_back({{reinterpret_cast<const char*>(&low), sizeof low}, "\0<the height>\0"sv});
    return parts;
}

std::string with(std::string text, std::string_view what, std::string_view instead) {
    if (const std::size_t at = text.find(what); at != std::string::npos)
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

void AccessPrediction::learn(const CallKind& who, std::string_view name, const KeyReader& reader) {
    if (name.size() > most_bytes) return;
    Learned& learned = learned_of(who);
    if (learned.names.size() >= most_names) return;
    std::string general(name);
    for (const Part& part : parts_of(reader))
        general = with(std::move(general), part.text, part.placeholder);
    if (std::ranges::find(learned.names, general, &Name::text) != learned.names.end()) return;
    if (learned.once.size() >= most_once) learned.once.clear();
    if (++learned.once[general] < 2) return;
    learned.once.erase(general);
    const bool is_general = general != name;
    learned.names.push_back({std::move(general), is_general});
}

std::vector<std::string> AccessPrediction::expected(const CallKind& who,
                                                    const KeyReader& reader) const {
    const auto found = kinds_.find(who);
    if (found == kinds_.end()) return {};
    std::vector<std::string> names;
    names.reserve(found->second.names.size());
    std::vector<Part> parts;
    for (const Name& learned : found->second.names) {
        std::string& name = names.emplace_back(learned.text);
        if (!learned.is_general) continue;
        if (parts.empty()) parts = parts_of(reader);
        for (const Part& part : parts) name = with(std::move(name), part.placeholder, part.text);
    }
    return names;
}

} // namespace blockloom::execute
