// blockloom-cli devices: what can run or draw here, what is missing and why, what `auto` chooses.
#include "vulkan/devices.h"
#include "base/number_text.h"
#include "command.h"
#include "compute/kept_kernels.h"
#include "compute/selection.h"
#include "terminal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace blockloom::cli {
namespace {

using Json = nlohmann::ordered_json;

struct DevicesOptions {
    bool json = false;
    std::string backend;
    std::optional<std::uint32_t> device;
};

/// Everything that is shown, as text and JSON.
struct Answer {
    std::vector<compute::Description> devices;
    compute::Choice choice;
    compute::Settings settings;
    std::string drawing;
};

std::string shown_name(const compute::Description& device) {
    return device.name.empty() ? "—" : device.name;
}

Json limits_json(const compute::Description& device) {
    const compute::Limits& limits = device.limits;
    Json json = Json::object();
    if (device.name.empty()) return json;
    if (device.backend == "cpu")
        return {{"cores", limits.cores}, {"max_buffer_bytes", limits.max_buffer_bytes}};
    json = {{"max_buffer_bytes", limits.max_buffer_bytes},
            {"max_storage_buffer_bytes", limits.max_binding_bytes},
            {"max_storage_buffers", limits.max_bindings},
            {"max_push_bytes", limits.max_push_bytes},
            {"max_workgroup_invocations", limits.max_workgroup_invocations},
            {"max_groups", limits.max_groups},
            {"max_shared_bytes", limits.max_shared_bytes},
            {"subgroup_size", limits.subgroup_size},
            {"queues", limits.queues}};
    return json;
}

/// Null: the backend keeps none.
Json kept_json(const compute::Description& device) {
    const auto kept = compute::kept_kernels(device, compute::cache_folder());
    if (!kept) return {};
    return {{"folder", kept->folder},     {"why", kept->why.empty() ? Json() : Json(kept->why)},
            {"programs", kept->programs}, {"notes", kept->notes},
            {"bytes", kept->bytes},       {"limit", kept->limit}};
}

Json device_json(const compute::Description& device) {
    Json json{
        {"backend", device.backend},     {"name", shown_name(device)},
        {"available", device.usable()},  {"why", device.why.empty() ? Json() : Json(device.why)},
        {"memory", device.memory_bytes}, {"limits", limits_json(device)}};
    if (device.name.empty()) return json;
    json["index"] = device.index;
    json["type"] = compute::name_of(device.kind);
    if (device.backend == "cpu") return json;
    json["api"] = device.api;
    json["driver"] = device.driver;
    json["features"] = compute::present(device.features);
    json["missing"] = compute::missing(device.features);
    json["kept_code"] = kept_json(device);
    return json;
}

std::string as_json(const Answer& answer) {
    Json devices = Json::array();
    for (const compute::Description& device : answer.devices)
        devices.push_back(device_json(device));
    Json measured = Json::array();
    for (const auto& [device, throughput] : answer.choice.measured)
        measured.push_back({{"backend", device.backend},
                            {"name", device.name},
                            {"operations_per_second", throughput.operations_per_second},
                            {"copy_bytes_per_second", throughput.copy_bytes_per_second},
                            {"reference_ms", throughput.reference_seconds() * 1e3},
                            {"remembered", throughput.remembered}});
    Json settings = Json::array();
    for (const compute::SettingRow& row : compute::rows(answer.settings))
        settings.push_back({{"name", row.name}, {"value", row.value}, {"origin", row.origin}});
    const compute::Description& taken = answer.choice.device;
    const Json document{{"devices", std::move(devices)},
                        {"auto", taken.backend},
                        {"auto_device", {{"index", taken.index}, {"name", taken.name}}},
                        {"auto_reason", answer.choice.reason},
                        {"measured", std::move(measured)},
                        {"settings", std::move(settings)},
                        {"renderer", answer.drawing}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string details(const compute::Description& device) {
    if (!device.usable()) return device.why;
    if (device.backend == "cpu") return counted(device.limits.cores, "core");
    return fmt::format("{}, {}, {}", compute::name_of(device.kind), device.api, device.driver);
}

/// The lines below the table for a device.
std::string more(const compute::Description& device) {
    const compute::Limits& limits = device.limits;
    const auto missing = compute::missing(device.features);
    return fmt::format(
        "\n{} {} · {}\n  buffers up to {}, bindings up to {}, {} at once · {} invocations per "
        "group, subgroups of {}, {} shared · {} push bytes · {}\n  features: {}\n  missing: {}\n",
        device.backend, device.index, printable(device.name), size_text(limits.max_buffer_bytes),
        size_text(limits.max_binding_bytes), limits.max_bindings, limits.max_workgroup_invocations,
        limits.subgroup_size, size_text(limits.max_shared_bytes), limits.max_push_bytes,
        counted(limits.queues, "queue"), fmt::join(compute::present(device.features), ", "),
        missing.empty() ? "nothing" : fmt::format("{}", fmt::join(missing, ", ")));
}

/// The line below the table about a device's compiled code.
std::string kept_text(const compute::Description& device) {
    const auto kept = compute::kept_kernels(device, compute::cache_folder());
    if (!kept) return {};
    const std::string place = kept->folder.empty() ? "" : ", in " + printable(kept->folder);
    const std::string state =
        kept->why.empty() ? fmt::format("{}, {}, {} of {}", counted(kept->programs, "program"),
                                        counted(kept->notes, "note"), size_text(kept->bytes),
                                        size_text(kept->limit))
                          : kept->why;
    return fmt::format("\n{} {} · {}\n  compiled code: {}{}\n", device.backend, device.index,
                       printable(device.name), state, place);
}

std::string as_text(const Answer& answer) {
    Table table({"Backend", "Device", "<Name", "<Available", "Memory", "<Details"});
    for (const compute::Description& device : answer.devices)
        table.add({device.backend, device.name.empty() ? "—" : std::to_string(device.index),
                   printable(shown_name(device)), device.usable() ? "yes" : "no",
                   device.memory_bytes == 0 ? "—" : size_text(device.memory_bytes),
                   printable(details(device))});
    std::string text = table.text();
    for (const compute::Description& device : answer.devices)
        text +=
            device.backend == "vulkan" && !device.name.empty() ? more(device) : kept_text(device);
    const compute::Description& taken = answer.choice.device;
    const bool named = answer.settings.backend.value != "auto";
    text += fmt::format("\n{} {} {} · {}\n  {}\ndrawing: {}\n",
                        named ? "chosen:" : "auto chooses:", taken.backend, taken.index,
                        printable(taken.name), printable(answer.choice.reason),
                        printable(answer.drawing));
    for (const compute::SettingRow& row : compute::rows(answer.settings))
        if (row.origin != "standard")
            text += fmt::format("{} = {} ({})\n", row.name, printable(row.value),
                                printable(row.origin));
    return text;
}

std::string drawing_device() {
    const vulkan::DeviceList list = vulkan::list_devices();
    return list.chosen < 0
               ? fmt::format("Cairo ({})", list.devices.empty() ? list.why : list.why_none)
               : "Vulkan · " + list.devices[static_cast<std::size_t>(list.chosen)].name;
}

Result<int> show(const DevicesOptions& options) {
    auto settings = compute::read_settings();
    if (!settings.ok()) return settings.error();
    if (!options.backend.empty()) settings->backend.choose(options.backend, "--backend");
    if (options.device) settings->device.choose(options.device, "--device");
    Answer answer;
    answer.settings = *settings;
    answer.devices = compute::list_devices(*settings);
    auto choice = compute::choose_device(*settings, answer.devices, compute::cache_folder());
    if (!choice.ok()) return choice.error();
    answer.choice = std::move(*choice);
    answer.drawing = drawing_device();
    print(options.json ? as_json(answer) : as_text(answer));
    return 0;
}

} // namespace

Command add_devices(CLI::App& app) {
    auto options = std::make_shared<DevicesOptions>();
    CLI::App* command = app.add_subcommand(
        "devices", "List devices with their limits, and what is missing and why");
    command->add_flag("--json", options->json, "One JSON document on standard output");
    command
        ->add_option("--backend", options->backend,
                     "Ask for a backend; exit status 4 if it is unavailable [auto]")
        ->check(CLI::IsMember({"auto", "cpu", "vulkan", "cuda", "simt"}));
    command->add_option("--device", options->device, "Ask for a device of the backend, by index");
    command->footer("Example: blockloom-cli devices --json\n"
                    "Settings from the environment and $XDG_CONFIG_HOME/blockloom/blockloom.conf: "
                    "docs/compute.md. BLOCKLOOM_DEVICE=index chooses the Vulkan device, "
                    "BLOCKLOOM_RENDERER=cairo|vulkan the "
                    "renderer.");
    return {command, [options](const Context&) { return show(*options); }};
}

} // namespace blockloom::cli
