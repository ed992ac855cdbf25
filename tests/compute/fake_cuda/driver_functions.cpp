// The exported functions for devices, contexts, memory, streams and events.
#include "compute/fake_cuda/driver_functions.h"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace blockloom::fake_cuda {

std::vector<Context>& context_stack() {
    // Never destroyed: providers may close after the variables of their thread are.
    thread_local auto* const stack = new std::vector<Context>;
    return *stack;
}

Code begin_without_context(const char* function) {
    return Machine::instance().begin(function, nullptr);
}

Code begin(const char* function, Context& current) {
    Machine& machine = Machine::instance();
    if (context_stack().empty() || !machine.has(context_stack().back()))
        return machine.mistake(function, compute::cuda::invalid_context);
    current = context_stack().back();
    return machine.begin(function, current);
}

} // namespace blockloom::fake_cuda

using namespace blockloom::fake_cuda;
using namespace blockloom::compute::cuda;

namespace {

Machine& machine() {
    return Machine::instance();
}

bool has_device(Device device) {
    return device >= 0 && device < machine().faults()->devices;
}

/// Of a function that frees: it does so in a lost context too, which is an error all the same.
Code freed(const char* function, Code code, bool done) {
    return done ? code : machine().mistake(function, invalid_handle);
}

} // namespace

extern "C" {

Control* fake_cuda_control() {
    return &machine();
}

Code cuInit(unsigned) {
    const char* const faults = std::getenv("FAKE_CUDA");
    machine().start(faults == nullptr ? "" : faults);
    while (machine().faults()->hang) ::pause();
    if (machine().faults()->crash) {
        std::signal(SIGSEGV, SIG_DFL);
        std::raise(SIGSEGV);
    }
    if (machine().faults()->leave) ::_exit(0);
    return begin_without_context("cuInit");
}

Code cuDriverGetVersion(int* version) {
    if (const Code code = begin_without_context("cuDriverGetVersion")) return code;
    *version = machine().faults()->version;
    return success;
}

Code cuDeviceGetCount(int* count) {
    if (const Code code = begin_without_context("cuDeviceGetCount")) return code;
    *count = machine().faults()->devices;
    return success;
}

Code cuDeviceGet(Device* device, int index) {
    if (const Code code = begin_without_context("cuDeviceGet")) return code;
    if (!has_device(index)) return invalid_device;
    *device = index;
    return success;
}

Code cuDeviceGetName(char* name, int bytes, Device device) {
    if (const Code code = begin_without_context("cuDeviceGetName")) return code;
    if (!has_device(device)) return invalid_device;
    std::snprintf(name, static_cast<std::size_t>(bytes), "Fake GPU %d", device);
    return success;
}

Code cuDeviceGetAttribute(int* value, Attribute attribute, Device device) {
    if (const Code code = begin_without_context("cuDeviceGetAttribute")) return code;
    if (!has_device(device)) return invalid_device;
    const Faults& faults = *machine().faults();
    for (const auto& [which, is] : {std::pair{max_threads_per_block, 1024},
                                    {max_grid_x, 0x7fffffff},
                                    {max_shared_per_block, 49152},
                                    {warp_size, 32},
                                    {multiprocessors, 4},
                                    {integrated, 0},
                                    {compute_mode, faults.prohibited ? 2 : 0},
                                    {async_engines, 2},
                                    {unified_addressing, faults.apart ? 0 : 1},
                                    {capability_major, faults.major},
                                    {capability_minor, 0}})
        if (which == attribute) {
            *value = is;
            return success;
        }
    return invalid_value;
}

Code cuDeviceTotalMem_v2(std::size_t* bytes, Device device) {
    if (const Code code = begin_without_context("cuDeviceTotalMem_v2")) return code;
    if (!has_device(device)) return invalid_device;
    *bytes = machine().faults()->memory;
    return success;
}

Code cuDeviceGetUuid(Uuid* uuid, Device device) {
    if (const Code code = begin_without_context("cuDeviceGetUuid")) return code;
    if (!has_device(device)) return invalid_device;
    std::memset(uuid->bytes, 0xfa, sizeof uuid->bytes);
    uuid->bytes[15] = static_cast<unsigned char>(device);
    return success;
}

Code cuCtxCreate_v2(Context* context, unsigned, Device device) {
    if (const Code code = begin_without_context("cuCtxCreate_v2")) return code;
    if (!has_device(device)) return invalid_device;
    *context = machine().make_context(device);
    context_stack().push_back(*context);
    return success;
}

Code cuCtxDestroy_v2(Context context) {
    std::erase(context_stack(), context);
    if (!machine().destroy(context)) return machine().mistake("cuCtxDestroy_v2", invalid_context);
    return success;
}

Code cuCtxPushCurrent_v2(Context context) {
    if (!machine().has(context)) return machine().mistake("cuCtxPushCurrent_v2", invalid_context);
    context_stack().push_back(context);
    return success;
}

Code cuCtxPopCurrent_v2(Context* context) {
    if (context_stack().empty()) return machine().mistake("cuCtxPopCurrent_v2", invalid_context);
    *context = context_stack().back();
    context_stack().pop_back();
    return success;
}

Code cuMemGetInfo_v2(std::size_t* free, std::size_t* all) {
    Context current = nullptr;
    if (const Code code = begin("cuMemGetInfo_v2", current)) return code;
    *all = machine().faults()->memory;
    *free = *all - machine().device_bytes();
    return success;
}

Code cuMemAlloc_v2(Pointer* pointer, std::size_t bytes) {
    Context current = nullptr;
    if (const Code code = begin("cuMemAlloc_v2", current)) return code;
    if (bytes == 0) return invalid_value;
    *pointer = machine().allocate(current, bytes, false);
    return *pointer != 0 ? success : out_of_memory_;
}

Code cuMemFree_v2(Pointer pointer) {
    Context current = nullptr;
    const Code code = begin("cuMemFree_v2", current);
    return freed("cuMemFree_v2", code, machine().free(pointer, false));
}

Code cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned) {
    Context current = nullptr;
    if (const Code code = begin("cuMemHostAlloc", current)) return code;
    const std::uint64_t address = machine().allocate(current, bytes, true);
    *pointer = reinterpret_cast<void*>(address);
    return address != 0 ? success : out_of_memory_;
}

