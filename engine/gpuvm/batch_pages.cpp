// Memory of stopped lanes: which pages they have, and copies in both directions.
#include "gpuvm/batch_state.h"
#include "gpuvm/checksums.h"
#include "gpuvm/kernel_batch.h"

#include "wasm/instance.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>

namespace blockloom::gpuvm {
namespace {

/// Pages that one dispatch moves: their bytes are 32 MiB.
constexpr std::size_t most_jobs = 32'768;

/// Pages that one thread searches at a time.
constexpr std::size_t pages_a_part = 128;

using Job = std::array<std::uint32_t, 4>;

} // namespace

Status BatchState::fetch(const compute::BufferPtr& from, std::span<const Range> ranges,
                         std::vector<std::uint32_t>& to) {
    std::uint64_t all = 0;
    for (const Range& range : ranges) all += range.bytes;
    const std::uint32_t summed = checksum_count(all / 4);
    // Gathered on the device first, so that one sum covers what lies in many places.
    compute::BufferPtr gathered, on_device, down;
    const auto checksum_bytes = std::uint64_t{summed} * 4;
    using compute::BufferUse;
    for (const auto& [buffer, bytes, use] :
         {std::tuple{&gathered, all, BufferUse::device},
          std::tuple{&on_device, checksum_bytes, BufferUse::device},
          std::tuple{&down, all + checksum_bytes, BufferUse::download}})
        if (const Status got = reserve(*machine.provider, *buffer, bytes, use); !got) return got;
    auto commands = machine.provider->commands();
    if (!commands) return commands.error();
    std::uint64_t at = 0;
    for (const Range& range : ranges) {
        (*commands)->copy(from, range.from, gathered, at, range.bytes);
        at += range.bytes;
    }
    (*commands)->barrier();
    record_checksums(**commands, gathered, all / 4, on_device, 0);
    (*commands)->barrier();
    (*commands)->copy(gathered, 0, down, 0, all);
    if (summed != 0) (*commands)->copy(on_device, 0, down, all, checksum_bytes);
    if (const Status done = machine.finish(*commands); !done) return done;
    const auto* const words = reinterpret_cast<const std::uint32_t*>(down->mapped().data());
    to.resize(all / 4);
    machine.copy(to.data(), words, all);
    return machine.check(to, std::span(words + all / 4, summed));
}

Status BatchState::know_frames() {
    if (frames_known) return {};
    wave_pages.assign(waves, {});
    const std::uint32_t given_out = std::min(counter(GPUVM_BOOK_FRAMES), push.pool_frames);
    if (given_out != 0) {
        std::vector<std::uint32_t> found;
        const Range range{GPUVM_BOOK_WORDS * 4, std::uint64_t{given_out} * 8};
        if (const Status got = fetch(books, {&range, 1}, found); !got) return got;
        for (std::uint32_t i = 0; i < given_out; ++i)
            if (found[2 * i] < waves) wave_pages[found[2 * i]].push_back(found[2 * i + 1]);
        for (auto& pages : wave_pages) std::sort(pages.begin(), pages.end());
    }
    frames_known = true;
    return {};
}

Status BatchState::know_logs() {
    if (logs_known) return {};
    std::uint32_t most = 0;
    for (std::uint32_t i = 0; i < count; ++i) most = std::max(most, word(GPUVM_LOGGED, i));
    const Range range{std::uint64_t{2} * GPUVM_EXCHANGE_CELLS * lanes * 4,
                      std::uint64_t{std::min(most, push.log_words)} * lanes * 4};
    if (const Status got = fetch(exchange, {&range, 1}, logs); !got) return got;
    logs_known = true;
    return {};
}

Status KernelBatch::read_log(std::uint32_t invocation, std::vector<std::uint32_t>& to) {
    BatchState& s = *state_;
    to.clear();
    if (s.word(GPUVM_LOGGED, invocation) == 0) return {};
    if (const Status known = s.know_logs(); !known) return known;
    for (std::uint32_t i = 0; i < s.word(GPUVM_LOGGED, invocation); ++i)
        to.push_back(s.logs[std::size_t{i} * s.lanes + invocation]);
    return {};
}

Status KernelBatch::fetch_reads() {
    return state_->know_logs();
}

Status BatchState::know_globals() {
    if (globals_known) return {};
    const Options& options = machine.options;
    const std::uint64_t bytes = std::uint64_t{options.globals} * machine.wave * 8;
    std::vector<Range> ranges;
    for (std::uint64_t wave = 0; wave < waves; ++wave)
        ranges.push_back(
            {(wave * (options.registers + options.globals) + options.registers) * machine.wave * 8,
             bytes});
    if (const Status got = fetch(cells, ranges, global_cells); !got) return got;
    globals_known = true;
    return {};
}

Result<std::vector<wasm::Cell>> KernelBatch::globals(std::uint32_t invocation) {
    BatchState& s = *state_;
    if (const Status known = s.know_globals(); !known) return known.error();
    const std::size_t wave = s.machine.wave, globals = s.machine.options.globals;
    std::vector<wasm::Cell> result(s.program(invocation).image.globals.size());
    for (std::size_t i = 0; i < result.size(); ++i)
        std::memcpy(
            &result[i],
            &s.global_cells[((invocation / wave * globals + i) * wave + invocation % wave) * 2], 8);
    return result;
}

std::vector<std::uint32_t> KernelBatch::resident(std::uint32_t invocation) const {
    BatchState& s = *state_;
    if (!s.know_frames()) return {};
    return s.wave_pages[invocation / s.machine.wave];
}

Status BatchState::transfer(std::uint32_t task, std::span<const Job> jobs,
                            const compute::BufferPtr& bytes) {
    compute::BufferPtr list_of_jobs;
    if (const Status got =
            reserve(*machine.provider, list_of_jobs, jobs.size_bytes(), compute::BufferUse::upload);
        !got)
        return got;
    std::memcpy(list_of_jobs->mapped().data(), jobs.data(), jobs.size_bytes());
    auto bound = bindings();
    bound[0] = {list_of_jobs};
    bound[3] = {bytes};
    Push now = push;
    now.task = task;
    now.jobs = static_cast<std::uint32_t>(jobs.size());
    auto commands = machine.provider->commands();
    if (!commands) return commands.error();
    (*commands)->timestamp("begin");
    (*commands)->dispatch(machine.transfer, bound, std::as_bytes(std::span(&now, 1)),
                          {static_cast<std::uint32_t>(jobs.size()), 1, 1});
    (*commands)->timestamp("end");
    if (const Status done = machine.finish(*commands); !done) return done;
    ++times.submissions;
    ++times.dispatches;
    const auto moments = (*commands)->timestamps();
    if (moments && moments->size() == 2) times.pages += (*moments)[1].at - (*moments)[0].at;
    return {};
}

Status KernelBatch::read_pages(std::span<const PageRead> pages, std::span<Byte> to) {
    BatchState& s = *state_;
    compute::BufferPtr bytes;
    for (std::size_t first = 0; first < pages.size(); first += most_jobs) {
        const std::size_t now = std::min(pages.size() - first, most_jobs);
        std::vector<Job> jobs;
        for (std::size_t i = 0; i < now; ++i) {
            const PageRead& read = pages[first + i];
            if (read.page >= s.push.table_pages)
                return Error{compute::misused, fmt::format("gpuvm: no page {}", read.page)};
            jobs.push_back(
                {read.invocation, read.page, static_cast<std::uint32_t>(i * small_page / 4), 0});
        }
        if (const Status got =
                reserve(*s.machine.provider, bytes, now * (small_page + sizeof(std::uint32_t)),
                        compute::BufferUse::download);
            !got)
            return got;
        if (const Status done = s.transfer(GPUVM_PAGES_GATHER, jobs, bytes); !done) return done;
        const std::byte* const down = bytes->mapped().data();
        std::atomic<std::size_t> damaged{now};
        s.machine.in_parts(now, pages_a_part, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                std::array<std::uint32_t, small_page / 4> page;
                std::uint32_t expected = 0;
                std::memcpy(page.data(), down + i * small_page, small_page);
                std::memcpy(to.data() + (first + i) * small_page, page.data(), small_page);
                std::memcpy(&expected, down + now * small_page + i * sizeof expected,
                            sizeof expected);
                if (checksum(page, 0) != expected) damaged = i;
            }
        });
        if (const std::size_t i = damaged; i != now)
            return Error{
                compute::corrupted,
                fmt::format("gpuvm: page {} of invocation {} was damaged during the download",
                            pages[first + i].page, pages[first + i].invocation)};
    }
    return {};
}

