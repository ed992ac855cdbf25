#include "wasm_bench.h"
#include "wasm/instantiate.h"

#include "base/file.h"
#include "wasm_kernel_list.h"

#include <cmath>
#include <cstdlib>

namespace blockloom::bench {
namespace {

std::vector<Row>& rows() {
    static std::vector<Row> all;
    return all;
}

void sum_up(const std::string& prefix, const std::string& bar_of_mean,
            const std::string& bar_of_worst) {
    double sum = 0, worst = std::numeric_limits<double>::max();
    std::size_t count = 0;
    for (const Row& row : rows()) {
        if (row.name.rfind(prefix, 0) != 0) continue;
        sum += std::log(row.ratio), worst = std::min(worst, row.ratio), ++count;
    }
    if (count == 0) return;
    const double mean = std::exp(sum / static_cast<double>(count));
    note({prefix + "geometric mean", "", "", mean, bar_of_mean});
    note({prefix + "worst", "", "", worst, bar_of_worst});
}

} // namespace

const std::vector<Kernel>& kernels() {
    static const std::vector<Kernel> all{
#define BLOCKLOOM_KERNEL(name, rounds) {#name, rounds},
        BLOCKLOOM_WASM_KERNELS(BLOCKLOOM_KERNEL)
#undef BLOCKLOOM_KERNEL
    };
    return all;
}

const Bytes& kernel_bytes() {
    static const Bytes bytes = [] {
        const FileContent file = must(FileContent::read(BLOCKLOOM_KERNELS));
        return Bytes(file.bytes().begin(), file.bytes().end());
    }();
    return bytes;
}

std::shared_ptr<const wasm::Program> kernel_program(wasm::FuelRule fuel) {
    static const auto module = must(wasm::load_module(kernel_bytes(), "kernels"));
    static const auto counted = must(wasm::lower(module)),
                      exact = must(wasm::lower(module, wasm::FuelRule::exact));
    return fuel == wasm::FuelRule::exact ? exact : counted;
}

std::uint32_t function_named(const wasm::Program& program, const std::string& name) {
    for (const wasm::Export& item : program.module->exports)
        if (item.name == name && item.kind == wasm::ExternalKind::function) return item.index;
    give_up("no exported function " + name);
}

void give_up(const std::string& why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(1);
}

std::shared_ptr<wasm::Instance> instance_of(std::shared_ptr<const wasm::Program> program) {
    auto made = wasm::instantiate(std::move(program), {});
    if (auto* error = std::get_if<wasm::LinkError>(&made)) give_up(error->text);
    return std::get<std::shared_ptr<wasm::Instance>>(std::move(made));
}

void note(Row row) {
    const auto found = std::find_if(rows().begin(), rows().end(),
                                    [&](const Row& other) { return other.name == row.name; });
    if (found == rows().end())
        rows().push_back(std::move(row));
    else
        *found = std::move(row);
}

std::string milliseconds(double seconds) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3f ms", seconds * 1e3);
    return text;
}

void print_table(std::FILE* to) {
    if (rows().empty()) return;
    sum_up("interpreter/", ">= 8", ">= 6.5");
    sum_up("native, metered peer/", ">= 0.7", "");
    sum_up("native, plain peer/", ">= 0.55", "");
    sum_up("native, no bounds checks/", "", "");
    sum_up("interpreter, exact fuel/", "", "");
    sum_up("native, exact fuel/", "", "");
    std::fprintf(to, "\n%-40s %12s %12s %10s  %s\n", "what", "ours", "peer", "ratio", "bar");
    for (const Row& row : rows())
        std::fprintf(to, "%-40s %12s %12s %10.2f  %s\n", row.name.c_str(), row.ours.c_str(),
                     row.peer.c_str(), row.ratio, row.bar.c_str());
}

} // namespace blockloom::bench
