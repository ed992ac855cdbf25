// Random blocks, the same for the same height, and the state that a plain map reaches with them.
#pragma once

#include "state/block_changes.h"
#include "state/digest.h"
#include "state/memory_state.h"
#include "store/workspace.h"

#include <QTest>

#include <map>
#include <random>
#include <vector>

namespace blockloom::test {

inline Hash256 hash_of_block(std::uint64_t height) {
    Hash256 hash{};
    std::memcpy(hash.data(), &height, sizeof height);
    hash[31] = 0xb1;
    return hash;
}

/// What block `height` writes, whatever was there before: some of 300 keys, some erased, some long.
inline state::WriteSet writes_of_block(std::uint64_t height) {
    std::mt19937_64 random(height);
    std::map<state::Key, state::Value> writes;
    for (std::uint64_t n = random() % 40; n > 0; --n) {
        const std::string key = "key:" + std::to_string(random() % 300);
        const std::uint64_t kind = random() % 10;
        if (kind < 2)
            writes[key] = state::Value();
        else
            writes[key] = std::string(kind == 2 ? 5000 : 1 + random() % 40,
                                      static_cast<char>('a' + random() % 26));
    }
    return {writes.begin(), writes.end()};
}

/// The changes of block `height` on a state.
inline std::vector<state::Change> changes_of_block(std::uint64_t height,
                                                   const state::StateView& before) {
    state::BlockState block(before);
    block.apply(writes_of_block(height));
    Result<std::vector<state::Change>> changes = block.changes();
    return changes ? std::move(*changes) : std::vector<state::Change>();
}

inline Result<store::BlockRecord> commit_block(store::Workspace& workspace, std::uint64_t height) {
    const auto changes = changes_of_block(height, workspace.state());
    return workspace.commit({.height = height,
                             .hash = hash_of_block(height),
                             .previous = hash_of_block(height - 1),
                             .changes = changes,
                             .extra = "extra"});
}

inline Hash256 digest_of(const state::MemoryState& state) {
    state::DigestStream stream;
    for (const auto& [key, value] : state.entries()) stream.add(key, value);
    return stream.finish();
}

/// Digests of the states that blocks 1 to N leave, by a plain map.
class ReferenceChain {
public:
    Hash256 digest(std::uint64_t height) {
        while (digests_.size() <= height) {
            if (!digests_.empty()) state_.apply(writes_of_block(digests_.size()));
            digests_.push_back(digest_of(state_));
        }
        return digests_[height];
    }

private:
    state::MemoryState state_;
    std::vector<Hash256> digests_;
};

/// The message of a failure, for QVERIFY2.
template <typename T> std::string why(const Result<T>& result) {
    return result ? std::string() : result.error().message;
}

} // namespace blockloom::test

/// Fails the test with the message of a Result.
#define VERIFY_OK(expression)                                                                      \
    do {                                                                                           \
        const auto& verified_outcome = (expression);                                               \
        QVERIFY2(verified_outcome.ok(), blockloom::test::why(verified_outcome).c_str());           \
    } while (false)
