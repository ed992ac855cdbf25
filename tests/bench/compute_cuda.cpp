// What the CUDA provider costs over the driver's own functions, submission against submission in
// turns. The driver is the one that is installed, or the fake one, which shows the host's part:
// LD_LIBRARY_PATH=build/release/tests/fake_cuda FAKE_CUDA=immediate.
#include "compute/cuda/cuda_provider.h"
#include "compute/cuda/driver.h"
#include "compute_turns.h"

#include <array>
#include <string>

namespace {

using namespace blockloom;
using namespace blockloom::compute;

constexpr Nanoseconds long_time = 60'000'000'000;

constexpr const char* kernel_name = "nothing";
/// A buffer and two words, as the Vulkan benchmark's kernel has; it does nothing.
std::string kernel_text() {
    return fmt::format(".version 7.0\n.target sm_70\n.address_size 64\n"
                       ".visible .entry {}(.param .u64 a, .param .u32 b, .param .u32 c)\n"
                       "{{\n    ret;\n}}\n",
                       kernel_name);
}

struct Push {
    std::uint32_t seed = 1, rounds = 1;
};

/// Opened once; null where there is no CUDA device.
const ProviderPtr& device_provider() {
    static const ProviderPtr open = []() -> ProviderPtr {
        for (const Description& device : list_cuda_devices().devices)
            if (device.usable())
                if (auto provider = open_cuda(device.index, {})) {
                    fmt::print(stderr, "device: {}\n", device.name);
                    return *std::move(provider);
                }
        return nullptr;
    }();
    return open;
}

const cuda::Driver& driver() {
    static const auto loaded = must(cuda::load_driver(cuda::library_name));
    return *loaded;
}

/// The least that CUDA asks for: launches, an event after them, and looking at it. In the context
/// of the provider: a device takes 140 µs to change from one context to another.
class Bare {
public:
    explicit Bare(cuda::Context context) : driver_(&driver()) {
        check(driver_->context_push(context), "the context");
        check(driver_->stream_create(&stream_, cuda::stream_non_blocking), "a stream");
        check(driver_->event_create(&event_, cuda::event_without_time), "an event");
        check(driver_->allocate(&buffer_, 4096), "memory");
        cuda::LinkState link = nullptr;
        std::string text = kernel_text();
        void* image = nullptr;
        std::size_t bytes = 0;
        check(driver_->link_create(0, nullptr, nullptr, &link), "the compiler");
        check(driver_->link_add(link, cuda::jit_input_ptx, text.data(), text.size() + 1,
                                kernel_name, 0, nullptr, nullptr),
              "the kernel");
        check(driver_->link_complete(link, &image, &bytes), "the kernel");
        check(driver_->module_load(&module_, image), "the kernel");
        check(driver_->module_function(&function_, module_, kernel_name), "the kernel");
        check(driver_->link_destroy(link), "the compiler");
    }
    ~Bare() {
        driver_->module_unload(module_);
        driver_->free(buffer_);
        driver_->event_destroy(event_);
        driver_->stream_destroy(stream_);
        cuda::Context was = nullptr;
        driver_->context_pop(&was);
    }
    Bare(const Bare&) = delete;
    Bare& operator=(const Bare&) = delete;

    void submit_and_wait(int dispatches) {
        Push push;
        std::array<void*, 3> parameters{&buffer_, &push.seed, &push.rounds};
        for (int i = 0; i < dispatches; ++i)
            check(driver_->launch(function_, 1, 1, 1, 64, 1, 1, 0, stream_, parameters.data(),
                                  nullptr),
                  "a launch");
        check(driver_->event_record(event_, stream_), "an event");
        cuda::Code code = cuda::not_ready;
        while (code == cuda::not_ready) code = driver_->event_query(event_);
        check(code, "a submission");
    }

private:
    void check(cuda::Code code, const char* what) const {
        if (code != cuda::success)
            give_up(fmt::format("CUDA: {}: {}", what, driver_->text_of(code)));
    }

    const cuda::Driver* driver_;
    cuda::Stream stream_ = nullptr;
    cuda::Event event_ = nullptr;
    cuda::Pointer buffer_ = 0;
    cuda::Module module_ = nullptr;
    cuda::Function function_ = nullptr;
};

/// range(0): dispatches in a list; range(1): 1 records it each time, 0 submits it again.
void cuda_dispatch_over_bare(benchmark::State& state) {
    const ProviderPtr& on = device_provider();
    if (!on) return state.SkipWithError("no CUDA device");
    const auto dispatches = static_cast<int>(state.range(0));
    const bool record_each_time = state.range(1) == 1;
    KernelSource source;
    source.name = kernel_name;
    source.buffers = 1;
    source.push_bytes = sizeof(Push);
    source.ptx.emplace();
    cuda::Context context = nullptr;
    source.ptx->text = [&] { // the context is current while a kernel is made
        driver().context_pop(&context);
        driver().context_push(context);
        return kernel_text();
    };
    source.ptx->entry = kernel_name;
    const auto kernel = must(on->kernel(source));
    const auto buffer = must(on->allocate(4096, BufferUse::device));
    const auto list = must(on->commands());
    const std::array bindings{Binding{buffer}};
    const Push push;
    const auto record = [&] {
        must(list->clear());
        for (int i = 0; i < dispatches; ++i)
            list->dispatch(kernel, bindings, std::as_bytes(std::span(&push, 1)), {});
    };
    Bare bare(context);
    record();
    const double over = compare_in_turns(
        state, [&] { bare.submit_and_wait(dispatches); },
        [&] {
            if (record_each_time) record();
            must(on->wait(must(on->submit(list)), long_time));
        });
    state.counters["per_dispatch_us"] = over / dispatches;
}
BENCHMARK(cuda_dispatch_over_bare)
    ->ArgNames({"dispatches", "record"})
    ->ArgsProduct({{1, 64}, {0, 1}})
    ->Iterations(2000)
    ->Unit(benchmark::kMicrosecond);

} // namespace