Code cuMemFreeHost(void* pointer) {
    Context current = nullptr;
    const Code code = begin("cuMemFreeHost", current);
    return freed("cuMemFreeHost", code,
                 machine().free(reinterpret_cast<std::uint64_t>(pointer), true));
}

Code cuMemHostGetDevicePointer_v2(Pointer* device, void* host, unsigned) {
    Context current = nullptr;
    if (const Code code = begin("cuMemHostGetDevicePointer_v2", current)) return code;
    const auto address = reinterpret_cast<std::uint64_t>(host);
    if (!machine().is_on_host(address)) return invalid_value;
    *device = address;
    return success;
}

Code cuMemcpyAsync(Pointer to, Pointer from, std::size_t bytes, Stream stream) {
    Context current = nullptr;
    if (const Code code = begin("cuMemcpyAsync", current)) return code;
    const bool damaged = machine().is_on_host(to) && machine().faults()->next_download_is_damaged();
    if (!machine().add(stream, machine().copying(current, to, from, bytes, damaged)))
        return machine().mistake("cuMemcpyAsync", invalid_handle);
    return success;
}

Code cuMemsetD32Async(Pointer to, unsigned word, std::size_t words, Stream stream) {
    Context current = nullptr;
    if (const Code code = begin("cuMemsetD32Async", current)) return code;
    if (!machine().add(stream, machine().filling(current, to, word, words)))
        return machine().mistake("cuMemsetD32Async", invalid_handle);
    return success;
}

Code cuStreamCreate(Stream* stream, unsigned) {
    Context current = nullptr;
    if (const Code code = begin("cuStreamCreate", current)) return code;
    *stream = machine().make_stream(current);
    return success;
}

Code cuStreamDestroy_v2(Stream stream) {
    Context current = nullptr;
    const Code code = begin("cuStreamDestroy_v2", current);
    return freed("cuStreamDestroy_v2", code, machine().destroy(stream));
}

Code cuStreamWaitEvent(Stream stream, Event event, unsigned) {
    Context current = nullptr;
    if (const Code code = begin("cuStreamWaitEvent", current)) return code;
    if (!machine().hold_until(event, stream))
        return machine().mistake("cuStreamWaitEvent", invalid_handle);
    return success;
}

Code cuEventCreate(Event* event, unsigned flags) {
    Context current = nullptr;
    if (const Code code = begin("cuEventCreate", current)) return code;
    *event = machine().make_event(current, (flags & event_without_time) == 0);
    return success;
}

Code cuEventDestroy_v2(Event event) {
    Context current = nullptr;
    const Code code = begin("cuEventDestroy_v2", current);
    return freed("cuEventDestroy_v2", code, machine().destroy(event));
}

Code cuEventRecord(Event event, Stream stream) {
    Context current = nullptr;
    if (const Code code = begin("cuEventRecord", current)) return code;
    if (!machine().record(event, stream)) return machine().mistake("cuEventRecord", invalid_handle);
    return success;
}

Code cuEventQuery(Event event) {
    Context current = nullptr;
    if (const Code code = begin("cuEventQuery", current)) return code;
    const Code code = machine().query(event);
    return code == invalid_handle ? machine().mistake("cuEventQuery", code) : code;
}

Code cuEventElapsedTime(float* milliseconds, Event begun, Event ended) {
    Context current = nullptr;
    if (const Code code = begin("cuEventElapsedTime", current)) return code;
    const Code code = machine().elapsed(milliseconds, begun, ended);
    return code == invalid_handle ? machine().mistake("cuEventElapsedTime", code) : code;
}

Code cuGetErrorName(Code code, const char** name) {
    for (const auto& [known, text] : {std::pair<Code, const char*>{success, "CUDA_SUCCESS"},
                                      {invalid_value, "CUDA_ERROR_INVALID_VALUE"},
                                      {out_of_memory_, "CUDA_ERROR_OUT_OF_MEMORY"},
                                      {not_initialized, "CUDA_ERROR_NOT_INITIALIZED"},
                                      {no_device, "CUDA_ERROR_NO_DEVICE"},
                                      {invalid_image, "CUDA_ERROR_INVALID_IMAGE"},
                                      {no_binary, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
                                      {invalid_ptx, "CUDA_ERROR_INVALID_PTX"},
                                      {not_found, "CUDA_ERROR_NOT_FOUND"},
                                      {illegal_address, "CUDA_ERROR_ILLEGAL_ADDRESS"},
                                      {out_of_resources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
                                      {launch_failed, "CUDA_ERROR_LAUNCH_FAILED"}})
        if (known == code) {
            *name = text;
            return success;
        }
    return invalid_value;
}

Code cuGetErrorString(Code code, const char** text) {
    *text = code == launch_failed ? "unspecified launch failure" : nullptr;
    return *text != nullptr ? success : invalid_value;
}

} // extern "C"

// The same types as the provider calls them with.
static_assert(std::is_same_v<decltype(&cuMemcpyAsync), decltype(Driver::copy)>);
static_assert(std::is_same_v<decltype(&cuMemsetD32Async), decltype(Driver::fill)>);
static_assert(std::is_same_v<decltype(&cuEventElapsedTime), decltype(Driver::event_elapsed)>);