Status KernelBatch::write_pages(std::span<const PageRead> pages, ByteView from) {
    BatchState& s = *state_;
    if (pages.empty()) return {};
    if (const Status known = s.know_frames(); !known) return known;
    std::vector<Job> maps;
    for (const PageRead& write : pages) {
        const std::uint32_t wave = write.invocation / s.machine.wave;
        const auto& there = s.wave_pages[wave];
        if (!std::binary_search(there.begin(), there.end(), write.page))
            maps.push_back({wave, write.page, 0, 0});
    }
    std::sort(maps.begin(), maps.end());
    maps.erase(std::unique(maps.begin(), maps.end()), maps.end());
    const std::uint64_t free =
        s.push.pool_frames - std::min(s.push.pool_frames, s.counter(GPUVM_BOOK_FRAMES));
    if (maps.size() > free)
        return Error{compute::out_of_memory,
                     fmt::format("gpuvm: {} pages requested, {} left", maps.size(), free)};
    for (std::size_t first = 0; first < maps.size(); first += most_jobs) {
        const std::size_t now = std::min(maps.size() - first, most_jobs);
        if (const Status done =
                s.transfer(GPUVM_PAGES_MAP, std::span(maps).subspan(first, now), s.exchange);
            !done)
            return done;
    }
    for (const Job& map : maps) {
        auto& there = s.wave_pages[map[0]];
        there.insert(std::upper_bound(there.begin(), there.end(), map[1]), map[1]);
    }
    s.seen[(std::size_t{GPUVM_STATE_WORDS} + 2 * std::size_t{s.exchange_cells}) * s.lanes +
           GPUVM_BOOK_FRAMES] += static_cast<std::uint32_t>(maps.size());
    compute::BufferPtr bytes;
    for (std::size_t first = 0; first < pages.size(); first += most_jobs) {
        const std::size_t now = std::min(pages.size() - first, most_jobs);
        std::vector<Job> jobs;
        for (std::size_t i = 0; i < now; ++i)
            jobs.push_back({pages[first + i].invocation, pages[first + i].page,
                            static_cast<std::uint32_t>(i * small_page / 4), 0});
        if (const Status got =
                reserve(*s.machine.provider, bytes, now * small_page, compute::BufferUse::upload);
            !got)
            return got;
        std::memcpy(bytes->mapped().data(), from.data() + first * small_page, now * small_page);
        if (const Status done = s.transfer(GPUVM_PAGES_SCATTER, jobs, bytes); !done) return done;
    }
    return {};
}

