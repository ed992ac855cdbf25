#include "base/arena.h"

#include <algorithm>
#include <new>

namespace blockloom {

void ArenaSlabs::Slab::disown() noexcept {
    if (owners.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    this->~Slab();
    ::operator delete(this);
}

std::pair<std::byte*, ArenaSlabs::Slab*> ArenaSlabs::take(std::size_t size) {
    if (size > slab_size / 4) return {nullptr, nullptr};
    if (size > left_) {
        if (slab_ != nullptr) slab_->disown();
        slab_ = new (::operator new(sizeof(Slab) + slab_size)) Slab;
        at_ = reinterpret_cast<std::byte*>(slab_ + 1);
        left_ = slab_size;
    }
    slab_->owners.fetch_add(1, std::memory_order_relaxed);
    left_ -= size;
    return {std::exchange(at_, at_ + size), slab_};
}

Arena::Arena(std::size_t room, ArenaSlabs* slabs) : next_room_(room) {
    if (slabs == nullptr || room == 0) return;
    room = rounded(room);
    const auto [memory, slab] = slabs->take(sizeof(Chunk) + room);
    if (memory == nullptr) return;
    begin_chunk(memory, room, slab);
    next_room_ = 0;
}

void Arena::begin_chunk(std::byte* memory, std::size_t room, ArenaSlabs::Slab* slab) noexcept {
    chunk_ = new (memory) Chunk{chunk_, room, slab};
    at_ = memory + sizeof(Chunk);
    left_ = room;
}

void Arena::free_chunk(Chunk* chunk) noexcept {
    if (chunk->slab != nullptr)
        chunk->slab->disown();
    else
        ::operator delete(chunk);
}

void Arena::add_chunk(std::size_t size) {
    const std::size_t room = rounded(std::max(size, next_room_ != 0 ? next_room_ : smallest_chunk));
    begin_chunk(static_cast<std::byte*>(::operator new(sizeof(Chunk) + room)), room, nullptr);
    next_room_ = std::min(2 * room, largest_doubled);
}

void Arena::end_items_after(const Ending* last) noexcept {
    for (; endings_ != last; endings_ = endings_->before)
        endings_->destroy(endings_->items, endings_->count);
}

Arena::Mark Arena::mark() const noexcept {
    Mark mark;
    mark.chunk = chunk_;
    mark.at = at_;
    mark.left = left_;
    mark.endings = endings_;
    return mark;
}

void Arena::rewind(const Mark& mark) noexcept {
    end_items_after(mark.endings);
    // The first chunk is kept: it will be needed again.
    while (chunk_ != mark.chunk && chunk_->before != nullptr)
        free_chunk(std::exchange(chunk_, chunk_->before));
    at_ = mark.at;
    left_ = mark.left;
    if (chunk_ == mark.chunk) return;
    at_ = reinterpret_cast<std::byte*>(chunk_ + 1);
    left_ = chunk_->room;
}

void Arena::drop() noexcept {
    end_items_after(nullptr);
    while (chunk_ != nullptr) free_chunk(std::exchange(chunk_, chunk_->before));
    at_ = nullptr;
    left_ = 0;
}

void Arena::reset() noexcept {
    end_items_after(nullptr);
    if (chunk_ == nullptr) return;
    Chunk* largest = chunk_;
    for (Chunk* chunk = chunk_; chunk != nullptr; chunk = chunk->before)
        if (chunk->room > largest->room) largest = chunk;
    while (chunk_ != nullptr) {
        Chunk* const before = chunk_->before;
        if (chunk_ != largest) free_chunk(chunk_);
        chunk_ = before;
    }
    largest->before = nullptr;
    chunk_ = largest;
    at_ = reinterpret_cast<std::byte*>(largest + 1);
    left_ = largest->room;
}

std::size_t Arena::size() const noexcept {
    std::size_t size = 0;
    for (const Chunk* chunk = chunk_; chunk != nullptr; chunk = chunk->before) size += chunk->room;
    return size;
}

} // namespace blockloom
