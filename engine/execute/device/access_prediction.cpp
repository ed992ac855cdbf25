#include "execute/device/access_prediction.h"

#include <algorithm>

namespace blockloom::execute {
namespace {

using namespace std::string_view_literals;

/// No contract writes these bytes by chance.
constexpr std::string_view placeholder = "\0<the reader's txid>\0"sv;

std::string_view text_of(const Hash256& hash) {
    return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

std::string with(std::string text, std::string_view what, std::string_view instead) {
    if (const std::size_t at = text.find(what); at != std::string::npos)
        text.replace(at, what.size(), instead);
    return text;
}

} // namespace

void AccessPrediction::learn(const CallKind& who, std::string_view name, const Hash256& txid) {
    if (name.size() > most_bytes) return;
    Learned& learned = kinds_[who];
    if (learned.names.size() >= most_names) return;
    std::string general = with(std::string(name), text_of(txid), placeholder);
    if (std::find(learned.names.begin(), learned.names.end(), general) != learned.names.end())
        return;
    if (learned.once.size() >= most_once) learned.once.clear();
    if (++learned.once[general] < 2) return;
    learned.once.erase(general);
    learned.names.push_back(std::move(general));
}

std::vector<std::string> AccessPrediction::expected(const CallKind& who,
                                                    const Hash256& txid) const {
    const auto found = kinds_.find(who);
    if (found == kinds_.end()) return {};
    std::vector<std::string> names;
    for (const std::string& name : found->second.names)
        names.push_back(with(name, placeholder, text_of(txid)));
    return names;
}

} // namespace blockloom::execute
