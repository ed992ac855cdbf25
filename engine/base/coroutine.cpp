#include "base/coroutine.h"

#include "base/bytes.h"

#include <boost/context/fiber.hpp>
#include <cassert>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <new>
#include <sys/mman.h>
#include <utility>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__
#endif
#if __has_feature(thread_sanitizer) && !defined(__SANITIZE_THREAD__)
#define __SANITIZE_THREAD__
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace blockloom {

namespace context = boost::context;

namespace {

constexpr std::size_t guard = 4096;

/// The stack belongs to the coroutine, not to the library's bookkeeping.
struct Lent {
    void deallocate(context::stack_context&) noexcept {}
};

} // namespace

struct Coroutine::State {
    Byte* low = nullptr; ///< of the mapping; its first page is the guard
    std::size_t bytes = 0;
    Body body = nullptr;
    void* subject = nullptr;
    /// Never destroyed: the library would unwind the stack, also through machine code, which has no
    /// unwind tables. All that it holds is an address in the stack.
    alignas(context::fiber) std::byte inside_place[sizeof(context::fiber)];
    context::fiber outside;
    // Sanitizers must know on which stack the program is.
    const void* caller_low = nullptr;
    std::size_t caller_bytes = 0;
    void *caller_shadow = nullptr, *own_shadow = nullptr, *caller_fiber = nullptr,
         *own_fiber = nullptr;

    ~State() {
#ifdef __SANITIZE_THREAD__
        if (own_fiber != nullptr) __tsan_destroy_fiber(own_fiber);
#endif
        if (low == nullptr) return;
        forget_frames();
        ::munmap(low, bytes);
    }
    [[nodiscard]] context::fiber& inside() {
        return *std::launder(reinterpret_cast<context::fiber*>(inside_place));
    }
    void begin() {
        context::stack_context stack;
        stack.sp = low + bytes;
        stack.size = bytes;
        ::new (static_cast<void*>(inside_place))
            context::fiber(std::allocator_arg, context::preallocated(stack.sp, stack.size, stack),
                           Lent{}, [this](context::fiber&& caller) -> context::fiber {
                               entered();
                               outside = std::move(caller);
                               for (;;) {
                                   body(subject);
                                   leaving();
                                   outside = std::move(outside).resume();
                                   entered();
                               }
                           });
    }
    /// Abandoned frames have poisoned parts of the stack; the next user of these addresses must
    /// not inherit that.
    void forget_frames() {
#ifdef __SANITIZE_ADDRESS__
        __asan_unpoison_memory_region(low, bytes);
        own_shadow = nullptr;
#endif
    }
    void entering() {
#ifdef __SANITIZE_ADDRESS__
        __sanitizer_start_switch_fiber(&caller_shadow, low + guard, bytes - guard);
#endif
#ifdef __SANITIZE_THREAD__
        caller_fiber = __tsan_get_current_fiber();
        __tsan_switch_to_fiber(own_fiber, 0);
#endif
    }
    void entered() {
#ifdef __SANITIZE_ADDRESS__
        __sanitizer_finish_switch_fiber(own_shadow, &caller_low, &caller_bytes);
#endif
    }
    void leaving() {
#ifdef __SANITIZE_ADDRESS__
        __sanitizer_start_switch_fiber(&own_shadow, caller_low, caller_bytes);
#endif
#ifdef __SANITIZE_THREAD__
        __tsan_switch_to_fiber(caller_fiber, 0);
#endif
    }
    void left() {
#ifdef __SANITIZE_ADDRESS__
        __sanitizer_finish_switch_fiber(caller_shadow, nullptr, nullptr);
#endif
    }
};

Result<std::unique_ptr<Coroutine>> Coroutine::make(std::size_t stack_bytes, Body body,
                                                   void* subject) {
    std::unique_ptr<Coroutine> made(new Coroutine);
    made->state_ = std::make_unique<State>();
    State* const state = made->state_.get();
    state->bytes = (stack_bytes + 2 * guard - 1) / guard * guard;
    void* low = ::mmap(nullptr, state->bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (low == MAP_FAILED)
        return Error{ErrorCode::system, fmt::format("coroutine stack: cannot reserve {} bytes: {}",
                                                    state->bytes, std::strerror(errno))};
    state->low = static_cast<Byte*>(low);
    if (::mprotect(low, guard, PROT_NONE) != 0)
        return Error{ErrorCode::system,
                     fmt::format("coroutine stack: no guard page: {}", std::strerror(errno))};
    state->body = body;
    state->subject = subject;
#ifdef __SANITIZE_THREAD__
    state->own_fiber = __tsan_create_fiber(0);
#endif
    state->begin();
    return made;
}

Coroutine::~Coroutine() {
    // The caller's frame is gone; the address that is left of it must not be unwound either.
    assert(!state_ || !state_->outside);
}

void Coroutine::restart() {
    state_->forget_frames();
#ifdef __SANITIZE_THREAD__
    __tsan_destroy_fiber(state_->own_fiber);
    state_->own_fiber = __tsan_create_fiber(0);
#endif
    state_->begin();
}

void Coroutine::resume() {
    state_->entering();
    context::fiber back = std::move(state_->inside()).resume();
    ::new (static_cast<void*>(state_->inside_place)) context::fiber(std::move(back));
    state_->left();
}

void Coroutine::pause() {
    state_->leaving();
    state_->outside = std::move(state_->outside).resume();
    state_->entered();
}

std::size_t Coroutine::stack_left() const noexcept {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    return here - reinterpret_cast<std::uintptr_t>(state_->low + guard);
}

} // namespace blockloom
