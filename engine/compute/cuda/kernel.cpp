#include "compute/cuda/code_files.h"
#include "compute/cuda/objects.h"

#include <array>
#include <fmt/format.h>
#include <optional>

namespace blockloom::compute::cuda {
namespace {

/// A compilation cannot be cancelled, and its time grows with the text: 1.2 million characters took
/// a driver up to 7 s, 57 million more than 100 s (docs/gpuvm.md#compiled-lanes).
constexpr std::size_t most_text = std::size_t{8} << 20U;

Error refused(const std::string& name, const std::string& why) {
    return {kernel_refused, fmt::format("kernel {}: {}", name, why)};
}

/// The driver refuses this code, and works on: its errors of compilation and loading.
bool is_refusal(Code code) {
    if (code == invalid_context || code == memory_error) return false;
    return (code >= invalid_image && code < 400) || code == invalid_value || code == not_found ||
           code == not_supported;
}

Error failed(Core& core, const std::string& name, Code code, const char* log = "") {
    if (!is_refusal(code)) return core.failed(code, "a kernel");
    const std::string text = core.driver->text_of(code);
    return refused(name, *log == '\0' ? text : fmt::format("{}: {}", text, log));
}

/// What the device cannot run; nothing otherwise.
std::optional<Error> limit_of(const Limits& limits, const KernelSource& source) {
    const std::uint32_t threads = source.ptx->threads;
    if (source.buffers > limits.max_bindings)
        return refused(source.name,
                       fmt::format("{} buffers, at most {}", source.buffers, limits.max_bindings));
    if (source.push_bytes > limits.max_push_bytes)
        return refused(source.name, fmt::format("{} push bytes, at most {}", source.push_bytes,
                                                limits.max_push_bytes));
    if (threads == 0 || threads > limits.max_workgroup_invocations)
        return refused(source.name, fmt::format("{} threads, expected 1 … {}", threads,
                                                limits.max_workgroup_invocations));
    return std::nullopt;
}

/// PTX to machine code of the context's device, by the driver's compiler.
Result<Bytes> link(Core& core, const std::string& name, const PtxForm& form, std::string ptx) {
    const Driver& driver = *core.driver;
    std::array<char, 8192> log{};
    std::vector<JitOption> options{jit_error_log, jit_error_log_bytes, jit_level};
    const auto number = [](std::uintptr_t value) { return reinterpret_cast<void*>(value); };
    std::vector<void*> values{log.data(), number(log.size()), number(form.level)};
    if (form.registers != 0) {
        options.push_back(jit_max_registers);
        values.push_back(number(form.registers));
    }
    LinkState state = nullptr;
    Code code = driver.link_create(static_cast<unsigned>(options.size()), options.data(),
                                   values.data(), &state);
    if (code != success) return failed(core, name, code);
    void* image = nullptr;
    std::size_t bytes = 0;
    code = driver.link_add(state, jit_input_ptx, ptx.data(), ptx.size() + 1, name.c_str(), 0,
                           nullptr, nullptr);
    if (code == success) code = driver.link_complete(state, &image, &bytes);
    Bytes made;
    if (code == success)
        made.assign(static_cast<const Byte*>(image), static_cast<const Byte*>(image) + bytes);
    driver.link_destroy(state);
    watch_exit();
    if (code == success) return made;
    return failed(core, name, code, log.data());
}

} // namespace

Result<Code> CudaKernel::load(Core& core, const Bytes& image, const std::string& entry) {
    const auto turn = core.take_turn_when_idle();
    if (!turn) return turn.error();
    core.tidy();
    const Driver& driver = *core.driver;
    Code code = driver.module_load(&module_, image.data());
    if (code == success) code = driver.module_function(&function_, module_, entry.c_str());
    int registers = 0, local = 0;
    if (code == success) code = driver.function_attribute(&registers, register_count, function_);
    if (code == success) code = driver.function_attribute(&local, local_bytes, function_);
    facts_.registers = static_cast<std::uint32_t>(registers);
    facts_.local_bytes = static_cast<std::uint32_t>(local);
    return code;
}

CudaKernel::~CudaKernel() {
    const auto core = core_.lock();
    if (module_ != nullptr && core && !is_exiting()) core->discard(module_);
}

Result<KernelPtr> CudaKernel::make(const std::shared_ptr<Core>& core, const KernelSource& source) {
    if (!source.ptx) return refused(source.name, "it has no form for CUDA");
    if (Status fine = core->alive(); !fine) return fine.error();
    if (auto limit = limit_of(core->description.limits, source)) return *std::move(limit);
    const PtxForm& form = *source.ptx;
    const auto fresh = [&] { return std::shared_ptr<CudaKernel>(new CudaKernel(core, source)); };
    const Core::Current current(*core);
    const Nanoseconds begin = now_ns();
    const CodeFiles files(core->cache_folder, core->description.identity);
    const std::string name =
        form.key.empty() ? std::string()
                         : fmt::format("{}-{}-{}.cubin", form.key, form.registers, form.level);
    if (!name.empty())
        if (const Bytes kept = files.load(name); !kept.empty()) {
            auto kernel = fresh();
            const auto code = kernel->load(*core, kept, form.entry);
            if (!code) return code.error();
            if (*code == success) {
                kernel->facts_.kept = true;
                kernel->facts_.took = now_ns() - begin;
                return KernelPtr(std::move(kernel));
            }
            if (!is_refusal(*code)) return failed(*core, source.name, *code);
            files.remove(name);
        }
    auto text = form.text();
    if (!text) return text.error();
    if (text->size() > most_text)
        return refused(source.name, fmt::format("{} bytes of PTX, at most {}: compiling it would "
                                                "take minutes",
                                                text->size(), most_text));
    auto image = link(*core, source.name, form, *std::move(text));
    if (!image) return image.error();
    auto kernel = fresh();
    const auto code = kernel->load(*core, *image, form.entry);
    if (!code) return code.error();
    if (*code != success) return failed(*core, source.name, *code);
    kernel->facts_.took = now_ns() - begin;
    if (!name.empty()) files.save(name, *image);
    return KernelPtr(std::move(kernel));
}

} // namespace blockloom::compute::cuda
