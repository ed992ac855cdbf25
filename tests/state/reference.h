// The slow reference: a transaction that copies the whole state at every step and derives its log
// from the copies.
#pragma once

#include "state/memory_state.h"
#include "state/task_log.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace blockloom::test {

/// Absent keys are not in it; an empty value is.
using Map = std::map<std::string, std::string>;

[[nodiscard]] std::optional<std::string> at(const Map& map, const std::string& key);
[[nodiscard]] state::Value value_at(const Map& map, const std::string& key);
[[nodiscard]] Map without_empty(Map map);
[[nodiscard]] Map map_of(const state::MemoryState& state);

/// Does what state::Overlay does, for tasks that never overlap.
class ReferenceTransaction {
public:
    explicit ReferenceTransaction(Map below);

    void begin_task();
    void end_task();
    std::optional<std::string> get(const std::string& key);
    bool is_above(const std::string& key, u128 limit);
    void set(const std::string& key, const std::optional<std::string>& value);
    void checkpoint() { layers_.push_back(layers_.back()); }
    void commit();
    void rollback();
    void drop_writes();
    std::size_t depth() const { return layers_.size() - 1; }
    state::TransactionLog finish();
    /// The state that the transaction leaves.
    Map after() const { return now_; }

private:
    struct Layer {
        Map map;
        std::set<std::string> own; ///< written by the open task
    };
    void log_read(const std::string& key);

    const Map below_;
    Map now_; ///< after the tasks that ended
    std::vector<Layer> layers_;
    std::set<std::string> inside_; ///< changed by tasks that ended
    std::set<std::string> attempted_;
    bool open_ = false;
    state::TaskLog log_;
    state::TransactionLog whole_;
};

} // namespace blockloom::test
