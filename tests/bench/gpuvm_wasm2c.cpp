// The contracts through wasm2c and the C compiler.
#include "gpuvm_peers.h"

#include <cstring>

extern "C" {
#include "mint.h"
#ifdef BLOCKLOOM_HAVE_WASM2C_RUST
#include "rust.h"
#endif
}

using blockloom::bench::HostAnswer;
using blockloom::bench::MintMessage;

/// What wasm2c's imports are given: the message's answers.
struct Z_env_instance_t {
    wasm_rt_memory_t* memory = nullptr;
    const MintMessage* message = nullptr;
    std::size_t next = 0;
};

namespace {

std::uint32_t answered(Z_env_instance_t* env) {
    return env->message->answers[env->next++].number;
}
std::uint32_t copied(Z_env_instance_t* env, std::uint32_t to) {
    const HostAnswer& answer = env->message->answers[env->next++];
    const auto size = static_cast<std::uint32_t>(answer.bytes.size());
    std::memcpy(env->memory->data + to - 4, &size, sizeof size);
    std::memcpy(env->memory->data + to, answer.bytes.data(), size);
    return answer.number;
}

} // namespace

extern "C" {
u32 Z_envZ___load_context(Z_env_instance_t* env, u32 to) {
    return copied(env, to);
}
u32 Z_envZ___load_storage(Z_env_instance_t* env, u32, u32 to) {
    return copied(env, to);
}
void Z_envZ___load_transaction(Z_env_instance_t* env, u32 to) {
    (void)copied(env, to);
}
u32 Z_envZ___request_context(Z_env_instance_t* env) {
    return answered(env);
}
u32 Z_envZ___request_storage(Z_env_instance_t* env, u32) {
    return answered(env);
}
u32 Z_envZ___request_transaction(Z_env_instance_t* env) {
    return answered(env);
}
void Z_envZ___balance(Z_env_instance_t* env, u32, u32, u32) {
    (void)answered(env);
}
void Z_envZ___log(Z_env_instance_t* env, u32) {
    (void)answered(env);
}
void Z_envZ_abort(Z_env_instance_t* env, u32, u32, u32, u32) {
    (void)answered(env);
}
}

namespace blockloom::bench {
namespace {

template <typename Instance> struct Module {
    void (*init)();
    void (*instantiate)(Instance*, Z_env_instance_t*);
    u32 (*execute)(Instance*);
};

template <typename Instance>
std::function<MintRunner()> runners_of(const Module<Instance>& module) {
    static const bool ready = [&] {
        if (!wasm_rt_is_initialized()) wasm_rt_init();
        module.init();
        return true;
    }();
    (void)ready;
    return [module] {
        struct Made {
            Instance instance{};
            Z_env_instance_t env;
            std::vector<char> first; ///< memory as instantiated
            std::size_t grown = 0;
        };
        auto made = std::make_shared<Made>();
        module.instantiate(&made->instance, &made->env);
        wasm_rt_memory_t& memory = made->instance.w2c_memory;
        made->env.memory = &memory;
        made->first.assign(memory.data, memory.data + memory.size);
        wasm_rt_grow_memory(&memory, 512 - memory.pages);
        made->grown = memory.size;
        const auto globals = std::make_shared<Instance>(made->instance); // and the stack pointer
        return MintRunner(
            [made, globals, module](const MintMessage& message, std::string& response) {
                wasm_rt_memory_t& now = made->instance.w2c_memory;
                std::memcpy(now.data, made->first.data(), made->first.size());
                made->env.message = &message;
                made->env.next = 0;
                const Nanoseconds begin = now_ns();
                const u32 pointer = module.execute(&made->instance);
                const Nanoseconds took = now_ns() - begin;
                u32 size = 0;
                std::memcpy(&size, now.data + pointer - 4, sizeof size);
                response.assign(reinterpret_cast<const char*>(now.data) + pointer, size);
                // Grown memory cannot shrink again: it is made to look as if it had never grown.
                std::memset(now.data + made->grown, 0, now.size - made->grown);
                made->instance = *globals;
                return took;
            });
    };
}

} // namespace

std::function<MintRunner()> wasm2c_mint() {
    return runners_of(
        Module<Z_mint_instance_t>{&Z_mint_init_module, &Z_mint_instantiate, &Z_mintZ___execute});
}
#ifdef BLOCKLOOM_HAVE_WASM2C_RUST
std::function<MintRunner()> wasm2c_rust() {
    return runners_of(
        Module<Z_rust_instance_t>{&Z_rust_init_module, &Z_rust_instantiate, &Z_rustZ___execute});
}
#endif

} // namespace blockloom::bench
