#include "state/short_bytes.h"

#include <new>

namespace blockloom::state {

const SharedBytes* SharedBytes::make(std::string_view bytes) {
    void* const room = ::operator new(sizeof(SharedBytes) + bytes.size());
    auto* const made = new (room) SharedBytes(bytes.size());
    std::memcpy(static_cast<void*>(made + 1), bytes.data(), bytes.size());
    return made;
}

void SharedBytes::disown() const noexcept {
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    this->~SharedBytes();
    ::operator delete(const_cast<SharedBytes*>(this));
}

} // namespace blockloom::state
