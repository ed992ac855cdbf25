#include "compute/cuda/code_files.h"
#include "compute/cuda/objects.h"

#include <array>
#include <fmt/format.h>

namespace blockloom::compute::cuda {
namespace {

Error refused(const std::string& name, const std::string& why) {
    return {kernel_refused, fmt::format("kernel {}: {}", name, why)};
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
    if (code != success) return core.failed(code, "the compiler");
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
    if (code == out_of_memory_) return core.failed(code, "the compiler");
    return refused(name, fmt::format("{}: {}", driver.text_of(code), log.data()));
}

} // namespace

Code CudaKernel::load(const Bytes& image, const std::string& entry) {
    const Driver& driver = *core_->driver;
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
    if (module_ == nullptr || is_exiting()) return;
    const Core::Current current(*core_);
    core_->driver->module_unload(module_);
}

Result<KernelPtr> CudaKernel::make(const std::shared_ptr<Core>& core, const KernelSource& source) {
    if (!source.ptx) return refused(source.name, "it has no form for CUDA");
    if (Status fine = core->alive(); !fine) return fine.error();
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
            if (kernel->load(kept, form.entry) == success) {
                kernel->facts_.kept = true;
                kernel->facts_.took = now_ns() - begin;
                return KernelPtr(std::move(kernel));
            }
            files.remove(name); // the driver does not take it
        }
    auto text = form.text();
    if (!text) return text.error();
    auto image = link(*core, source.name, form, *std::move(text));
    if (!image) return image.error();
    auto kernel = fresh();
    if (const Code code = kernel->load(*image, form.entry); code != success) {
        if (code == out_of_memory_) return core->failed(code, "a kernel");
        return refused(source.name, core->driver->text_of(code));
    }
    kernel->facts_.took = now_ns() - begin;
    if (!name.empty()) files.save(name, *image);
    return KernelPtr(std::move(kernel));
}

} // namespace blockloom::compute::cuda
