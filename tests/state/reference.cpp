#include "reference.h"

#include <algorithm>

namespace blockloom::test {
namespace {

template <typename Logged> auto find_key(FlatList<Logged>& list, const std::string& key) {
    return std::find_if(list.begin(), list.end(),
                        [&](const Logged& logged) { return logged.key == key; });
}

state::WriteSet difference(const Map& before, const Map& after) {
    std::set<std::string> keys;
    for (const auto& [key, value] : before) keys.insert(key);
    for (const auto& [key, value] : after) keys.insert(key);
    state::WriteSet writes;
    for (const std::string& key : keys)
        if (at(before, key) != at(after, key)) writes.emplace_back(key, value_at(after, key));
    return writes;
}

void note_predicate(FlatList<state::CounterAbove>& list, const std::string& key, u128 limit,
                    bool inside) {
    const auto found = find_key(list, key);
    if (found == list.end())
        list.push_back({key, limit, inside});
    else
        found->value = std::max(found->value, limit);
}

} // namespace

std::optional<std::string> at(const Map& map, const std::string& key) {
    const auto found = map.find(key);
    return found == map.end() ? std::nullopt : std::optional(found->second);
}

state::Value value_at(const Map& map, const std::string& key) {
    const auto found = at(map, key);
    return found ? state::Value(*found) : state::Value();
}

Map without_empty(Map map) {
    std::erase_if(map, [](const auto& entry) { return entry.second.empty(); });
    return map;
}

Map map_of(const state::MemoryState& state) {
    Map map;
    for (const auto& [key, value] : state.entries()) map.emplace(key, value.bytes());
    return map;
}

ReferenceTransaction::ReferenceTransaction(Map below) : below_(std::move(below)), now_(below_) {}

void ReferenceTransaction::begin_task() {
    layers_ = {{now_, {}}};
    attempted_.clear();
    log_ = {};
    open_ = true;
}

void ReferenceTransaction::log_read(const std::string& key) {
    const bool inside = inside_.contains(key);
    if (find_key(log_.reads, key) == log_.reads.end())
        log_.reads.push_back({key, value_at(now_, key), inside});
    if (!inside && find_key(whole_.reads, key) == whole_.reads.end())
        whole_.reads.push_back({key, value_at(below_, key), false});
}

std::optional<std::string> ReferenceTransaction::get(const std::string& key) {
    if (!layers_.back().own.contains(key)) log_read(key);
    return at(layers_.back().map, key);
}

bool ReferenceTransaction::is_above(const std::string& key, u128 limit) {
    const bool above = state::counter_of(value_at(layers_.back().map, key)) > limit;
    if (layers_.back().own.contains(key)) return above;
    if (!above) {
        log_read(key);
        return above;
    }
    const bool inside = inside_.contains(key);
    note_predicate(log_.predicates, key, limit, inside);
    if (!inside) note_predicate(whole_.predicates, key, limit, false);
    return above;
}

void ReferenceTransaction::set(const std::string& key, const std::optional<std::string>& value) {
    layers_.back().own.insert(key);
    if (value)
        layers_.back().map.insert_or_assign(key, *value);
    else
        layers_.back().map.erase(key);
}

void ReferenceTransaction::commit() {
    layers_.erase(layers_.end() - 2);
}

void ReferenceTransaction::rollback() {
    const Layer dropped = layers_.back();
    layers_.pop_back();
    // A key is attempted if the dropped layer wrote it: it is its own and was not, or its value is
    // another. (A layer that wrote the value of the layer below again shows no difference.)
    for (const std::string& key : dropped.own)
        if (!layers_.back().own.contains(key) ||
            at(dropped.map, key) != at(layers_.back().map, key))
            attempted_.insert(key);
}

void ReferenceTransaction::drop_writes() {
    for (const Layer& layer : layers_) attempted_.insert(layer.own.begin(), layer.own.end());
    layers_ = {{below_, {}}};
    now_ = below_;
    inside_.clear();
    for (state::TaskLog& task : whole_.tasks) {
        std::set<std::string> keys(task.attempted.begin(), task.attempted.end());
        for (const auto& [key, value] : task.writes) keys.insert(key);
        task.attempted.assign(keys.begin(), keys.end());
        task.writes.clear();
    }
}

void ReferenceTransaction::end_task() {
    const Map after = without_empty(layers_.back().map);
    log_.writes = difference(now_, after);
    std::set<std::string> changed;
    for (const auto& [key, value] : log_.writes) changed.insert(key);
    for (const std::string& key : layers_.back().own)
        if (!changed.contains(key)) log_read(key); // silent
    for (const std::string& key : attempted_)
        if (!changed.contains(key)) log_.attempted.push_back(key);
    inside_.insert(changed.begin(), changed.end());
    now_ = after;
    whole_.tasks.push_back(log_);
    open_ = false;
}

state::TransactionLog ReferenceTransaction::finish() {
    if (open_) end_task();
    whole_.writes = difference(below_, now_);
    for (const std::string& key : inside_)
        if (at(below_, key) == at(now_, key) && find_key(whole_.reads, key) == whole_.reads.end())
            whole_.reads.push_back({key, value_at(below_, key), false});
    return whole_;
}

} // namespace blockloom::test
