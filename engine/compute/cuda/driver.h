// The functions of the CUDA driver that are used here, loaded when they are first needed: no
// toolkit is needed to build or run. Names, types and values are those of NVIDIA's "CUDA Driver
// API" reference.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace blockloom::compute::cuda {

using Device = int;
using Pointer = unsigned long long; ///< CUdeviceptr
using Context = struct ContextPart*;
using Stream = struct StreamPart*;
using Event = struct EventPart*;
using Module = struct ModulePart*;
using Function = struct FunctionPart*;
using LinkState = struct LinkStatePart*;
struct Uuid {
    unsigned char bytes[16];
};

/// CUresult; others only have their names.
enum Outcome : int {
    success = 0,
    invalid_value = 1,
    out_of_memory_ = 2,
    invalid_image = 200,
    invalid_context = 201,
    no_binary = 209,
    memory_error = 214, ///< CUDA_ERROR_ECC_UNCORRECTABLE
    invalid_ptx = 218,
    unsupported_ptx = 222,
    not_found = 500,
    not_ready = 600,
    out_of_resources = 701,
    not_supported = 801,
};
using Code = int;

/// CUdevice_attribute
enum Attribute : int {
    max_threads_per_block = 1,
    max_grid_x = 5,
    max_shared_per_block = 8,
    warp_size = 10,
    multiprocessors = 16,
    integrated = 18,
    compute_mode = 20,
    async_engines = 40,
    unified_addressing = 41,
    capability_major = 75,
    capability_minor = 76,
};
/// CUfunction_attribute
enum FunctionAttribute : int { local_bytes = 3, register_count = 4 };
/// CUjit_option
enum JitOption : int {
    jit_max_registers = 0,
    jit_error_log = 5,
    jit_error_log_bytes = 6,
    jit_level = 7,
};
enum JitInput : int { jit_input_ptx = 1 };

inline constexpr unsigned stream_non_blocking = 1, event_plain = 0, event_without_time = 2,
                          host_portable = 1, host_mapped = 2;
/// What `cuDriverGetVersion` must give at least: CUDA 11.0, which knows the PTX that is made here.
inline constexpr int least_version = 11000;

struct Driver {
    Code (*init)(unsigned flags);
    Code (*driver_version)(int* version);
    Code (*device_count)(int* count);
    Code (*device)(Device* device, int index);
    Code (*device_name)(char* name, int bytes, Device device);
    Code (*device_attribute)(int* value, Attribute attribute, Device device);
    Code (*device_memory)(std::size_t* bytes, Device device);
    Code (*device_uuid)(Uuid* uuid, Device device);
    Code (*context_create)(Context* context, unsigned flags, Device device);
    Code (*context_destroy)(Context context);
    Code (*context_push)(Context context);
    Code (*context_pop)(Context* context);
    Code (*memory_info)(std::size_t* free, std::size_t* all);
    Code (*allocate)(Pointer* pointer, std::size_t bytes);
    Code (*free)(Pointer pointer);
    Code (*host_allocate)(void** pointer, std::size_t bytes, unsigned flags);
    Code (*host_free)(void* pointer);
    Code (*host_pointer)(Pointer* device, void* host, unsigned flags);
    Code (*copy)(Pointer to, Pointer from, std::size_t bytes, Stream stream);
    Code (*fill)(Pointer to, unsigned word, std::size_t words, Stream stream);
    Code (*stream_create)(Stream* stream, unsigned flags);
    Code (*stream_destroy)(Stream stream);
    Code (*stream_wait)(Stream stream, Event event, unsigned flags);
    Code (*event_create)(Event* event, unsigned flags);
    Code (*event_destroy)(Event event);
    Code (*event_record)(Event event, Stream stream);
    Code (*event_query)(Event event);
    Code (*event_elapsed)(float* milliseconds, Event begin, Event end);
    Code (*link_create)(unsigned count, JitOption* options, void** values, LinkState* state);
    Code (*link_add)(LinkState state, JitInput kind, void* data, std::size_t bytes,
                     const char* name, unsigned count, JitOption* options, void** values);
    Code (*link_complete)(LinkState state, void** image, std::size_t* bytes);
    Code (*link_destroy)(LinkState state);
    Code (*module_load)(Module* module, const void* image);
    Code (*module_unload)(Module module);
    Code (*module_function)(Function* function, Module module, const char* name);
    Code (*function_attribute)(int* value, FunctionAttribute attribute, Function function);
    Code (*launch)(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   Stream stream, void** parameters, void** extra);
    Code (*error_name)(Code code, const char** name);
    Code (*error_text)(Code code, const char** text);

    /// "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)"
    [[nodiscard]] std::string text_of(Code code) const;
};

inline constexpr const char* library_name = "libcuda.so.1";

/// The process exits and the driver has ended its work, or is about to: what is still there must
/// not be given back to it.
[[nodiscard]] bool is_exiting() noexcept;
/// Call it after whatever makes the driver load more of itself: its parts end themselves at the
/// exit of the process, those that came last first.
void watch_exit();

/// The driver in a library, which stays loaded. `unavailable` if it is missing or lacks a function.
[[nodiscard]] Result<std::shared_ptr<const Driver>> load_driver(const std::string& library);

} // namespace blockloom::compute::cuda
