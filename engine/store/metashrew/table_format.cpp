#include "store/metashrew/table_format.h"

#include "base/bytes.h"

#include <array>
#include <fstream>

namespace blockloom::store {
namespace {

/// A table ends with the version, 4 bytes, and this number, both little-endian.
constexpr std::uint64_t block_based_table = 0x88e241b785f4cff7;
constexpr std::streamoff end_bytes = 12;

std::optional<std::uint32_t> version_of(const std::filesystem::path& file) {
    std::ifstream table(file, std::ios::binary);
    std::array<char, end_bytes> end{};
    if (!table.seekg(-end_bytes, std::ios::end) || !table.read(end.data(), end.size()))
        return std::nullopt;
    const ByteView bytes = as_bytes({end.data(), end.size()});
    if (read_le<std::uint64_t>(bytes.data() + 4) != block_based_table) return std::nullopt;
    return read_le<std::uint32_t>(bytes.data());
}

} // namespace

std::optional<TableFormat> newest_table_format(const std::filesystem::path& folder) {
    std::optional<TableFormat> newest;
    std::error_code failed;
    for (auto file = std::filesystem::directory_iterator(folder, failed);
         !failed && file != std::filesystem::directory_iterator(); file.increment(failed)) {
        if (file->path().extension() != ".sst") continue;
        const auto version = version_of(file->path());
        if (version && (!newest || *version > newest->version))
            newest = TableFormat{file->path().filename().string(), *version};
    }
    return newest;
}

} // namespace blockloom::store
