// A state whose reads are cached: the state before a block, from which every message reads the same
// code and counters.
#pragma once

#include "state/view.h"

#include <cstdint>
#include <memory>

namespace blockloom::state {

/// Caches every value that was read, for as long as it lives. The underlying state must not change
/// meanwhile, and must outlive it.
class CachedView final : public StateView {
public:
    explicit CachedView(const StateView& base);
    ~CachedView() override;
    CachedView(const CachedView&) = delete;
    CachedView& operator=(const CachedView&) = delete;

    [[nodiscard]] Result<Value> get(const KeyView& key) const override;

private:
    struct Shard;

    [[nodiscard]] Result<Value> get_shared(const KeyView& key) const;

    const StateView* base_;
    std::uint64_t number_; ///< no two views have the same
    std::unique_ptr<Shard[]> shards_;
};

} // namespace blockloom::state
