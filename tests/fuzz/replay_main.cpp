// Replays a fuzz target without libFuzzer: every seed as it is, then with seeded mutations. Keeps
// the targets compiled and honest on machines without clang; long campaigns use the preset `fuzz`.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Input = std::vector<std::uint8_t>;

Input mutate(Input input, std::mt19937_64& random) {
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    const std::size_t changes = 1 + below(8);
    for (std::size_t i = 0; i < changes && !input.empty(); ++i) {
        const auto at = static_cast<std::ptrdiff_t>(below(input.size()));
        switch (below(5)) {
        case 0:
            input[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(random());
            break;
        case 1:
            input[static_cast<std::size_t>(at)] ^= static_cast<std::uint8_t>(1u << below(8));
            break;
        case 2:
            input.erase(input.begin() + at);
            break;
        case 3:
            input.insert(input.begin() + at, static_cast<std::uint8_t>(0xff));
            break;
        default:
            input.resize(static_cast<std::size_t>(at));
            break;
        }
    }
    return input;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    std::size_t runs = 0;
    for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
        std::ifstream file(entry.path(), std::ios::binary);
        const Input seed{std::istreambuf_iterator<char>(file), {}};
        LLVMFuzzerTestOneInput(seed.data(), seed.size());
        std::mt19937_64 random(seed.size());
        for (int i = 0; i < 2000; ++i, ++runs) {
            const Input input = mutate(seed, random);
            LLVMFuzzerTestOneInput(input.data(), input.size());
        }
    }
    std::printf("%zu inputs, nothing found\n", runs);
    return runs == 0 ? 1 : 0;
}
