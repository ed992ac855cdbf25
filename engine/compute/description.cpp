#include "compute/description.h"

#include "compute/errors.h"

#include <array>
#include <utility>

namespace blockloom::compute {
namespace {

struct Named {
    const char* name;
    bool Features::*flag;
};

constexpr std::array all_features{
    Named{"int64", &Features::int64},
    Named{"int16", &Features::int16},
    Named{"int8", &Features::int8},
    Named{"storage_16bit", &Features::storage_16bit},
    Named{"storage_8bit", &Features::storage_8bit},
    Named{"int64_atomics", &Features::int64_atomics},
    Named{"buffer_address", &Features::buffer_address},
    Named{"memory_model", &Features::memory_model},
    Named{"scalar_layout", &Features::scalar_layout},
    Named{"subgroup_basic", &Features::subgroup_basic},
    Named{"subgroup_vote", &Features::subgroup_vote},
    Named{"subgroup_arithmetic", &Features::subgroup_arithmetic},
    Named{"subgroup_ballot", &Features::subgroup_ballot},
    Named{"subgroup_shuffle", &Features::subgroup_shuffle},
    Named{"subgroup_extended_types", &Features::subgroup_extended_types},
    Named{"subgroup_uniform_control_flow", &Features::subgroup_uniform_control_flow},
    Named{"maximal_reconvergence", &Features::maximal_reconvergence},
    Named{"shader_device_clock", &Features::shader_device_clock},
    Named{"host_visible_device_memory", &Features::host_visible_device_memory},
    Named{"memory_budget", &Features::memory_budget},
};

std::vector<std::string> named(const Features& features, bool there) {
    std::vector<std::string> names;
    for (const Named& feature : all_features)
        if (features.*feature.flag == there) names.emplace_back(feature.name);
    return names;
}

} // namespace

const char* name_of(DeviceKind kind) noexcept {
    switch (kind) {
    case DeviceKind::processor:
        return "processor";
    case DeviceKind::gpu:
        return "discrete GPU";
    case DeviceKind::shared_gpu:
        return "integrated GPU";
    case DeviceKind::virtual_gpu:
        return "virtual GPU";
    case DeviceKind::software:
        return "software";
    case DeviceKind::other:
        break;
    }
    return "other";
}

const char* name_of(ClockSource source) noexcept {
    switch (source) {
    case ClockSource::host:
        return "host";
    case ClockSource::calibrated:
        return "calibrated";
    case ClockSource::measured:
        return "measured";
    case ClockSource::none:
        break;
    }
    return "none";
}

std::vector<std::string> present(const Features& features) {
    return named(features, true);
}

std::vector<std::string> missing(const Features& features) {
    return named(features, false);
}

const char* device_error_name(ErrorCode code) noexcept {
    if (code == device_lost) return "device_lost";
    if (code == out_of_memory) return "out_of_memory";
    if (code == timed_out) return "timed_out";
    if (code == kernel_refused) return "kernel_refused";
    if (code == misused) return "misused";
    if (code == corrupted) return "corrupted";
    return "";
}

} // namespace blockloom::compute