Status KernelBatch::load_memories(std::span<const std::uint32_t> invocations,
                                  std::span<wasm::Instance* const> instances) {
    BatchState& s = *state_;
    if (const Status known = s.know_frames(); !known) return known;
    std::vector<PageRead> reads;
    for (const std::uint32_t invocation : invocations)
        for (const std::uint32_t page : s.wave_pages[invocation / s.machine.wave])
            reads.push_back({invocation, page});
    std::vector<Byte> bytes(reads.size() * small_page);
    if (const Status read = read_pages(reads, bytes); !read) return read;
    std::size_t next = 0;
    for (std::size_t i = 0; i < invocations.size(); ++i) {
        const auto memory = instances[i]->memory();
        BatchState::Loaded& loaded = s.loaded[invocations[i]];
        loaded = {};
        loaded.size = s.word(GPUVM_PAGES, invocations[i]);
        if (memory && memory->pages() < loaded.size) memory->grow(loaded.size - memory->pages());
        const std::size_t first = next;
        while (next < reads.size() && reads[next].invocation == invocations[i]) {
            const std::uint64_t address = std::uint64_t{reads[next].page} * small_page;
            const Byte* const from = bytes.data() + next * small_page;
            loaded.pages.push_back(reads[next++].page);
            // Another lane of the wave may have more memory than this one.
            if (!memory || !memory->in_bounds(address, small_page)) continue;
            memory->mark_range(address, small_page);
            std::memcpy(memory->data() + address, from, small_page);
        }
        loaded.bytes.assign(bytes.begin() + static_cast<std::ptrdiff_t>(first * small_page),
                            bytes.begin() + static_cast<std::ptrdiff_t>(next * small_page));
    }
    return {};
}

Status KernelBatch::store_memories(std::span<const std::uint32_t> invocations,
                                   std::span<wasm::Instance* const> instances) {
    BatchState& s = *state_;
    std::vector<PageRead> writes;
    std::vector<Byte> bytes;
    constexpr std::uint32_t parts = 4096 / small_page;
    for (std::size_t i = 0; i < invocations.size(); ++i) {
        const auto memory = instances[i]->memory();
        const auto found = s.loaded.find(invocations[i]);
        if (!memory || found == s.loaded.end()) continue;
        const BatchState::Loaded& before = found->second;
        const PackedProgram& packed = s.program(invocations[i]);
        for (std::uint64_t large = 0; large < memory->size() / 4096; ++large) {
            if (memory->dirty()[large] == 0) continue;
            for (std::uint32_t part = 0; part < parts; ++part) {
                const auto page = static_cast<std::uint32_t>(large * parts + part);
                const Byte* const now = memory->data() + std::uint64_t{page} * small_page;
                const auto had = std::lower_bound(before.pages.begin(), before.pages.end(), page);
                ByteView then;
                if (had != before.pages.end() && *had == page)
                    then = ByteView(before.bytes)
                               .subspan(static_cast<std::size_t>(had - before.pages.begin()) *
                                            small_page,
                                        small_page);
                else
                    then = packed.page(s.machine.packing.data(), page);
                const bool same =
                    then.empty() ? now[0] == 0 && std::memcmp(now, now + 1, small_page - 1) == 0
                                 : std::memcmp(now, then.data(), small_page) == 0;
                if (same) continue;
                writes.push_back({invocations[i], page});
                bytes.insert(bytes.end(), now, now + small_page);
            }
        }
        if (memory->pages() != s.word(GPUVM_PAGES, invocations[i])) {
            s.word(GPUVM_PAGES, invocations[i]) = memory->pages();
            s.changed = true;
        }
        s.loaded.erase(found);
    }
    return write_pages(writes, bytes);
}

} // namespace blockloom::gpuvm
