// The mint through wasm2c and the C compiler.
#include "gpuvm_peers.h"

#include <cstring>

extern "C" {
#include "mint.h"
}

using blockloom::bench::HostAnswer;
using blockloom::bench::MintMessage;

/// What wasm2c's imports are given: the message's answers.
struct Z_env_instance_t {
    Z_mint_instance_t* mint = nullptr;
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
    std::memcpy(env->mint->w2c_memory.data + to - 4, &size, sizeof size);
    std::memcpy(env->mint->w2c_memory.data + to, answer.bytes.data(), size);
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
void Z_envZ_abort(Z_env_instance_t* env, u32, u32, u32, u32) {
    (void)answered(env);
}
}

namespace blockloom::bench {

std::function<MintRunner()> wasm2c_mint() {
    static const bool ready = [] {
        wasm_rt_init();
        Z_mint_init_module();
        return true;
    }();
    (void)ready;
    return [] {
        struct Made {
            Z_mint_instance_t instance{};
            Z_env_instance_t env;
            std::vector<char> first; ///< memory as instantiated
            std::size_t grown = 0;
        };
        auto made = std::make_shared<Made>();
        made->env.mint = &made->instance;
        Z_mint_instantiate(&made->instance, &made->env);
        wasm_rt_memory_t& memory = made->instance.w2c_memory;
        made->first.assign(memory.data, memory.data + memory.size);
        wasm_rt_grow_memory(&memory, 512 - memory.pages);
        made->grown = memory.size;
        return MintRunner([made](const MintMessage& message, std::string& response) {
            wasm_rt_memory_t& now = made->instance.w2c_memory;
            std::memcpy(now.data, made->first.data(), made->first.size());
            if (now.size > made->grown)
                std::memset(now.data + made->grown, 0, now.size - made->grown);
            made->env.message = &message;
            made->env.next = 0;
            const Nanoseconds begin = now_ns();
            const u32 pointer = Z_mintZ___execute(&made->instance);
            const Nanoseconds took = now_ns() - begin;
            u32 size = 0;
            std::memcpy(&size, now.data + pointer - 4, sizeof size);
            response.assign(reinterpret_cast<const char*>(now.data) + pointer, size);
            // Grown memory cannot shrink again: it is made to look as if it had never grown.
            now.pages = static_cast<u32>(made->grown / 65536);
            now.size = static_cast<u32>(made->grown);
            return took;
        });
    };
}

} // namespace blockloom::bench
