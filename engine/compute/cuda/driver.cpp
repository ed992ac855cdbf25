#include "compute/cuda/driver.h"

#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>

namespace blockloom::compute::cuda {

namespace {

std::atomic<bool> exiting{false};

} // namespace

bool is_exiting() noexcept {
    return exiting;
}

void watch_exit() {
    static std::atomic<int> times{0};
    constexpr int enough = 8; // the parts of a driver are few
    if (times++ < enough) std::atexit([] { exiting = true; });
}

std::string Driver::text_of(Code code) const {
    const char *name = nullptr, *text = nullptr;
    if (error_name(code, &name) != success || name == nullptr)
        return fmt::format("CUDA error {}", code);
    if (error_text(code, &text) != success || text == nullptr) return name;
    return fmt::format("{} ({})", name, text);
}

Result<std::shared_ptr<const Driver>> load_driver(const std::string& library) {
    void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* const why = ::dlerror(); // begins with the library's name
        return Error{ErrorCode::unavailable,
                     fmt::format("no CUDA driver: {}", why != nullptr ? why : library.c_str())};
    }
    auto driver = std::make_shared<Driver>();
    std::string missing;
    const auto find = [&]<typename F>(F*& function, const char* name) {
        function = reinterpret_cast<F*>(::dlsym(handle, name));
        if (function == nullptr && missing.empty()) missing = name;
    };
    find(driver->init, "cuInit");
    find(driver->driver_version, "cuDriverGetVersion");
    find(driver->device_count, "cuDeviceGetCount");
    find(driver->device, "cuDeviceGet");
    find(driver->device_name, "cuDeviceGetName");
    find(driver->device_attribute, "cuDeviceGetAttribute");
    find(driver->device_memory, "cuDeviceTotalMem_v2");
    find(driver->device_uuid, "cuDeviceGetUuid");
    find(driver->context_create, "cuCtxCreate_v2");
    find(driver->context_destroy, "cuCtxDestroy_v2");
    find(driver->context_push, "cuCtxPushCurrent_v2");
    find(driver->context_pop, "cuCtxPopCurrent_v2");
    find(driver->memory_info, "cuMemGetInfo_v2");
    find(driver->allocate, "cuMemAlloc_v2");
    find(driver->free, "cuMemFree_v2");
    find(driver->host_allocate, "cuMemHostAlloc");
    find(driver->host_free, "cuMemFreeHost");
    find(driver->host_pointer, "cuMemHostGetDevicePointer_v2");
    find(driver->copy, "cuMemcpyAsync");
    find(driver->fill, "cuMemsetD32Async");
    find(driver->stream_create, "cuStreamCreate");
    find(driver->stream_destroy, "cuStreamDestroy_v2");
    find(driver->stream_wait, "cuStreamWaitEvent");
    find(driver->event_create, "cuEventCreate");
    find(driver->event_destroy, "cuEventDestroy_v2");
    find(driver->event_record, "cuEventRecord");
    find(driver->event_query, "cuEventQuery");
    find(driver->event_elapsed, "cuEventElapsedTime");
    find(driver->link_create, "cuLinkCreate_v2");
    find(driver->link_add, "cuLinkAddData_v2");
    find(driver->link_complete, "cuLinkComplete");
    find(driver->link_destroy, "cuLinkDestroy");
    find(driver->module_load, "cuModuleLoadData");
    find(driver->module_unload, "cuModuleUnload");
    find(driver->module_function, "cuModuleGetFunction");
    find(driver->function_attribute, "cuFuncGetAttribute");
    find(driver->launch, "cuLaunchKernel");
    find(driver->error_name, "cuGetErrorName");
    find(driver->error_text, "cuGetErrorString");
    if (!missing.empty()) {
        ::dlclose(handle);
        return Error{ErrorCode::unavailable,
                     fmt::format("the CUDA driver is too old: {} has no {}", library, missing)};
    }
    return std::shared_ptr<const Driver>(std::move(driver));
}

} // namespace blockloom::compute::cuda
