// Bytes to levels on one core, beside plain SHA-256 (OpenSSL) over the bytes that must be hashed
// anyway: headers, txid, wtxid and merkle messages. Both run in turns, so that a busy machine slows
// both. Real blocks where ../shared/data has them, else generated ones.
#include "base/clock.h"
#include "base/file.h"
#include "chain/block.h"
#include "conflict/levels.h"
#include "places.h"
#include "recipes/recipe.h"
#include "recipes/recipe_blocks.h"
#include "trace/bitcoin.h"

#include <benchmark/benchmark.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

using namespace blockloom;

namespace {

struct Sample {
    std::string name;
    Bytes bytes;
    std::vector<Bytes> messages; ///< what must be hashed, each once
    std::uint64_t message_bytes = 0;
};

template <typename T> T must(Result<T> result) {
    if (result) return std::move(*result);
    std::fprintf(stderr, "%s\n", result.error().message.c_str());
    std::exit(1);
}

/// The inner nodes of a merkle tree, 64 bytes each. Their content does not matter for the time.
std::size_t inner_nodes(std::size_t leaves) {
    std::size_t nodes = 0;
    for (; leaves > 1; leaves = (leaves + 1) / 2) nodes += (leaves + 1) / 2;
    return nodes;
}

Sample sample_of(std::string name, Bytes bytes) {
    Sample sample{std::move(name), std::move(bytes), {}, 0};
    const chain::Block block = must(chain::decode_block(nullptr, sample.bytes, sample.name));
    const auto add = [&](std::initializer_list<ByteView> parts) {
        Bytes& message = sample.messages.emplace_back();
        for (const ByteView part : parts) message.insert(message.end(), part.begin(), part.end());
        sample.message_bytes += message.size();
    };
    add({block.bytes.first(80)});
    bool any_witness = false;
    for (const chain::Transaction& tx : block.transactions) {
        const ByteView whole = block.bytes.subspan(tx.begin, tx.size);
        add({whole});
        if (!tx.has_witness()) continue;
        any_witness = true;
        add({whole.first(4), whole.subspan(6, tx.witness - tx.begin - 6), whole.last(4)});
    }
    const std::size_t trees = any_witness ? 2 : 1;
    for (std::size_t i = 0; i < trees * inner_nodes(block.transactions.size()); ++i)
        add({block.bytes.first(64)});
    return sample;
}

const std::vector<Sample>& samples() {
    static const std::vector<Sample> all = [] {
        std::vector<Sample> made;
        const std::filesystem::path folder = BLOCKLOOM_SOURCE_DIR "/../shared/data/bitcoin";
        if (std::filesystem::is_directory(folder)) {
            for (const auto& entry : std::filesystem::directory_iterator(folder)) {
                const FileContent file = must(FileContent::read(entry.path()));
                made.push_back(sample_of(entry.path().stem().string(),
                                         {file.bytes().begin(), file.bytes().end()}));
            }
        } else {
            for (Bytes& bytes : must(recipes::make_blocks(recipes::demo_recipe())))
                made.push_back(sample_of("made" + std::to_string(made.size()), std::move(bytes)));
        }
        std::sort(made.begin(), made.end(),
                  [](const Sample& a, const Sample& b) { return a.name < b.name; });
        return made;
    }();
    return all;
}

/// Nanoseconds of each step.
struct Steps {
    Nanoseconds decode = 0, trace = 0, levels = 0;
    [[nodiscard]] Nanoseconds all() const { return decode + trace + levels; }
};

void bytes_to_levels(const Sample& sample, Steps& steps) {
    Stopwatch watch;
    auto block = std::make_shared<const chain::Block>(
        must(chain::decode_block(nullptr, sample.bytes, sample.name)));
    steps.decode += watch.lap();
    auto policed = must(trace::apply(must(trace::trace_block(std::move(block))), {}, false));
    steps.trace += watch.lap();
    benchmark::DoNotOptimize(
        conflict::find_levels(policed, conflict::ConflictModel::single_version));
    steps.levels += watch.lap();
}

using Digest = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

/// The strictest peer: all bytes through one digest, one length at the end, once.
Nanoseconds one_stream(const Sample& sample) {
    static const Digest digest(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    std::array<Byte, 32> hash{};
    Stopwatch watch;
    EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr);
    for (const Bytes& message : sample.messages)
        EVP_DigestUpdate(digest.get(), message.data(), message.size());
    EVP_DigestFinal_ex(digest.get(), hash.data(), nullptr);
    const Nanoseconds time = watch.lap();
    benchmark::DoNotOptimize(hash);
    return time;
}

/// What a plain use of OpenSSL does: each message hashed twice, as the format asks.
Nanoseconds message_by_message(const Sample& sample) {
    static const Digest digest(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    std::array<Byte, 32> hash{};
    Stopwatch watch;
    for (const Bytes& message : sample.messages) {
        EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr);
        EVP_DigestUpdate(digest.get(), message.data(), message.size());
        EVP_DigestFinal_ex(digest.get(), hash.data(), nullptr);
        EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr);
        EVP_DigestUpdate(digest.get(), hash.data(), hash.size());
        EVP_DigestFinal_ex(digest.get(), hash.data(), nullptr);
        benchmark::DoNotOptimize(hash);
    }
    return watch.lap();
}

void run(benchmark::State& state, const std::vector<const Sample*>& chosen) {
    std::uint64_t bytes = 0, hashed = 0;
    for (const Sample* sample : chosen) {
        bytes += sample->bytes.size();
        hashed += sample->message_bytes;
    }
    Steps steps;
    Nanoseconds stream = 0, messages = 0;
    for ([[maybe_unused]] const auto& _ : state) {
        const Nanoseconds before = steps.all();
        for (const Sample* sample : chosen) {
            bytes_to_levels(*sample, steps);
            stream += one_stream(*sample);
            messages += message_by_message(*sample);
        }
        state.SetIterationTime(static_cast<double>(steps.all() - before) * 1e-9);
    }
    const auto rounds = static_cast<double>(state.iterations());
    const auto all = static_cast<double>(steps.all());
    const auto micros = [&](Nanoseconds time) { return static_cast<double>(time) / rounds / 1e3; };
    state.counters["MB/s"] = static_cast<double>(bytes) * rounds / all * 1e3;
    state.counters["hashed/bytes"] = static_cast<double>(hashed) / static_cast<double>(bytes);
    state.counters["x_stream"] = all / static_cast<double>(stream);
    state.counters["x_messages"] = all / static_cast<double>(messages);
    state.counters["sha_MB/s"] =
        static_cast<double>(hashed) * rounds / static_cast<double>(stream) * 1e3;
    state.counters["decode_us"] = micros(steps.decode);
    state.counters["trace_us"] = micros(steps.trace);
    state.counters["levels_us"] = micros(steps.levels);
}

} // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    std::vector<const Sample*> all;
    for (const Sample& sample : samples()) all.push_back(&sample);
    benchmark::RegisterBenchmark("bytes_to_levels/all", run, all)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
    for (const Sample* sample : all)
        benchmark::RegisterBenchmark(("bytes_to_levels/" + sample->name).c_str(), run,
                                     std::vector<const Sample*>{sample})
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
