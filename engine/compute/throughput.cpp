#include "compute/throughput.h"

#include "base/file.h"
#include "compute/throughput_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <shaders/compute_probe.comp.h>

namespace blockloom::compute {

ByteView throughput_ptx() noexcept; // cuda/throughput.cl, made by the build

namespace {

using Json = nlohmann::json;

constexpr const char* schema = "blockloom.worth/2"; // 1: measured on the host's clock
constexpr std::uint32_t lanes = THROUGHPUT_LANES, operations_of_round = THROUGHPUT_OPERATIONS;
constexpr std::uint32_t rounds = 512;
constexpr std::uint64_t copy_bytes = 16 << 20;
constexpr Nanoseconds enough = 5'000'000; // one measured submission
constexpr Nanoseconds give_up = 10'000'000'000;

struct Push {
    std::uint32_t seed = 1, rounds = 0;
};

/// Several lanes side by side so that the compiler vectorises it.
void probe_group(const HostGroup& group) {
    Push push;
    std::memcpy(&push, group.push.data(), sizeof push);
    std::array<std::uint32_t, lanes> values;
    for (std::uint32_t i = 0; i < lanes; ++i) values[i] = push.seed + group.index[0] * lanes + i;
    for (std::uint32_t round = 0; round < push.rounds; ++round)
        for (std::uint32_t& value : values) value = throughput_step(value);
    std::uint32_t all = 0;
    for (const std::uint32_t value : values) all ^= value;
    std::memcpy(group.buffers[0].data() + std::size_t{group.index[0] % THROUGHPUT_WORDS} * 4, &all,
                4);
}

KernelSource probe_kernel() {
    PtxForm ptx;
    ptx.text = [] {
        const ByteView text = throughput_ptx();
        return Result<std::string>(std::string(text.begin(), text.end()));
    };
    ptx.entry = "throughput_probe";
    ptx.threads = lanes;
    return {.name = "probe",
            .spirv = compute_probe_comp_spv,
            .host = probe_group,
            .ptx = std::move(ptx),
            .buffers = 1,
            .push_bytes = sizeof(Push),
            .constants = {}};
}

/// Between the list's first and last command, which are timestamps: submitting is not part of it.
/// A device without a clock is measured by the host's.
Result<Nanoseconds> time_of(Provider& on, const CommandListPtr& list) {
    Stopwatch watch;
    const auto ticket = on.submit(list);
    if (!ticket.ok()) return ticket.error();
    if (Status done = on.wait(*ticket, give_up); !done.ok()) return done.error();
    const Nanoseconds waited = watch.lap();
    const auto times = list->timestamps();
    if (!times.ok()) return times.error();
    return times->size() < 2 ? waited : times->back().at - times->front().at;
}

/// The best of three, after a first one that wakes the device.
Result<Nanoseconds> best_time(Provider& on, const CommandListPtr& list) {
    Nanoseconds best = 0;
    for (int i = 0; i < 4; ++i) {
        const auto time = time_of(on, list);
        if (!time.ok()) return time;
        if (i == 1 || (i > 1 && *time < best)) best = *time;
    }
    return std::max<Nanoseconds>(best, 1);
}

Result<double> measure_operations(Provider& on) {
    const auto kernel = on.kernel(probe_kernel());
    if (!kernel.ok()) return kernel.error();
    const auto out = on.allocate(THROUGHPUT_WORDS * 4, BufferUse::device);
    if (!out.ok()) return out.error();
    const auto list = on.commands();
    if (!list.ok()) return list.error();
    const std::array bindings{Binding{*out}};
    const Push push{1, rounds};
    for (std::uint32_t groups = 16;; groups *= 4) {
        if (Status clear = (*list)->clear(); !clear.ok()) return clear.error();
        (*list)->timestamp("begin");
        (*list)->dispatch(*kernel, bindings, std::as_bytes(std::span(&push, 1)), {groups});
        (*list)->barrier();
        (*list)->timestamp("end");
        const auto first = time_of(on, *list);
        if (!first.ok()) return first.error();
        const bool last = groups * 4ULL > on.description().limits.max_groups;
        if (*first < enough && !last) continue;
        const auto time = best_time(on, *list);
        if (!time.ok()) return time.error();
        return double(groups) * lanes * rounds * operations_of_round * 1e9 / double(*time);
    }
}

Result<double> measure_copy(Provider& on) {
    const auto up = on.allocate(copy_bytes, BufferUse::upload);
    const auto there = on.allocate(copy_bytes, BufferUse::device);
    const auto down = on.allocate(copy_bytes, BufferUse::download);
    for (const auto* buffer : {&up, &there, &down})
        if (!buffer->ok()) return buffer->error();
    std::memset((*up)->mapped().data(), 1, copy_bytes);
    const auto list = on.commands();
    if (!list.ok()) return list.error();
    (*list)->timestamp("begin");
    (*list)->copy(*up, 0, *there, 0, copy_bytes);
    (*list)->barrier();
    (*list)->copy(*there, 0, *down, 0, copy_bytes);
    (*list)->barrier();
    (*list)->timestamp("end");
    const auto time = best_time(on, *list);
    if (!time.ok()) return time.error();
    return 2.0 * double(copy_bytes) * 1e9 / double(*time);
}

/// One card is two devices, with CUDA and with Vulkan.
std::filesystem::path file_of(const Description& of, const std::filesystem::path& cache) {
    return cache / fmt::format("worth-{}-{}.json", of.backend, of.identity);
}

std::optional<Throughput> read_throughput(const std::filesystem::path& file) {
    const auto content = FileContent::read(file);
    if (!content.ok()) return std::nullopt;
    const ByteView bytes = content->bytes();
    const Json json = Json::parse(bytes.begin(), bytes.end(), nullptr, false);
    if (!json.is_object() || json.value("schema", Json()) != schema) return std::nullopt;
    Throughput throughput;
    for (const auto& [name, to] :
         {std::pair{"operations_per_second", &throughput.operations_per_second},
          std::pair{"copy_bytes_per_second", &throughput.copy_bytes_per_second}}) {
        const auto found = json.find(name);
        if (found == json.end() || !found->is_number()) return std::nullopt;
        *to = found->get<double>();
        if (!(*to > 0) || !std::isfinite(*to)) return std::nullopt;
    }
    throughput.remembered = true;
    return throughput;
}

void write_throughput(const std::filesystem::path& file, const Throughput& throughput,
                      const Description& about) {
    const Json json{{"schema", schema},
                    {"backend", about.backend},
                    {"device", about.name},
                    {"driver", about.driver},
                    {"operations_per_second", throughput.operations_per_second},
                    {"copy_bytes_per_second", throughput.copy_bytes_per_second}};
    std::error_code failed;
    std::filesystem::create_directories(file.parent_path(), failed);
    // Not written: measured again the next time.
    (void)write_file(file,
                     as_bytes(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"),
                     Durability::at_leisure);
}

} // namespace

double Throughput::reference_seconds() const noexcept {
    return 1e11 / operations_per_second + 40e6 / copy_bytes_per_second;
}

Result<Throughput> measure_throughput(Provider& on) {
    const auto operations = measure_operations(on);
    if (!operations.ok()) return operations.error();
    const auto copy = measure_copy(on);
    if (!copy.ok()) return copy.error();
    return Throughput{*operations, *copy, false};
}

std::optional<Throughput> remembered_throughput(const Description& of,
                                                const std::filesystem::path& cache) {
    return cache.empty() ? std::nullopt : read_throughput(file_of(of, cache));
}

Result<Throughput> throughput_of(Provider& on, const std::filesystem::path& cache) {
    if (const auto known = remembered_throughput(on.description(), cache)) return *known;
    auto measured = measure_throughput(on);
    if (measured.ok() && !cache.empty())
        write_throughput(file_of(on.description(), cache), *measured, on.description());
    return measured;
}

} // namespace blockloom::compute
