#include "compute/vulkan/spirv_check.h"

#include "compute/errors.h"

#include <array>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.hpp11>

namespace blockloom::compute {
namespace {

using spv::Capability;

struct Need {
    Capability capability;
    const char* name;
    bool Features::*flag; ///< null: never enabled
};

constexpr std::array needs{
    Need{Capability::Float16, "Float16", nullptr},
    Need{Capability::Float64, "Float64", nullptr},
    Need{Capability::Int64, "Int64", &Features::int64},
    Need{Capability::Int64Atomics, "Int64Atomics", &Features::int64_atomics},
    Need{Capability::Int16, "Int16", &Features::int16},
    Need{Capability::Int8, "Int8", &Features::int8},
    Need{Capability::GroupNonUniform, "GroupNonUniform", &Features::subgroup_basic},
    Need{Capability::GroupNonUniformVote, "GroupNonUniformVote", &Features::subgroup_vote},
    Need{Capability::GroupNonUniformArithmetic, "GroupNonUniformArithmetic",
         &Features::subgroup_arithmetic},
    Need{Capability::GroupNonUniformBallot, "GroupNonUniformBallot", &Features::subgroup_ballot},
    Need{Capability::GroupNonUniformShuffle, "GroupNonUniformShuffle", &Features::subgroup_shuffle},
    Need{Capability::StorageBuffer16BitAccess, "StorageBuffer16BitAccess",
         &Features::storage_16bit},
    Need{Capability::StorageBuffer8BitAccess, "StorageBuffer8BitAccess", &Features::storage_8bit},
    Need{Capability::UniformAndStorageBuffer8BitAccess, "UniformAndStorageBuffer8BitAccess",
         nullptr},
    Need{Capability::ShaderClockKHR, "ShaderClockKHR", &Features::shader_device_clock},
    Need{Capability::VulkanMemoryModel, "VulkanMemoryModel", &Features::memory_model},
    Need{Capability::VulkanMemoryModelDeviceScope, "VulkanMemoryModelDeviceScope",
         &Features::memory_model},
    Need{Capability::PhysicalStorageBufferAddresses, "PhysicalStorageBufferAddresses",
         &Features::buffer_address},
};

/// What the parser reports of a module, and why it is refused.
struct Reading {
    const Features& features;
    const Limits& limits;
    std::optional<std::string> refusal{};
    std::uint32_t main_id = 0;
    spv::Op last = spv::Op::OpNop;
    bool main_defined = false;

    spv_result_t refuse(std::string why) {
        refusal = std::move(why);
        return SPV_REQUESTED_TERMINATION;
    }
    spv_result_t instruction(std::span<const std::uint32_t> words, spv::Op op);
};

/// The parser has checked that the number of words matches the operation.
spv_result_t Reading::instruction(std::span<const std::uint32_t> words, spv::Op op) {
    last = op;
    switch (op) {
    case spv::Op::OpCapability:
        for (const Need& need : needs)
            if (static_cast<Capability>(words[1]) == need.capability &&
                (need.flag == nullptr || !(features.*need.flag)))
                return refuse(fmt::format("it needs {}, which this device lacks", need.name));
        break;
    case spv::Op::OpEntryPoint: // model, id, name (which ends with a zero), interface
        if (static_cast<spv::ExecutionModel>(words[1]) == spv::ExecutionModel::GLCompute &&
            std::strcmp(reinterpret_cast<const char*>(&words[3]), "main") == 0)
            main_id = words[2];
        break;
    case spv::Op::OpExecutionMode:
        if (static_cast<spv::ExecutionMode>(words[2]) == spv::ExecutionMode::LocalSize)
            if (const std::uint64_t invocations = std::uint64_t{words[3]} * words[4] * words[5];
                invocations > limits.max_workgroup_invocations)
                return refuse(fmt::format("workgroups of {} invocations, at most {}", invocations,
                                          limits.max_workgroup_invocations));
        break;
    case spv::Op::OpFunction:
        main_defined = main_defined || (main_id != 0 && words[2] == main_id);
        break;
    default:
        break;
    }
    return SPV_SUCCESS;
}

spv_result_t on_header(void*, spv_endianness_t, std::uint32_t, std::uint32_t, std::uint32_t,
                       std::uint32_t, std::uint32_t) {
    return SPV_SUCCESS; // check_spirv has validated it
}

spv_result_t on_instruction(void* reading, const spv_parsed_instruction_t* found) {
    return static_cast<Reading*>(reading)->instruction({found->words, found->num_words},
                                                       static_cast<spv::Op>(found->opcode));
}

} // namespace

Status check_spirv(const std::string& name, std::span<const std::uint32_t> words,
                   const Features& features, const Limits& limits, std::uint32_t newest_version) {
    const auto refused = [&name](std::string_view why) {
        return Error{kernel_refused, fmt::format("kernel {}: {}", name, why)};
    };
    // The parser does not say what is wrong with a header.
    if (words.empty() || words[0] != spv::MagicNumber)
        return refused(fmt::format("SPIR-V starts with {:#010x}, expected {:#010x}",
                                   words.empty() ? 0 : words[0], spv::MagicNumber));
    if (const std::uint32_t version = words.size() > 1 ? words[1] : 0; version > newest_version)
        return refused(fmt::format("SPIR-V version {}.{} is too new", version >> 16 & 0xff,
                                   version >> 8 & 0xff));
    const std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)> context(
        spvContextCreate(SPV_ENV_VULKAN_1_3), spvContextDestroy);
    Reading reading{features, limits};
    spv_diagnostic said = nullptr;
    const spv_result_t result = spvBinaryParse(context.get(), &reading, words.data(), words.size(),
                                               on_header, on_instruction, &said);
    const std::unique_ptr<spv_diagnostic_t, decltype(&spvDiagnosticDestroy)> diagnostic(
        said, spvDiagnosticDestroy);
    if (reading.refusal) return refused(*reading.refusal);
    if (result != SPV_SUCCESS)
        return refused(fmt::format("SPIR-V: {}", said == nullptr ? "not readable" : said->error));
    if (!reading.main_defined) return refused("no compute entry point \"main\"");
    // A module that was cut off between two instructions.
    if (reading.last != spv::Op::OpFunctionEnd) return refused("SPIR-V ends inside a function");
    return {};
}

} // namespace blockloom::compute
