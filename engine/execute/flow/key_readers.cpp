#include "execute/flow/key_readers.h"

#include "execute/flow/spin_lock.h"

#include <vector>

namespace blockloom::execute {
namespace {

constexpr std::size_t list_count = 8192;

} // namespace

struct alignas(64) KeyReaders::Shard {
    SpinLock lock;
    std::uint32_t generation = 0; ///< the places are of this one
    std::vector<std::uint32_t> places;
};

KeyReaders::KeyReaders() : shards_(std::make_unique<Shard[]>(list_count)) {}
KeyReaders::~KeyReaders() = default;

KeyReaders::Shard& KeyReaders::shard_of(std::uint64_t hash) const noexcept {
    return shards_[hash & (list_count - 1)];
}

void KeyReaders::add(std::uint64_t hash, std::uint32_t place) {
    Shard& shard = shard_of(hash);
    const std::lock_guard lock(shard.lock);
    if (shard.generation != generation_) {
        shard.generation = generation_;
        shard.places.clear();
    }
    if (shard.places.empty() || shard.places.back() != place) shard.places.push_back(place);
}

KeyReaders::List KeyReaders::lock(std::uint64_t hash) const {
    Shard& shard = shard_of(hash);
    shard.lock.lock();
    if (shard.generation != generation_) return {nullptr, 0};
    return {shard.places.data(), shard.places.size()};
}

void KeyReaders::unlock(std::uint64_t hash) const noexcept {
    shard_of(hash).lock.unlock();
}

} // namespace blockloom::execute
