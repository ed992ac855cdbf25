// Memory handed out in pieces, and which queues are taken.
#include "vulkan/memory_pool.h"
#include "vulkan/queues.h"

#include <QTest>

#include <random>

using namespace blockloom::vulkan;

namespace {

VkQueueFamilyProperties family(VkQueueFlags flags, std::uint32_t count) {
    VkQueueFamilyProperties made{};
    made.queueFlags = flags;
    made.queueCount = count;
    return made;
}

constexpr VkQueueFlags graphics = VK_QUEUE_GRAPHICS_BIT, compute = VK_QUEUE_COMPUTE_BIT,
                       transfer = VK_QUEUE_TRANSFER_BIT, sparse = VK_QUEUE_SPARSE_BINDING_BIT;
constexpr VkQueueFlags video = 0x20; // VK_QUEUE_VIDEO_DECODE_BIT_KHR

} // namespace

class TestMemoryPool : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Against a plain map of bytes: pieces never overlap, and nothing is lost.
    void ranges_never_overlap() {
        constexpr std::uint64_t size = 1 << 16;
        std::mt19937 random(3);
        RangeAllocator ranges(size);
        std::vector<bool> taken(size);
        std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces;
        int refused = 0;
        for (int step = 0; step < 20'000; ++step) {
            if (pieces.empty() || random() % 5 < 3) {
                const std::uint64_t bytes = 1 + random() % 3000, alignment = 1ULL << random() % 9;
                const auto at = ranges.take(bytes, alignment);
                if (!at) {
                    ++refused;
                    continue;
                }
                QVERIFY(*at % alignment == 0 && *at + bytes <= size);
                for (std::uint64_t i = *at; i < *at + bytes; ++i) {
                    QVERIFY(!taken[i]);
                    taken[i] = true;
                }
                pieces.emplace_back(*at, bytes);
            } else {
                std::swap(pieces[random() % pieces.size()], pieces.back());
                const auto [at, bytes] = pieces.back();
                pieces.pop_back();
                ranges.give_back(at, bytes);
                for (std::uint64_t i = at; i < at + bytes; ++i) taken[i] = false;
            }
            QCOMPARE(ranges.empty(), pieces.empty());
        }
        QVERIFY(refused > 100); // it was full now and then
        for (const auto& [at, bytes] : pieces) ranges.give_back(at, bytes);
        QVERIFY(ranges.empty());
        QCOMPARE(ranges.take(size, 1), std::optional<std::uint64_t>(0)); // in one piece again
        QVERIFY(!ranges.take(1, 1));
    }

    void queues_of_known_devices() {
        // An H200: all, copies, compute, video.
        const std::vector server{
            family(graphics | compute | transfer | sparse, 16), family(transfer | sparse, 2),
            family(compute | transfer | sparse, 8), family(transfer | sparse | video, 3)};
        QueueChoice choice = choose_queues(server, compute, true);
        QVERIFY(choice.found && choice.work == (QueuePlace{0, 0}));
        QCOMPARE(choice.transfer.family, 1U);
        choice = choose_queues(server, compute, false);
        QVERIFY(choice.transfer == choice.work);

        // One queue for everything (lavapipe); several of one family; nothing that computes.
        choice =
            choose_queues(std::vector{family(graphics | compute | transfer, 1)}, compute, true);
        QVERIFY(choice.found && choice.transfer == choice.work);
        choice = choose_queues(std::vector{family(graphics | compute, 4)}, compute, true);
        QVERIFY(choice.transfer == (QueuePlace{0, 1}));
        QVERIFY(!choose_queues(std::vector{family(transfer, 4)}, compute, true).found);

        // A family of compute alone is better than nothing, a copy engine better than that; a video
        // engine is none.
        choice = choose_queues(std::vector{family(graphics | compute, 1), family(compute, 2),
                                           family(transfer | video, 1)},
                               compute, true);
        QCOMPARE(choice.transfer.family, 1U);
        choice = choose_queues(std::vector{family(transfer, 1), family(compute, 2)}, compute, true);
        QVERIFY(choice.work == (QueuePlace{1, 0}) && choice.transfer == (QueuePlace{0, 0}));
        QVERIFY(!choose_queues(std::vector{family(compute, 1)}, graphics | compute, true).found);
    }

    void pieces_are_used_again() {
        auto instance = Instance::create(true);
        if (!instance.ok()) QSKIP("no Vulkan on this machine");
        const auto device = Device::create(*instance, {.index = 0, .compute = true});
        if (!device.ok()) QSKIP("no Vulkan device on this machine");
        const auto pool = std::make_shared<MemoryPool>(*device, std::uint64_t{200} << 20);
        VkMemoryRequirements needs{};
        needs.memoryTypeBits = ~0U;
        needs.alignment = 64;
        needs.size = 1000;
        {
            std::vector<MemoryPool::Piece> pieces(100);
            for (MemoryPool::Piece& piece : pieces) {
                QCOMPARE(pool->allocate(needs, MemoryUse::upload, piece), VK_SUCCESS);
                QVERIFY(piece.data() != nullptr && piece.offset() % 256 == 0);
                QVERIFY(piece.memory() == pieces[0].memory()); // one block holds them all
            }
            QCOMPARE(pool->use().in_use, 100U * 1024);
            MemoryPool::Piece hidden;
            QCOMPARE(pool->allocate(needs, MemoryUse::device, hidden), VK_SUCCESS);
            QVERIFY(hidden.data() == nullptr);
        }
        QCOMPARE(pool->use().in_use, 0U);
        const std::uint64_t reserved = pool->use().reserved;
        QVERIFY(reserved > 0);
        for (int i = 0; i < 10; ++i) { // larger than a block, again and again
            MemoryPool::Piece large;
            needs.size = std::uint64_t{100} << 20;
            QCOMPARE(pool->allocate(needs, MemoryUse::device, large), VK_SUCCESS);
        }
        QCOMPARE(pool->use().reserved, reserved + needs.size);
        needs.size = std::uint64_t{201} << 20;
        MemoryPool::Piece beyond;
        QCOMPARE(pool->allocate(needs, MemoryUse::device, beyond), VK_ERROR_OUT_OF_DEVICE_MEMORY);
        QCOMPARE((*device)->instance().messages(), 0U);
    }
};

QTEST_APPLESS_MAIN(TestMemoryPool)
#include "test_memory_pool.moc"
