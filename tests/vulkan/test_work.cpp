// Buffers, images and commands on the device of this machine, under the validation layer.
#include "vulkan/commands.h"
#include "vulkan/memory.h"

#include <QTest>

#include <algorithm>
#include <cstring>
#include <memory>

using namespace blockloom;
using namespace blockloom::vulkan;

class TestWork : public QObject {
    Q_OBJECT

    std::shared_ptr<Device> device_;
    bool validating_ = false;

private Q_SLOTS:
    void initTestCase() {
        auto instance = Instance::create(true);
        if (!instance.ok()) QSKIP("no Vulkan on this machine");
        validating_ = (*instance)->validating();
        auto made = Device::create(*instance);
        if (!made.ok()) QSKIP("no Vulkan device on this machine");
        device_ = *made;
    }

    void cleanupTestCase() { device_.reset(); }

    /// Upload, copy through device memory, copy back: every byte arrives, and the clock runs.
    void bytes_go_there_and_back() {
        constexpr std::size_t size = 1 << 20;
        auto up =
            Buffer::create(*device_, size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, MemoryUse::upload);
        auto there = Buffer::create(
            *device_, size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
            MemoryUse::device);
        auto back =
            Buffer::create(*device_, size, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::readback);
        QVERIFY(up.ok() && there.ok() && back.ok());
        QVERIFY(there->data() == nullptr);
        for (std::size_t i = 0; i < size; ++i)
            up->data()[i] = static_cast<std::byte>(i * 2654435761U >> 13);
        std::memset(back->data(), 0, size);
        QCOMPARE(up->flush(), VK_SUCCESS);
        auto commands = Commands::create(device_);
        QVERIFY(commands.ok());
        for (int round = 0; round < 3; ++round) { // the same buffer is recorded again
            const auto recording = commands->begin();
            QVERIFY(recording.ok());
            const VkBufferCopy all{0, 0, size};
            vkCmdCopyBuffer(*recording, up->get(), there->get(), 1, &all);
            memory_barrier(*recording, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                           VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
            vkCmdCopyBuffer(*recording, there->get(), back->get(), 1, &all);
            memory_barrier(*recording, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                           VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
            QVERIFY(commands->submit_and_wait().ok());
        }
        QCOMPARE(back->invalidate(), VK_SUCCESS);
        QVERIFY(std::equal(up->data(), up->data() + size, back->data()));
        if (device_->timestamp_bits() > 0) QVERIFY(commands->device_time().value_or(0) > 0);
    }

    /// Moving from an owner leaves it empty; nothing is destroyed twice (the layer would tell).
    void owners_move() {
        auto image =
            DeviceImage::create(*device_, 64, 32, VK_FORMAT_B8G8R8A8_UNORM,
                                VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
        QVERIFY(image.ok());
        DeviceImage moved = std::move(*image);
        DeviceImage assigned;
        assigned = std::move(moved);
        QVERIFY(assigned.get() != VK_NULL_HANDLE);
        QVERIFY(moved.get() == VK_NULL_HANDLE);
        QCOMPARE(assigned.width(), 64U);
    }

    void a_right_program_is_silent() {
        if (!validating_) QSKIP("the validation layer is not installed");
        QCOMPARE(device_->instance().messages(), 0U);
    }

    /// The layer is alive: a buffer without any usage is a mistake, and is counted.
    void a_wrong_program_is_caught() {
        if (!validating_) QSKIP("the validation layer is not installed");
        const std::uint64_t before = Instance::all_messages();
        const auto wrong = Buffer::create(*device_, 64, 0, MemoryUse::upload);
        QVERIFY(device_->instance().messages() > 0);
        QVERIFY(Instance::all_messages() > before);
    }

    /// More memory than there is: an error in words, not a crash.
    void too_much_is_refused() {
        const auto huge = Buffer::create(*device_, std::size_t{1} << 46,
                                         VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::upload);
        QVERIFY(!huge.ok());
        QCOMPARE(huge.error().code, ErrorCode::unavailable);
    }
};

QTEST_APPLESS_MAIN(TestWork)
#include "test_work.moc"
