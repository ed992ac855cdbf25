#include "chain/block_source.h"

#include "chain/block_file.h"
#include "chain/container.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <system_error>
#include <utility>

namespace blockloom::chain {

namespace fs = std::filesystem;

namespace {

bool all_digits(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "blk00012.dat" or "rev00012.dat", by what it starts with.
bool is_core_file(const std::string& name, std::string_view start) {
    return name.starts_with(start) && name.ends_with(".dat") && name.size() > 7 &&
           all_digits(std::string_view(name).substr(3, name.size() - 7));
}

/// The number at the end of a file's name: "849236", "testnet3-928848".
std::optional<std::uint64_t> height_in_name(const std::string& path) {
    const std::string stem = fs::path(path).stem().string();
    const std::size_t cut = stem.find_last_of("-_");
    const std::string digits = cut == std::string::npos ? stem : stem.substr(cut + 1);
    std::uint64_t height = 0;
    if (!all_digits(digits) || digits.size() > 9) return std::nullopt;
    std::from_chars(digits.data(), digits.data() + digits.size(), height);
    return height;
}

/// A name that says "I am a block": not finding one in it is an error, not a note.
bool claims_to_be_block(const fs::path& path) {
    const std::string extension = path.extension().string();
    return is_core_file(path.filename().string(), "blk") ||
           ((extension == ".bin" || extension == ".raw" || extension == ".hex") &&
            height_in_name(path.string()).has_value());
}

/// Files that lie next to block files and are known not to be blocks.
bool is_bystander(const std::string& name) {
    return is_core_file(name, "rev") || name == "xor.dat" || name == "synth.json" ||
           name.starts_with('.');
}

/// Collects the blocks of one source after the other.
class Lister {
public:
    Lister(ProgressSink& progress, std::stop_token stop)
        : progress_(progress), stop_(std::move(stop)) {}

    Status add(const fs::path& path) {
        std::error_code failed;
        const fs::file_status status = fs::status(path, failed);
        if (failed || !fs::exists(status))
            return Error{ErrorCode::system,
                         fmt::format("{}: cannot open: {}", path.string(),
                                     failed ? failed.message() : "no such file or folder")};
        if (fs::is_directory(status)) return add_folder(path);
        return add_file(path, true);
    }

    void add_found(Finding found, const std::string& name, std::size_t size, bool must_be_block) {
        if (found.not_blocks) {
            if (must_be_block) {
                listing_.malformed.push_back({name, std::move(*found.not_blocks)});
            } else {
                listing_.notes.push_back({name, "not a block: " + found.not_blocks->message});
            }
            return;
        }
        if (found.blocks.size() == 1 && found.blocks.front().container != Container::record &&
            !found.blocks.front().height)
            found.blocks.front().height = height_in_name(name);
        std::move(found.blocks.begin(), found.blocks.end(), std::back_inserter(listing_.blocks));
        std::move(found.malformed.begin(), found.malformed.end(),
                  std::back_inserter(listing_.malformed));
        listing_.files.push_back({name, size});
    }

    [[nodiscard]] SourceListing take() { return std::move(listing_); }

private:
    Status add_folder(const fs::path& folder) {
        std::error_code failed;
        const fs::path below = folder / "blocks";
        if (fs::is_directory(below, failed)) {
            // A data folder: its own files (peers.dat, wallets …) are no blocks.
            const std::vector<fs::path> files = files_of(below, failed);
            if (std::any_of(files.begin(), files.end(), [](const fs::path& file) {
                    return is_core_file(file.filename().string(), "blk");
                }))
                return add_files(files);
            if (Status status = add_files(files); !status) return status;
        }
        failed.clear();
        const std::vector<fs::path> files = files_of(folder, failed);
        if (failed)
            return Error{ErrorCode::system,
                         fmt::format("{}: cannot list: {}", folder.string(), failed.message())};
        return add_files(files);
    }

    static std::vector<fs::path> files_of(const fs::path& folder, std::error_code& failed) {
        std::vector<fs::path> files;
        fs::directory_iterator at(folder, failed);
        for (const fs::directory_iterator end; !failed && at != end; at.increment(failed)) {
            std::error_code unreadable;
            if (at->is_regular_file(unreadable)) files.push_back(at->path());
        }
        std::sort(files.begin(), files.end());
        return files;
    }

    Status add_files(const std::vector<fs::path>& files) {
        for (std::size_t i = 0; i < files.size(); ++i) {
            progress_.report({"listing", i, files.size()});
            if (stop_.stop_requested()) return cancelled_error();
            if (is_bystander(files[i].filename().string())) continue;
            if (Status status = add_file(files[i], false); !status) return status;
        }
        return {};
    }

    Status add_file(const fs::path& path, bool named) {
        if (stop_.stop_requested()) return cancelled_error();
        if (is_trace_file(path)) {
            listing_.trace_files.push_back(path);
            return {};
        }
        const bool must_be_block = named || claims_to_be_block(path);
        const auto failed = [&](const Error& error) {
            if (must_be_block) {
                listing_.malformed.push_back({path.string(), error});
            } else {
                listing_.notes.push_back({path.string(), error.message});
            }
        };
        auto opened = OpenFile::open(path);
        if (!opened) {
            failed(opened.error());
            return {};
        }
        const auto plain = std::make_shared<const BlockFile>(path, XorKey());
        std::shared_ptr<const BlockFile> obfuscated;
        if (const XorKey key = key_beside(path); !key.is_zero())
            obfuscated = std::make_shared<const BlockFile>(path, key);
        StoredBytes stored(*std::move(opened), stop_);
        Finding found = find_blocks(plain, obfuscated, stored);
        if (stop_.stop_requested()) return cancelled_error();
        if (!stored.failure() || !found.blocks.empty())
            add_found(std::move(found), path.string(), stored.size(), must_be_block);
        if (stored.failure()) failed(*stored.failure());
        return {};
    }

    /// The key in `xor.dat` of the file's folder; zeros where there is none.
    XorKey key_beside(const fs::path& path) {
        const fs::path folder = path.parent_path();
        const auto known = keys_.find(folder);
        if (known != keys_.end()) return known->second;
        XorKey key;
        std::error_code failed;
        if (const fs::path beside = folder / "xor.dat"; fs::is_regular_file(beside, failed)) {
            const auto file = FileContent::read(beside);
            if (file && file->bytes().size() == 8) {
                std::array<Byte, 8> bytes{};
                std::copy_n(file->bytes().begin(), bytes.size(), bytes.begin());
                key = XorKey(bytes);
            } else {
                listing_.notes.push_back(
                    {beside.string(),
                     file ? fmt::format("not an XOR key: expected 8 bytes, found {}",
                                        file->bytes().size())
                          : file.error().message});
            }
        }
        return keys_.emplace(folder, key).first->second;
    }

    ProgressSink& progress_;
    std::stop_token stop_;
    SourceListing listing_;
    std::map<fs::path, XorKey> keys_;
};

} // namespace

bool is_trace_file(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.ends_with(".bloomtrace") || name.ends_with(".bloomtrace.gz");
}

Result<SourceListing> list_blocks(std::span<const fs::path> paths, ProgressSink& progress,
                                  std::stop_token stop) {
    Lister lister(progress, std::move(stop));
    for (const fs::path& path : paths)
        if (const Status status = lister.add(path); !status) return status.error();
    return lister.take();
}

SourceListing list_block_bytes(Bytes bytes, const std::string& name, ByteView key) {
    const auto kept = std::make_shared<const FileBytes>(std::move(bytes));
    const auto plain = std::make_shared<const BlockFile>(name, kept, XorKey());
    std::shared_ptr<const BlockFile> obfuscated;
    if (key.size() == 8) {
        std::array<Byte, 8> key_bytes{};
        std::copy_n(key.begin(), key_bytes.size(), key_bytes.begin());
        obfuscated = std::make_shared<const BlockFile>(name, kept, XorKey(key_bytes));
    }
    SilentProgress silent;
    Lister lister(silent, {});
    StoredBytes stored(kept->bytes());
    lister.add_found(find_blocks(plain, obfuscated, stored), name, kept->bytes().size(), true);
    return lister.take();
}

Result<BlockBytes> read_block(const BlockRef& ref) {
    return ref.file->read(ref.offset, ref.size);
}

Result<Block> load_block(const BlockRef& ref) {
    auto stored = read_block(ref);
    if (!stored) return stored.error();
    return decode_block(ref, *std::move(stored));
}

Result<Block> decode_block(const BlockRef& ref, BlockBytes stored) {
    const BlockFile& file = *ref.file;
    auto [storage, bytes] = std::move(stored);
    std::uint64_t base = ref.offset;
    if (ref.container == Container::hex) {
        auto decoded = decode_hex_text(bytes, file.name(), ref.offset);
        if (!decoded) return decoded.error();
        const auto plain = std::make_shared<const FileBytes>(std::move(*decoded));
        base = ref.text_has_height ? 4 : 0; // offsets are those of the decoded bytes
        bytes = plain->bytes();
        storage = plain;
        bytes = bytes.subspan(std::min<std::size_t>(base, bytes.size()));
    } else if (!file.key().is_zero()) {
        Bytes turned(bytes.size());
        file.key().apply(bytes, ref.offset, turned.data());
        const auto plain = std::make_shared<const FileBytes>(std::move(turned));
        bytes = plain->bytes();
        storage = plain;
    }
    auto block = decode_block(storage, bytes, file.name(), base);
    if (!block) return block;
    if (block->hash != ref.hash)
        return input_error(file.name(), ref.offset, "block " + to_reversed_hex(ref.hash),
                           "a different one: the file changed after it was listed");
    if (!block->height) block->height = ref.height;
    block->source = ref.source();
    return block;
}

} // namespace blockloom::chain
