#include "execute/device/access_prediction.h"

#include <algorithm>
#include <array>
#include <utility>

namespace blockloom::execute {
namespace {

using namespace std::string_view_literals;

/// Lower heights are short or common numbers, which names contain by chance.
constexpr std::uint64_t least_height = 1U << 16U;

/// What stands in a name for each part of a reader: no contract writes that by chance.
constexpr std::array placeholders{""sv, "\0<the reader's contract>\0"sv,
                                  "\0<the reader's txid>\0"sv, "\0<the height in digits>\0"sv,
                                  "\0<the height>\0"sv};

void append_view(std::string& to, const void* from, std::size_t size) {
    to.append(static_cast<const char*>(from), size);
}

void replace_all(std::string& text, std::string_view what, std::string_view instead) {
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + instead.size()))
        text.replace(at, what.size(), instead);
}

} // namespace

/// The placeholders are searched from the left: none contains another.
AccessPrediction::Pattern::Pattern(ContractRead general) : read(std::move(general)) {
    const std::string& name = read.name;
    for (std::size_t begin = 0; begin < name.size();) {
        std::size_t at = std::string::npos, which = 0;
        for (std::size_t i = 1; i < placeholders.size(); ++i)
            if (const std::size_t found = name.find(placeholders[i], begin); found < at)
                at = found, which = i;
        if (at == std::string::npos && pieces.empty()) return;
        pieces.push_back({Part::text, name.substr(begin, at - begin)});
        if (at == std::string::npos) return;
        pieces.push_back({static_cast<Part>(which), {}});
        begin = at + placeholders[which].size();
    }
}

void AccessPrediction::Pattern::make(std::string& name, const KeyReader& reader) const {
    name.clear();
    for (const Piece& piece : pieces) {
        const auto low = static_cast<std::uint32_t>(reader.height);
        switch (piece.part) {
        case Part::text:
            name += piece.text;
            break;
        case Part::contract:
            alkanes::append_id(name, reader.contract);
            break;
        case Part::txid:
            append_view(name, reader.txid.data(), reader.txid.size());
            break;
        case Part::digits:
            name += std::to_string(reader.height);
            break;
        case Part::height: // the four low bytes are in a number of any width
            append_view(name, &low, sizeof low);
            break;
        }
    }
}

AccessPrediction::Learned& AccessPrediction::learned_of(const CallKind& who) {
    return kinds_.try_emplace(who, Learned{static_cast<std::uint32_t>(kinds_.size()), 0, {}, {}})
        .first->second;
}

std::uint32_t AccessPrediction::number_of(const CallKind& who) const {
    const auto found = kinds_.find(who);
    return found == kinds_.end() || found->second.met < 2 ? unmet : found->second.number;
}

void AccessPrediction::learn(Lessons& lessons) {
    for (const CallKind& kind : lessons.met) meet(kind);
    for (Lessons::Read& each : lessons.reads) learn(each.who, std::move(each.read), each.reader);
    lessons = {};
}

void AccessPrediction::learn(const CallKind& who, ContractRead read, const KeyReader& reader) {
    if (read.name.size() > most_bytes) return;
    Learned& learned = learned_of(who);
    if (learned.patterns.size() >= most_names) return;
    ContractRead general = std::move(read);
    const auto stands = [&](Part part) {
        std::string text;
        Pattern one({});
        one.pieces.push_back({part, {}});
        one.make(text, reader);
        replace_all(general.name, text, placeholders[static_cast<std::size_t>(part)]);
    };
    if (general.kind == ContractRead::Kind::balance) stands(Part::contract);
    if (general.kind == ContractRead::Kind::storage) {
        stands(Part::txid);
        if (reader.height >= least_height) {
            stands(Part::digits);
            stands(Part::height);
        }
    }
    if (std::ranges::find(learned.patterns, general, &Pattern::read) != learned.patterns.end())
        return;
    if (learned.once.size() >= most_once) learned.once.clear();
    if (++learned.once[general] < 2) return;
    learned.once.erase(general);
    learned.patterns.emplace_back(std::move(general));
}

} // namespace blockloom::execute
