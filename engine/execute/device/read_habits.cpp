#include "execute/device/read_habits.h"

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

void ReadHabits::learn(const HabitKey& who, std::string_view name, const Hash256& txid) {
    if (name.size() > most_bytes) return;
    Habit& habit = habits_[who];
    if (habit.names.size() >= most_names) return;
    std::string general = with(std::string(name), text_of(txid), placeholder);
    if (std::find(habit.names.begin(), habit.names.end(), general) != habit.names.end()) return;
    if (habit.once.size() >= most_once) habit.once.clear();
    if (++habit.once[general] < 2) return;
    habit.once.erase(general);
    habit.names.push_back(std::move(general));
}

std::vector<std::string> ReadHabits::expected(const HabitKey& who, const Hash256& txid) const {
    const auto found = habits_.find(who);
    if (found == habits_.end()) return {};
    std::vector<std::string> names;
    for (const std::string& name : found->second.names)
        names.push_back(with(name, placeholder, text_of(txid)));
    return names;
}

} // namespace blockloom::execute
