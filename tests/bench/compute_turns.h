// Two ways to do the same, measured in turns in one process, and what both benchmarks of providers
// begin with.
#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <vector>

namespace blockloom {

[[noreturn]] inline void give_up(const std::string& why) {
    fmt::print(stderr, "bench_compute: {}\n", why);
    std::exit(1);
}

template <typename T> T must(Result<T> result) {
    if (!result.ok()) give_up(result.error().message);
    return std::move(*result);
}

inline void must(const Status& status) {
    if (!status.ok()) give_up(status.error().message);
}

/// Wall time, and processor time of the calling thread (what counts on a busy machine).
struct Spent {
    Nanoseconds wall = 0, processor = 0;
};

inline Nanoseconds thread_time() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

template <typename Work> Spent time_of(const Work& work) {
    const Nanoseconds wall = now_ns(), processor = thread_time();
    work();
    return {now_ns() - wall, thread_time() - processor};
}

struct Times {
    std::vector<Nanoseconds> wall, processor;

    void add(const Spent& spent) {
        wall.push_back(spent.wall);
        processor.push_back(spent.processor);
    }
};

inline double median_us(std::vector<Nanoseconds>& times) {
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return static_cast<double>(*middle) / 1e3;
}

/// Counters bare_us, provider_us and over_us (medians of wall time, in µs; "over" of the pairs'
/// differences), ratio, and the processor time of the calling thread. Returns over_us.
template <typename Bare, typename Provider>
double compare_in_turns(benchmark::State& state, const Bare& with_bare,
                        const Provider& with_provider) {
    for (int i = 0; i < 50; ++i) {
        with_provider();
        with_bare();
    }
    Times bare_times, provider_times, over;
    bool bare_first = true; // in turns: who comes second finds other caches and another clock
    for (auto _ : state) {
        const Spent first = bare_first ? time_of(with_bare) : time_of(with_provider);
        const Spent second = bare_first ? time_of(with_provider) : time_of(with_bare);
        const Spent& of_bare = bare_first ? first : second;
        const Spent& of_provider = bare_first ? second : first;
        bare_times.add(of_bare);
        provider_times.add(of_provider);
        over.add({of_provider.wall - of_bare.wall, of_provider.processor - of_bare.processor});
        bare_first = !bare_first;
    }
    const double bare_us = median_us(bare_times.wall), over_us = median_us(over.wall);
    const double provider_us = median_us(provider_times.wall);
    state.counters["bare_us"] = bare_us;
    state.counters["provider_us"] = provider_us;
    state.counters["over_us"] = over_us;
    state.counters["ratio"] = provider_us / bare_us;
    state.counters["bare_cpu_us"] = median_us(bare_times.processor);
    state.counters["over_cpu_us"] = median_us(over.processor);
    return over_us;
}

} // namespace blockloom
