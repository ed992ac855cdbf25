// The state while a block runs, and the block's net changes.
#pragma once

#include "state/view.h"
#include "state/write_set.h"
#include "state/written_state.h"

#include <vector>

namespace blockloom::state {

/// A key whose value after the block differs from before. Both canonical.
struct Change {
    Key key;
    Value before, after;

    bool operator==(const Change&) const = default;
};

/// What the writes changed on `base`: sorted by key, without keys whose value is the same as
/// before. Reads the base once for each written key.
[[nodiscard]] Result<std::vector<Change>> changes_on(const StateView& base,
                                                     const WrittenState& written);
/// The same for writes in any order, each of another key.
[[nodiscard]] Result<std::vector<Change>>
changes_on(const StateView& base, std::vector<const WriteSet::value_type*> writes);

/// The state before the block and the writes accepted so far. Several threads may read it while no
/// writes are applied.
class BlockState final : public StateView {
public:
    /// `base` must outlive this object.
    explicit BlockState(const StateView& base) : base_(&base) {}

    [[nodiscard]] Result<Value> get(const KeyView& key) const override;
    void expect(const KeyView& key) const noexcept override;
    void expect_value(const KeyView& key) const noexcept override;
    void apply(const WriteSet& writes);

    [[nodiscard]] Result<std::vector<Change>> changes() const {
        return changes_on(*base_, written_);
    }

private:
    const StateView* base_;
    WrittenState written_;
};

} // namespace blockloom::state
