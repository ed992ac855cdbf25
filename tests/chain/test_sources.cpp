// Every container gives the same blocks; what is no block is a note or an error that says where.
#include "base/file.h"
#include "chain/block_source.h"
#include "chain/random_block.h"

#include <QTemporaryDir>
#include <QTest>

#include <zlib.h>

#include <filesystem>
#include <thread>

using namespace blockloom;
namespace fs = std::filesystem;

namespace {

const std::vector<Bytes> magics{{0xf9, 0xbe, 0xb4, 0xd9},
                                {0x0b, 0x11, 0x09, 0x07},
                                {0x1c, 0x16, 0x3f, 0x28},
                                {0x0a, 0x03, 0xcf, 0x40},
                                {0xfa, 0xbf, 0xb5, 0xda}};
const Bytes key{0xf9, 0xbe, 0x01, 0x80, 0x00, 0x7f, 0xff, 0x33}; // its start hides a magic's

std::vector<Bytes> some_blocks(std::size_t count, std::uint64_t seed = 1) {
    model::Dice dice(seed);
    std::vector<Bytes> blocks;
    for (std::size_t i = 0; i < count; ++i)
        blocks.push_back(model::bytes_of(
            dice.block(1 + dice.below(5), static_cast<std::uint32_t>(800'000 + i), i % 2 == 0)));
    return blocks;
}

Bytes with_height(const Bytes& block, std::uint32_t height) {
    Bytes bytes;
    append_le(bytes, height);
    model::put(bytes, block);
    return bytes;
}

Bytes records(const std::vector<Bytes>& blocks, const Bytes& magic, std::size_t zeros) {
    Bytes bytes;
    for (const Bytes& block : blocks) {
        model::put(bytes, magic);
        append_le(bytes, static_cast<std::uint32_t>(block.size()));
        model::put(bytes, block);
    }
    bytes.insert(bytes.end(), zeros, 0);
    return bytes;
}

Bytes xored(Bytes bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] ^= key[i % 8];
    return bytes;
}

Bytes text(const std::string& characters) {
    const ByteView view = as_bytes(characters);
    return {view.begin(), view.end()};
}

std::string wrapped_hex(const Bytes& block, std::size_t columns) {
    std::string lines;
    const std::string digits = to_hex(block);
    for (std::size_t at = 0; at < digits.size(); at += columns)
        lines += digits.substr(at, columns) + "\r\n";
    return lines;
}

Bytes zipped(const std::string& characters) {
    z_stream stream{};
    constexpr int gzip = 16;
    if (deflateInit2(&stream, 6, Z_DEFLATED, gzip + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        qFatal("cannot deflate");
    std::string from = characters;
    Bytes made(characters.size() + 256);
    stream.next_in = reinterpret_cast<Bytef*>(from.data());
    stream.avail_in = static_cast<uInt>(from.size());
    stream.next_out = made.data();
    stream.avail_out = static_cast<uInt>(made.size());
    deflate(&stream, Z_FINISH);
    made.resize(stream.total_out);
    deflateEnd(&stream);
    return made;
}

/// Empty if the listing holds just these blocks, in this order; else what differs.
std::string difference(const chain::SourceListing& listing, const std::vector<Bytes>& expected) {
    if (!listing.malformed.empty()) return listing.malformed.front().error.message;
    if (listing.blocks.size() != expected.size())
        return std::to_string(listing.blocks.size()) + " blocks";
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto block = chain::load_block(listing.blocks[i]);
        if (!block) return block.error().message;
        if (!std::equal(block->bytes.begin(), block->bytes.end(), expected[i].begin(),
                        expected[i].end()))
            return "other bytes in block " + std::to_string(i);
        if (block->hash != listing.blocks[i].hash) return "another hash";
        if (block->height != listing.blocks[i].height) return "another height";
    }
    return {};
}

void check(const Bytes& file, const std::vector<Bytes>& expected, chain::Container container,
           const Bytes& xor_key = {}) {
    const auto listing = chain::list_block_bytes(file, "memory", xor_key);
    QCOMPARE(difference(listing, expected), std::string());
    for (const auto& block : listing.blocks) QCOMPARE(block.container, container);
}

/// A folder that is there while the test runs.
class Folder {
public:
    [[nodiscard]] fs::path path() const { return folder_.path().toStdString(); }
    fs::path write(const std::string& name, const Bytes& bytes) const {
        const fs::path file = path() / name;
        fs::create_directories(file.parent_path());
        if (!write_file(file, bytes)) qFatal("cannot write");
        return file;
    }

private:
    QTemporaryDir folder_;
};

Result<chain::SourceListing> list(const std::vector<fs::path>& paths, std::stop_token stop = {}) {
    SilentProgress silent;
    return chain::list_blocks(paths, silent, std::move(stop));
}

} // namespace

class TestSources : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_container_gives_the_same_block() {
        using chain::Container;
        for (const Bytes& block : some_blocks(8)) {
            const std::vector<Bytes> expected{block};
            check(block, expected, Container::raw);
            check(with_height(block, 7), expected, Container::height_prefixed);
            check(text(to_hex(block)), expected, Container::hex);
            check(text("  0x" + to_hex(block) + "\n"), expected, Container::hex);
            check(text("\n" + wrapped_hex(block, 64)), expected, Container::hex);
            check(text(wrapped_hex(block, 3)), expected, Container::hex);
            check(text(to_hex(with_height(block, 7))), expected, Container::hex);
            std::string upper = to_hex(block);
            for (char& c : upper) c = static_cast<char>(std::toupper(c));
            check(text(upper), expected, Container::hex);
            for (const Bytes& magic : magics)
                check(records(expected, magic, 100), expected, Container::record);
        }
    }

    void files_of_several_blocks_give_them_in_order_of_arrival() {
        using chain::Container;
        std::vector<Bytes> blocks = some_blocks(20);
        std::swap(blocks[3], blocks[11]);
        for (const Bytes& magic : magics)
            for (const std::size_t zeros : {0u, 1u, 7u, 8u, 5000u}) {
                check(records(blocks, magic, zeros), blocks, Container::record);
                check(xored(records(blocks, magic, zeros)), blocks, Container::record, key);
                // Core allocates ahead with zeros that are not obfuscated.
                Bytes ahead = xored(records(blocks, magic, 0));
                ahead.resize(ahead.size() + zeros);
                check(ahead, blocks, Container::record, key);
                // A key that is there and not used: files from before Core 28.
                check(records(blocks, magic, zeros), blocks, Container::record, key);
                Bytes gap = records({blocks[0]}, magic, zeros);
                model::put(gap, records({blocks[1]}, magic, 0));
                check(gap, {blocks[0], blocks[1]}, Container::record);
                Bytes raw_gap = xored(records({blocks[0]}, magic, zeros));
                const std::size_t before = raw_gap.size() - zeros;
                std::fill(raw_gap.begin() + static_cast<std::ptrdiff_t>(before), raw_gap.end(),
                          Byte{0});
                Bytes second = records({blocks[0]}, magic, zeros);
                model::put(second, records({blocks[1]}, magic, 0));
                second = xored(second);
                raw_gap.insert(raw_gap.end(),
                               second.begin() + static_cast<std::ptrdiff_t>(before + zeros),
                               second.end());
                check(raw_gap, {blocks[0], blocks[1]}, Container::record, key);
            }
        std::string lines;
        for (const Bytes& block : blocks) lines += to_hex(block) + "\n\n";
        check(text(lines), blocks, Container::hex);
    }

    void heights_come_from_the_block_then_the_container_then_the_name() {
        model::Dice dice(9);
        const Bytes announced = model::bytes_of(dice.block(2, 800'123, false));
        const Bytes untold = model::bytes_of(dice.block(2, std::nullopt, false));
        const auto height = [](const Bytes& file, const std::string& name) {
            const auto listing = chain::list_block_bytes(file, name);
            if (listing.blocks.size() != 1) qFatal("not one block");
            const auto block = chain::load_block(listing.blocks[0]);
            return block ? block->height : std::nullopt;
        };
        QCOMPARE(height(announced, "/x/77.bin"), std::optional(800'123ul));
        QCOMPARE(height(with_height(announced, 9), "/x/77.bin"), std::optional(800'123ul));
        QCOMPARE(height(with_height(untold, 9), "/x/77.bin"), std::optional(9ul));
        QCOMPARE(height(text(to_hex(with_height(untold, 9))), "a.hex"), std::optional(9ul));
        QCOMPARE(height(untold, "/x/77.bin"), std::optional(77ul));
        QCOMPARE(height(untold, "/x/testnet3-78.bin"), std::optional(78ul));
        QCOMPARE(height(untold, "/x/block7.bin"), std::nullopt);
        QCOMPARE(height(records({untold}, magics[0], 0), "/x/blk00077.dat"), std::nullopt);
    }

    void a_folder_is_a_source() {
        const Folder folder;
        const std::vector<Bytes> blocks = some_blocks(6);
        folder.write("a.bin", blocks[0]);
        folder.write("b.raw", with_height(blocks[1], 5));
        folder.write("c.dat", records({blocks[2], blocks[3]}, magics[4], 10));
        folder.write("d.txt", text(to_hex(blocks[4])));
        folder.write("e", blocks[5]);
        folder.write("README.md",
                     text("no block at all, and longer than a header is; really, it is "
                          "quite a bit longer than that"));
        folder.write("short.dat", {1, 2, 3});
        folder.write("empty", {});
        folder.write("x.bloomtrace", text("{}"));
        folder.write("y.bloomtrace.gz", text("{}"));
        folder.write(".hidden", text("x"));
        folder.write("rev00000.dat", {1, 2, 3});
        folder.write("deeper/f.bin", blocks[5]); // not looked at
        const auto listing = list({folder.path()});
        QVERIFY(listing.ok());
        QCOMPARE(difference(*listing, blocks), std::string());
        QCOMPARE(listing->notes.size(), std::size_t{3});
        QCOMPARE(listing->trace_files.size(), std::size_t{2});
        QCOMPARE(listing->files.size(), std::size_t{5});
    }

    void cores_folders_and_key() {
        const Folder folder;
        const std::vector<Bytes> blocks = some_blocks(9);
        const auto part = [&](std::ptrdiff_t from, std::ptrdiff_t to) {
            return xored(records({blocks.begin() + from, blocks.begin() + to}, magics[0], 64));
        };
        folder.write("blocks/blk00000.dat", part(0, 4));
        folder.write("blocks/blk00001.dat", part(4, 9));
        folder.write("blocks/rev00000.dat", xored({1, 2, 3, 4, 5, 6, 7, 8, 9}));
        folder.write("blocks/xor.dat", key);
        folder.write("blocks/index/000003.log", {1, 2});
        folder.write("peers.dat", Bytes(500, 0x55));
        for (const fs::path& path : {folder.path(), folder.path() / "blocks"}) {
            const auto listing = list({path});
            QVERIFY(listing.ok());
            QCOMPARE(difference(*listing, blocks), std::string());
            QVERIFY(listing->notes.empty());
        }
        const auto one = list({folder.path() / "blocks" / "blk00001.dat"});
        QVERIFY(one.ok());
        QCOMPARE(difference(*one, {blocks.begin() + 4, blocks.end()}), std::string());
        // Without the key nothing can be read, and that is no mere note.
        fs::remove(folder.path() / "blocks" / "xor.dat");
        const auto locked = list({folder.path()});
        QVERIFY(locked.ok());
        QVERIFY(locked->blocks.empty());
        QCOMPARE(locked->malformed.size(), std::size_t{2});
    }

    void what_is_named_must_be_a_block() {
        const Folder folder;
        const auto readme = folder.write("README.md", text("not a block"));
        const auto listing = list({readme});
        QVERIFY(listing.ok());
        QCOMPARE(listing->malformed.size(), std::size_t{1});
        const std::string message = listing->malformed.front().error.message;
        QVERIFY2(message.starts_with(readme.string() +
                                     ": not a recognised block file; as a raw block: offset 0: "
                                     "expected"),
                 message.c_str());
        // In a folder, a name that says "block 849236" is a promise.
        folder.write("849236.bin", text("not a block"));
        const auto inside = list({folder.path()});
        QVERIFY(inside.ok());
        QCOMPARE(inside->malformed.size(), std::size_t{1});
        QCOMPARE(inside->notes.size(), std::size_t{1});
        QVERIFY(!list({folder.path() / "absent.bin"}).ok());
    }

    /// Answers of nodes of other chains, as they are and in gzip: the error names them.
    void json_of_another_chain_is_named() {
        const Folder folder;
        const std::pair<const char*, const char*> forms[] = {
            {R"({"jsonrpc": "2.0", "result": {"blockHeight": 1, "parentSlot": 0}})", "Solana"},
            {" [\n {\"block_trace\": {}}]", "Ethereum"},
            {R"({"request":{"params":["0x1",{"tracer":"prestateTracer"}]}})", "Ethereum"},
            {R"({"result":{"hash":"00","merkleroot":"ab"}})", "Bitcoin block (getblock"},
            {R"({"anything": 1})", "JSON of an unknown format"}};
        for (const auto& [json, name] : forms) {
            for (const Bytes& bytes : {text(json), zipped(json)}) {
                const auto listing = list({folder.write("block.json", bytes)});
                QVERIFY(listing.ok());
                QCOMPARE(listing->malformed.size(), std::size_t{1});
                const std::string message = listing->malformed.front().error.message;
                QVERIFY2(message.find(name) != std::string::npos, message.c_str());
                // The path stands in it once.
                const auto at = message.find("block.json");
                QVERIFY(at != std::string::npos);
                QVERIFY(message.find("block.json", at + 1) == std::string::npos);
            }
        }
        // A brace does not make JSON.
        const auto other = list({folder.write("odd", text("{ not JSON"))});
        QVERIFY(other.ok());
        QVERIFY(other->malformed.front().error.message.find("JSON") == std::string::npos);
    }

    void a_damaged_record_does_not_hide_the_others() {
        const std::vector<Bytes> blocks = some_blocks(4);
        const Bytes good = records(blocks, magics[0], 0);
        const std::size_t second = 8 + blocks[0].size();
        const std::vector<Bytes> others{blocks[0], blocks[2], blocks[3]};
        for (const bool obfuscated : {false, true}) {
            const auto survivors = [&](const Bytes& file) {
                auto listing = chain::list_block_bytes(obfuscated ? xored(file) : file, "blk.dat",
                                                       obfuscated ? key : Bytes{});
                const bool reported = listing.malformed.size() == 1;
                listing.malformed.clear();
                return reported ? difference(listing, others) : std::string("not reported");
            };
            Bytes bad_magic = good;
            bad_magic[second] ^= 0x10;
            QCOMPARE(survivors(bad_magic), std::string());
            Bytes bad_length = good;
            bad_length[second + 6] = 0xff;
            QCOMPARE(survivors(bad_length), std::string());
        }
        // Cut inside the last record: the others are there, the last is reported.
        for (const std::size_t cut : {1u, 50u}) {
            const Bytes file(good.begin(), good.end() - static_cast<std::ptrdiff_t>(cut));
            auto listing = chain::list_block_bytes(file, "blk.dat");
            QCOMPARE(listing.malformed.size(), std::size_t{1});
            listing.malformed.clear();
            QCOMPARE(difference(listing, {blocks[0], blocks[1], blocks[2]}), std::string());
        }
    }

    void a_block_that_is_cut_or_followed_fails_when_it_is_loaded() {
        const Bytes block = some_blocks(1).front();
        const auto error = [](const Bytes& file, const std::string& name) {
            const auto listing = chain::list_block_bytes(file, name);
            if (!listing.malformed.empty()) return listing.malformed.front().error.message;
            const auto loaded = chain::load_block(listing.blocks.front());
            return loaded ? std::string() : loaded.error().message;
        };
        for (std::size_t size = 0; size < block.size(); ++size) {
            const Bytes cut(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(size));
            const std::string message = error(cut, "a.bin");
            QVERIFY2(message.starts_with("a.bin: ") && message.find(": offset ") < message.size(),
                     message.c_str());
            QVERIFY(!error(text(to_hex(cut)), "a.hex").empty());
            QVERIFY(!error(with_height(cut, 5), "a.bin").empty());
        }
        Bytes longer = block;
        longer.push_back(0);
        QVERIFY(error(longer, "a.bin")
                    .starts_with("a.bin: offset " + std::to_string(block.size()) +
                                 ": expected the end of the block"));
        QVERIFY(error(text(to_hex(block) + "zz"), "a.hex")
                    .starts_with("a.hex: offset " + std::to_string(2 * block.size())));
        QVERIFY(error(text(to_hex(block) + "a"), "a.hex").find("even number") != std::string::npos);
    }

    void a_file_that_changes_is_noticed() {
        const Folder folder;
        const std::vector<Bytes> blocks = some_blocks(2);
        const auto path = folder.write("a.bin", blocks[0]);
        const auto listing = list({path});
        QVERIFY(listing.ok());
        folder.write("a.bin", blocks[1]);
        const auto loaded = chain::load_block(listing->blocks.front());
        QVERIFY(!loaded.ok());
    }

    /// As a mapping it would end the process where the missing page is touched.
    void a_file_that_shrinks_is_an_error() {
        const Folder folder;
        const std::vector<Bytes> blocks = some_blocks(3);
        const fs::path file = folder.write("blk00000.dat", records(blocks, magics[0], 50'000));
        const auto listing = list({file});
        QVERIFY(listing.ok());
        QCOMPARE(difference(*listing, blocks), std::string());
        const chain::BlockRef& last = listing->blocks.back();
        for (const std::uintmax_t size :
             {last.offset + last.size - 1, last.offset, std::uint64_t{0}}) {
            fs::resize_file(file, size);
            const auto block = chain::load_block(last);
            QVERIFY(!block.ok());
            QVERIFY2(block.error().message.find("was truncated") != std::string::npos,
                     block.error().message.c_str());
        }
    }

    void a_sparse_file_takes_neither_time_nor_memory() {
        constexpr std::uintmax_t tebibyte = std::uintmax_t{1} << 40;
        const Folder folder;
        const std::vector<Bytes> blocks = some_blocks(2);
        const fs::path core = folder.write("blk00000.dat", records(blocks, magics[0], 0)),
                       raw = folder.write("800000.bin", blocks[0]),
                       other = folder.write("x", text("no block"));
        for (const fs::path& file : {core, raw, other}) fs::resize_file(file, tebibyte);
        const auto found = list({core});
        QVERIFY(found.ok());
        QCOMPARE(difference(*found, blocks), std::string());
        const auto claimed = list({raw});
        QVERIFY(claimed.ok() && claimed->blocks.size() == 1);
        QVERIFY(!chain::load_block(claimed->blocks[0]).ok());
        const auto nothing = list({other});
        QVERIFY(nothing.ok() && nothing->blocks.empty() && nothing->malformed.size() == 1);
    }

    void blocks_of_one_file_load_in_parallel() {
        const Folder folder;
        const std::vector<Bytes> blocks = some_blocks(40);
        const auto listing = list({folder.write("blk00000.dat", records(blocks, magics[0], 0))});
        QVERIFY(listing.ok());
        std::array<bool, 4> same{};
        {
            std::vector<std::jthread> threads;
            for (bool& result : same)
                threads.emplace_back([&] { result = difference(*listing, blocks).empty(); });
        }
        QCOMPARE(same, (std::array<bool, 4>{true, true, true, true}));
    }

    void listing_can_be_stopped() {
        const Folder folder;
        folder.write("a.bin", some_blocks(1).front());
        std::stop_source stop;
        stop.request_stop();
        const auto listing = list({folder.path()}, stop.get_token());
        QVERIFY(!listing.ok());
        QCOMPARE(listing.error().code, ErrorCode::cancelled);
    }
};

QTEST_APPLESS_MAIN(TestSources)
#include "test_sources.moc"
