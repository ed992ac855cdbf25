#include "wasm2c_peer.h"

#include "wasm_kernel_list.h"

extern "C" {
#include "metered.h"
#include "plain.h"
}

namespace blockloom::bench {
namespace {

Z_plain_instance_t& plain_instance() {
    static Z_plain_instance_t* const instance = [] {
        if (!wasm_rt_is_initialized()) wasm_rt_init();
        static Z_plain_instance_t made;
        Z_plain_init_module();
        Z_plain_instantiate(&made);
        return &made;
    }();
    return *instance;
}

Z_metered_instance_t& metered_instance() {
    static Z_metered_instance_t* const instance = [] {
        if (!wasm_rt_is_initialized()) wasm_rt_init();
        static Z_metered_instance_t made;
        Z_metered_init_module();
        Z_metered_instantiate(&made);
        return &made;
    }();
    return *instance;
}

} // namespace

CompiledKernel compiled_kernel(Wasm2c kind, const std::string& name) {
#define BLOCKLOOM_FIND_KERNEL(kernel, rounds)                                                      \
    if (name == #kernel)                                                                           \
        return kind == Wasm2c::plain                                                               \
                   ? +[](std::uint32_t n) { return Z_plainZ_##kernel(&plain_instance(), n); }      \
                   : +[](std::uint32_t n) { return Z_meteredZ_##kernel(&metered_instance(), n); };
    BLOCKLOOM_WASM_KERNELS(BLOCKLOOM_FIND_KERNEL)
#undef BLOCKLOOM_FIND_KERNEL
    return nullptr;
}

std::uint64_t fuel_used_by_compiled() {
    return (std::uint64_t{1} << 62) - *Z_meteredZ_fuel(&metered_instance());
}

} // namespace blockloom::bench
