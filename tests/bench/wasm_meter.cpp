// wasm_meter IN OUT: a module with fuel checks, for the build of the benchmark.
#include "base/file.h"
#include "wasm_metering.h"

#include <cstdio>
#include <fstream>

using namespace blockloom;

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: wasm_meter IN OUT\n");
        return 2;
    }
    const auto file = FileContent::read(argv[1]);
    const auto module =
        file ? wasm::load_module({file->bytes().begin(), file->bytes().end()}, argv[1])
             : file.error();
    if (!module) {
        std::fprintf(stderr, "%s\n", module.error().message.c_str());
        return 3;
    }
    const Bytes metered = bench::with_fuel_checks(**module, std::int64_t{1} << 62);
    std::ofstream(argv[2], std::ios::binary)
        .write(reinterpret_cast<const char*>(metered.data()),
               static_cast<std::streamsize>(metered.size()));
    return 0;
}
