// blockloom-cli devices: what can run or draw here, what is missing and why.
#include "vulkan/devices.h"
#include "command.h"
#include "range/number_text.h"
#include "report/provenance.h"
#include "terminal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace blockloom::cli {
namespace {

using Json = nlohmann::ordered_json;

/// One row of the answer, the same for every backend.
struct Row {
    std::string backend, name, why;
    bool available = false;
    std::uint64_t memory = 0;
    Json limits = Json::object();
};

std::uint64_t local_memory(const vulkan::DeviceInfo& device) {
    std::uint64_t local = 0;
    for (const vulkan::MemoryHeap& heap : device.heaps)
        if (heap.device_local) local += heap.bytes;
    return local;
}

Row processor_row() {
    const report::Machine machine = report::this_machine();
    return {"cpu",
            machine.processor.empty() ? "processor" : machine.processor,
            {},
            true,
            machine.memory,
            {{"cores", machine.cores}}};
}

Row vulkan_row(const vulkan::DeviceInfo& device) {
    return {"vulkan",
            device.name,
            device.why,
            device.usable(),
            local_memory(device),
            {{"index", device.index},
             {"type", vulkan::name_of(device.type)},
             {"api_version", device.api_version},
             {"driver", device.driver},
             {"max_image_size", device.max_image_size},
             {"max_storage_buffer_bytes", device.max_storage_buffer_bytes},
             {"max_workgroup_invocations", device.max_workgroup_invocations},
             {"max_shared_bytes", device.max_shared_bytes},
             {"subgroup_size", device.subgroup_size}}};
}

std::vector<Row> all_rows(const vulkan::DeviceList& list) {
    std::vector<Row> rows{processor_row()};
    for (const vulkan::DeviceInfo& device : list.devices) rows.push_back(vulkan_row(device));
    if (list.devices.empty()) rows.push_back({"vulkan", "—", list.why, false, 0, Json::object()});
    rows.push_back({"cuda", "—", "not part of this build", false, 0, Json::object()});
    return rows;
}

std::string as_json(const std::vector<Row>& rows, const std::string& drawing) {
    Json devices = Json::array();
    for (const Row& row : rows)
        devices.push_back({{"backend", row.backend},
                           {"name", row.name},
                           {"available", row.available},
                           {"why", row.why.empty() ? Json() : Json(row.why)},
                           {"memory", row.memory},
                           {"limits", row.limits}});
    // Nothing executes yet but on the processor; drawing has a choice of its own.
    const Json document{{"devices", std::move(devices)}, {"auto", "cpu"}, {"renderer", drawing}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string as_text(const std::vector<Row>& rows, const std::string& drawing) {
    Table table({"Backend", "<Name", "<Available", "Memory", "<Details"});
    for (const Row& row : rows) {
        std::string details = row.why;
        if (row.available && row.backend == "cpu")
            details = fmt::format("{} cores", row.limits["cores"].get<unsigned>());
        if (row.available && row.backend == "vulkan")
            details = fmt::format("{}, Vulkan {}, {}", row.limits["type"].get<std::string>(),
                                  row.limits["api_version"].get<std::string>(),
                                  row.limits["driver"].get<std::string>());
        table.add({row.backend, printable(row.name), row.available ? "yes" : "no",
                   row.memory == 0 ? "—" : range::size_text(row.memory), printable(details)});
    }
    return table.text() + fmt::format("\nauto takes: cpu · drawing: {}\n", printable(drawing));
}

} // namespace

Command add_devices(CLI::App& app) {
    auto json = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("devices", "Devices, limits, what is missing and why");
    command->add_flag("--json", *json, "One JSON document on standard output");
    command->footer("Example: blockloom-cli devices --json\n"
                    "BLOCKLOOM_DEVICE=index chooses the Vulkan device, "
                    "BLOCKLOOM_RENDERER=cairo|vulkan the renderer.");
    return {command, [json](const Context&) -> Result<int> {
                const vulkan::DeviceList list = vulkan::list_devices();
                const std::string drawing =
                    list.chosen < 0
                        ? fmt::format("Cairo ({})", list.devices.empty() ? list.why : list.why_none)
                        : "Vulkan · " + list.devices[static_cast<std::size_t>(list.chosen)].name;
                const auto rows = all_rows(list);
                print(*json ? as_json(rows, drawing) : as_text(rows, drawing));
                return 0;
            }};
}

} // namespace blockloom::cli
