// The exported functions for compilation, modules and launches.
#include "compute/fake_cuda/driver_functions.h"
#include "compute/fake_cuda/ptx.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace blockloom::compute::cuda {

struct FunctionPart {
    fake_cuda::Entry entry;
};
struct ModulePart {
    std::vector<std::unique_ptr<FunctionPart>> functions;
};
struct LinkStatePart {
    std::vector<fake_cuda::Entry> entries;
    std::string image;
    char* log = nullptr;
    std::size_t log_bytes = 0;
};

} // namespace blockloom::compute::cuda

using namespace blockloom::fake_cuda;
using namespace blockloom::compute::cuda;

namespace {

Machine& machine() {
    return Machine::instance();
}

} // namespace

extern "C" {

// An old driver lacks a function: the variant libcuda_old is built with this name.
#ifndef FAKE_CUDA_OLD
Code cuLinkCreate_v2(unsigned count, JitOption* options, void** values, LinkState* state) {
    Context current = nullptr;
    if (const Code code = begin("cuLinkCreate_v2", current)) return code;
    auto made = std::make_unique<LinkStatePart>();
    for (unsigned i = 0; i < count; ++i) {
        if (options[i] == jit_error_log) made->log = static_cast<char*>(values[i]);
        if (options[i] == jit_error_log_bytes)
            made->log_bytes = reinterpret_cast<std::uintptr_t>(values[i]);
    }
    *state = made.release();
    machine().count_links(1);
    return success;
}
#endif

Code cuLinkAddData_v2(LinkState state, JitInput, void* data, std::size_t bytes, const char*,
                      unsigned, JitOption*, void**) {
    Context current = nullptr;
    if (const Code code = begin("cuLinkAddData_v2", current)) return code;
    const Ptx ptx = read_ptx({static_cast<const char*>(data), bytes});
    if (!ptx.error.empty()) {
        std::snprintf(state->log, state->log_bytes, "%s", ptx.error.c_str());
        return invalid_ptx;
    }
    state->entries.insert(state->entries.end(), ptx.entries.begin(), ptx.entries.end());
    return success;
}

Code cuLinkComplete(LinkState state, void** image, std::size_t* bytes) {
    Context current = nullptr;
    if (const Code code = begin("cuLinkComplete", current)) return code;
    state->image = image_of(state->entries, machine().faults()->major);
    *image = state->image.data();
    *bytes = state->image.size();
    return success;
}

Code cuLinkDestroy(LinkState state) {
    delete state;
    machine().count_links(-1);
    return success;
}

Code cuModuleLoadData(Module* module, const void* image) {
    Context current = nullptr;
    if (const Code code = begin("cuModuleLoadData", current)) return code;
    const auto read = read_image(static_cast<const char*>(image));
    if (!read) return invalid_image;
    if (read->major != machine().faults()->major) return no_binary;
    auto made = std::make_shared<ModulePart>();
    for (const Entry& entry : read->entries)
        made->functions.push_back(std::make_unique<FunctionPart>(FunctionPart{entry}));
    *module = made.get();
    machine().add_module(current, std::move(made));
    return success;
}

Code cuModuleUnload(Module module) {
    Context current = nullptr;
    const Code code = begin("cuModuleUnload", current);
    if (current == nullptr || !machine().destroy_module(current, module))
        return machine().mistake("cuModuleUnload", invalid_handle);
    return code;
}

Code cuModuleGetFunction(Function* function, Module module, const char* name) {
    Context current = nullptr;
    if (const Code code = begin("cuModuleGetFunction", current)) return code;
    const auto found = std::ranges::find_if(
        module->functions, [&](const auto& each) { return each->entry.name == name; });
    if (found == module->functions.end()) return not_found;
    *function = found->get();
    return success;
}

Code cuFuncGetAttribute(int* value, FunctionAttribute attribute, Function) {
    Context current = nullptr;
    if (const Code code = begin("cuFuncGetAttribute", current)) return code;
    *value = attribute == register_count ? 32 : 16;
    return success;
}

Code cuLaunchKernel(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                    unsigned block_x, unsigned block_y, unsigned block_z, unsigned, Stream stream,
                    void** parameters, void**) {
    Context current = nullptr;
    if (const Code code = begin("cuLaunchKernel", current)) return code;
    constexpr unsigned most_threads = 1024, most_groups = 65535; // along y and z
    if (block_x == 0 || block_x * block_y * block_z > most_threads || grid_x > 0x7fffffff ||
        grid_y > most_groups || grid_z > most_groups)
        return invalid_value;
    Launch launch;
    launch.groups[0] = grid_x, launch.groups[1] = grid_y, launch.groups[2] = grid_z;
    for (std::size_t i = 0; i < function->entry.parameters.size(); ++i) {
        std::uint64_t value = 0;
        std::memcpy(&value, parameters[i], function->entry.parameters[i]);
        launch.parameters.push_back(value);
    }
    if (machine().faults()->next_launch_is_stuck()) machine().stick(current);
    const bool lost = machine().faults()->next_launch_is_lost();
    const bool hung = machine().faults()->next_launch_hangs();
    const bool to_host = std::ranges::any_of(launch.parameters, [](std::uint64_t value) {
        return machine().bytes_from(value) != 0 && machine().is_on_host(value);
    });
    const bool damaged = to_host && machine().faults()->next_download_is_damaged();
    if (!machine().add(stream, machine().launching(current, function->entry.name, std::move(launch),
                                                   lost, hung, damaged)))
        return machine().mistake("cuLaunchKernel", invalid_handle);
    return success;
}

} // extern "C"
