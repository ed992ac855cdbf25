// The exported functions: each is the real one, unless a fault is asked for.
#include "compute/fault_cuda/faulty_driver.h"
#include "native/lanes/lane_ptx.h"

#include <string_view>

using namespace blockloom::fault_cuda;

namespace {

FaultyDriver& driver() {
    return FaultyDriver::instance();
}

} // namespace

#define EXPORTED __attribute__((visibility("default")))
/// A function without a fault of its own, by its names in the driver and in `Driver`.
#define FORWARDED(name, member, where, parameters, arguments)                                      \
    EXPORTED Code name parameters {                                                                \
        return driver().call(#name, Works::where,                                                  \
                             [&](const Driver& real) { return real.member arguments; });           \
    }

extern "C" {

EXPORTED Code cuInit(unsigned flags) {
    return driver().start(flags);
}

EXPORTED Code cuDriverGetVersion(int* version) {
    return driver().call("cuDriverGetVersion", Works::anywhere, [&](const Driver& real) {
        const Code code = real.driver_version(version);
        *version = driver().version(*version);
        return code;
    });
}

EXPORTED Code cuCtxCreate_v2(Context* context, unsigned flags, Device device) {
    return driver().call("cuCtxCreate_v2", Works::anywhere, [&](const Driver& real) {
        driver().begin_context();
        return real.context_create(context, flags, device);
    });
}

EXPORTED Code cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
    return driver().call("cuMemHostAlloc", Works::in_a_context, [&](const Driver& real) {
        const Code code = real.host_allocate(pointer, bytes, flags);
        if (code == success) driver().add_host_memory(*pointer, bytes);
        return code;
    });
}

EXPORTED Code cuMemFreeHost(void* pointer) {
    return driver().call("cuMemFreeHost", Works::in_a_context, [&](const Driver& real) {
        driver().drop_host_memory(pointer);
        return real.host_free(pointer);
    });
}

EXPORTED Code cuMemcpyAsync(Pointer to, Pointer from, std::size_t bytes, Stream stream) {
    return driver().call("cuMemcpyAsync", Works::in_a_context, [&](const Driver& real) {
        const Code code = real.copy(to, from, bytes, stream);
        return code == success ? driver().damage(to, bytes, stream) : code;
    });
}

EXPORTED Code cuLaunchKernel(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                             unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                             Stream stream, void** parameters, void** extra) {
    return driver().call("cuLaunchKernel", Works::in_a_context, [&](const Driver& real) {
        const char* const instead = driver().instead_of_launch();
        const char* const before = driver().before_launch();
        if (const Code code = driver().stick(stream)) return code;
        if (instead != nullptr) return driver().launch(instead, stream);
        if (before != nullptr)
            if (const Code code = driver().launch(before, stream)) return code;
        const Code code = real.launch(function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                                      shared, stream, parameters, extra);
        return code == success ? driver().damage_results(function, parameters, stream) : code;
    });
}

EXPORTED Code cuModuleGetFunction(Function* function, Module module, const char* name) {
    return driver().call("cuModuleGetFunction", Works::in_a_context, [&](const Driver& real) {
        const Code code = real.module_function(function, module, name);
        if (code == success && std::string_view(name) == blockloom::native::lane_entry)
            driver().add_lanes(*function);
        return code;
    });
}

// clang-format off
FORWARDED(cuDeviceGetCount, device_count, anywhere, (int* count), (count))
FORWARDED(cuDeviceGet, device, anywhere, (Device* device, int index), (device, index))
FORWARDED(cuDeviceGetName, device_name, anywhere, (char* name, int bytes, Device device), (name, bytes, device))
FORWARDED(cuDeviceGetAttribute, device_attribute, anywhere, (int* value, Attribute which, Device device), (value, which, device))
FORWARDED(cuDeviceTotalMem_v2, device_memory, anywhere, (std::size_t* bytes, Device device), (bytes, device))
FORWARDED(cuDeviceGetUuid, device_uuid, anywhere, (Uuid* uuid, Device device), (uuid, device))
FORWARDED(cuCtxDestroy_v2, context_destroy, anywhere, (Context context), (context))
FORWARDED(cuCtxPushCurrent_v2, context_push, anywhere, (Context context), (context))
FORWARDED(cuCtxPopCurrent_v2, context_pop, anywhere, (Context* context), (context))
FORWARDED(cuMemGetInfo_v2, memory_info, in_a_context, (std::size_t* free, std::size_t* all), (free, all))
FORWARDED(cuMemAlloc_v2, allocate, in_a_context, (Pointer* pointer, std::size_t bytes), (pointer, bytes))
FORWARDED(cuMemFree_v2, free, in_a_context, (Pointer pointer), (pointer))
FORWARDED(cuMemHostGetDevicePointer_v2, host_pointer, in_a_context, (Pointer* device, void* host, unsigned flags), (device, host, flags))
FORWARDED(cuMemsetD32Async, fill, in_a_context, (Pointer to, unsigned word, std::size_t words, Stream stream), (to, word, words, stream))
FORWARDED(cuStreamCreate, stream_create, in_a_context, (Stream* stream, unsigned flags), (stream, flags))
FORWARDED(cuStreamDestroy_v2, stream_destroy, in_a_context, (Stream stream), (stream))
FORWARDED(cuStreamWaitEvent, stream_wait, in_a_context, (Stream stream, Event event, unsigned flags), (stream, event, flags))
FORWARDED(cuEventCreate, event_create, in_a_context, (Event* event, unsigned flags), (event, flags))
FORWARDED(cuEventDestroy_v2, event_destroy, in_a_context, (Event event), (event))
FORWARDED(cuEventRecord, event_record, in_a_context, (Event event, Stream stream), (event, stream))
FORWARDED(cuEventQuery, event_query, in_a_context, (Event event), (event))
FORWARDED(cuEventElapsedTime, event_elapsed, in_a_context, (float* milliseconds, Event begin, Event end), (milliseconds, begin, end))
FORWARDED(cuLinkCreate_v2, link_create, in_a_context, (unsigned count, JitOption* options, void** values, LinkState* state), (count, options, values, state))
FORWARDED(cuLinkAddData_v2, link_add, in_a_context,
          (LinkState state, JitInput kind, void* data, std::size_t bytes, const char* name, unsigned count, JitOption* options, void** values),
          (state, kind, data, bytes, name, count, options, values))
FORWARDED(cuLinkComplete, link_complete, in_a_context, (LinkState state, void** image, std::size_t* bytes), (state, image, bytes))
FORWARDED(cuLinkDestroy, link_destroy, in_a_context, (LinkState state), (state))
FORWARDED(cuModuleLoadData, module_load, in_a_context, (Module* module, const void* image), (module, image))
FORWARDED(cuModuleUnload, module_unload, in_a_context, (Module module), (module))
FORWARDED(cuFuncGetAttribute, function_attribute, in_a_context, (int* value, FunctionAttribute which, Function function), (value, which, function))
FORWARDED(cuGetErrorName, error_name, anywhere, (Code code, const char** name), (code, name))
FORWARDED(cuGetErrorString, error_text, anywhere, (Code code, const char** text), (code, text))
// clang-format on

} // extern "C"
