// How the CUDA provider gets machine code from a driver, here a fake one, and keeps it: what cannot
// be compiled is refused with the compiler's words, and kept code that is damaged, of another
// device or another kernel is made anew.
#include "compute/cuda/code_files.h"
#include "compute/errors.h"
#include "compute/kept_kernels.h"
#include "compute/sealed_file.h"
#include "cuda_work.h"
#include "devices.h"
#include "kernels.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace blockloom;
using namespace blockloom::compute;
using namespace blockloom::compute_tests;

namespace {

const char* const key = "00ff";

KernelSource keyed(const char* entry, int* made = nullptr) {
    KernelSource source;
    source.name = "keyed";
    source.ptx.emplace();
    source.ptx->key = key;
    source.ptx->entry = entry;
    source.ptx->text = [entry = std::string(entry), made] {
        if (made != nullptr) ++*made;
        return fake_cuda::ptx_of(entry, 0, 0);
    };
    return source;
}

QByteArray content(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool written(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

} // namespace

class TestCudaCode : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;

    /// Opens the device with a cache and gets the kernel. 1: its code was kept, 0: it was made.
    int got(const char* faults = "", const char* entry = "one") const {
        ProviderOptions options;
        options.cache_folder = folder_->path().toStdString();
        const ProviderPtr on = opened(faults, options);
        int made = 0;
        const auto kernel = on->kernel(keyed(entry, &made));
        if (!kernel.ok()) qFatal("%s", kernel.error().message.c_str());
        const bool kept = (*kernel)->facts().kept;
        if (kept == (made != 0)) qFatal("it was kept, and was made");
        return kept ? 1 : 0;
    }
    QString own_folder() const {
        return folder_->filePath(QStringLiteral("cuda-fafafafafafafafafafafafafafafa00-12040"));
    }
    QString file() const { return own_folder() + QStringLiteral("/00ff-0-4.cubin"); }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }
    void cleanup() {
        QVERIFY(fake_cuda::control().live() == fake_cuda::Live{});
        QVERIFY(fake_cuda::control().mistakes().empty());
    }

    void kernels_are_compiled() {
        const ProviderPtr on = opened("");
        const auto kernel = on->kernel(mix_kernel(1, 1));
        QVERIFY(kernel.ok());
        QCOMPARE((*kernel)->facts().registers, 32U);
        QCOMPARE((*kernel)->facts().local_bytes, 16U);
        QVERIFY(!(*kernel)->facts().kept);
        QVERIFY((*kernel)->facts().took > 0);
    }

    /// Kept for later, it must not keep a context open, which is much of a GPU's memory.
    void a_kernel_keeps_no_device_open() {
        KernelPtr kernel;
        {
            const ProviderPtr on = opened("");
            auto made = on->kernel(mix_kernel(1, 1));
            QVERIFY(made.ok());
            kernel = *std::move(made);
        }
        QCOMPARE(fake_cuda::control().live().contexts, 0U);
        const ProviderPtr other = opened("");
        const auto list = other->commands();
        const auto buffer = other->allocate(256, BufferUse::device);
        QVERIFY(list.ok() && buffer.ok());
        const std::vector<Binding> bindings{{*buffer}, {*buffer}};
        (*list)->dispatch(kernel, bindings, push_of(MixPush{64, 1}), {});
        QCOMPARE(unlike(other->submit(*list), misused, "not a kernel of this device"), QString());
    }

    /// What `devices` says of the folder; the device is not asked.
    void what_is_kept_is_counted() {
        Description device;
        device.backend = "cuda";
        device.name = "Fake GPU 0";
        device.identity = "fafafafafafafafafafafafafafafa00-12040";
        const auto kept = [&] {
            return *kept_kernels(device, std::filesystem::path(folder_->path().toStdString()));
        };
        QCOMPARE(kept().why, std::string("nothing has been kept yet"));
        QCOMPARE(got(), 0);
        const cuda::CodeFiles files(folder_->path().toStdString(), device.identity);
        files.save("n.note", as_bytes("ab"));
        QVERIFY(written(own_folder() + QStringLiteral("/other"), "not ours to count"));
        const KeptKernels found = kept();
        QVERIFY2(found.why.empty(), found.why.c_str());
        QCOMPARE(QString::fromStdString(found.folder), own_folder());
        QCOMPARE(found.programs, 1U);
        QCOMPARE(found.notes, 1U);
        QCOMPARE(found.bytes, static_cast<std::uint64_t>(
                                  QFileInfo(file()).size() +
                                  QFileInfo(own_folder() + QStringLiteral("/n.note")).size()));
        QVERIFY(QFile(own_folder())
                    .setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner |
                                    QFile::ReadOther));
        QCOMPARE(kept().why, std::string("other users may access it"));
        QCOMPARE(kept().programs, 0U);
        device.backend = "vulkan";
        QVERIFY(!kept_kernels(device, "/"));
    }

    void kernels_that_do_not_fit_are_refused() {
        const ProviderPtr on = opened("");
        KernelSource source = keyed("one");
        source.ptx.reset();
        QCOMPARE(unlike(on->kernel(source), kernel_refused, "no form for CUDA"), QString());
        source = keyed("one");
        source.push_bytes = 1 << 20;
        QCOMPARE(unlike(on->kernel(source), kernel_refused,
                        "kernel keyed: 1048576 push bytes, at most 1024"),
                 QString());
        source = keyed("one");
        source.buffers = 1 << 30;
        QCOMPARE(unlike(on->kernel(source), kernel_refused, "1073741824 buffers, at most 64"),
                 QString());
        source = keyed("one");
        source.ptx->threads = 1025;
        QCOMPARE(unlike(on->kernel(source), kernel_refused, "1025 threads, expected 1 … 1024"),
                 QString());
        source = keyed("one");
        source.ptx->text = [] {
            return Result<std::string>(Error{ErrorCode::bad_input, "no text"});
        };
        QCOMPARE(unlike(on->kernel(source), ErrorCode::bad_input, "no text"), QString());
        QVERIFY(on->kernel(keyed("one")).ok());
    }

    /// A compilation of minutes could not be cancelled: it is not begun.
    void much_code_is_refused() {
        const ProviderPtr on = opened("");
        for (const bool fits : {true, false}) {
            KernelSource source = keyed("one");
            source.ptx->text = [fits] {
                std::string text = fake_cuda::ptx_of("one", 0, 0);
                text.append((std::size_t{8} << 20U) + (fits ? 0 : 1) - text.size(), '\n');
                return text;
            };
            const auto kernel = on->kernel(source);
            if (fits)
                QVERIFY(kernel.ok());
            else
                QCOMPARE(unlike(kernel, kernel_refused, "8388609 bytes of PTX, at most 8388608"),
                         QString());
        }
    }
    void the_compilers_words_are_in_the_error() {
        const ProviderPtr on = opened("");
        KernelSource source = keyed("one");
        source.ptx->text = [] { return std::string("nonsense"); };
        QCOMPARE(unlike(on->kernel(source), kernel_refused,
                        "kernel keyed: CUDA_ERROR_INVALID_PTX: ptxas fatal : Missing .version "
                        "directive at start of file"),
                 QString());
        source = keyed("one");
        source.ptx->entry = "another";
        QCOMPARE(unlike(on->kernel(source), kernel_refused, "kernel keyed: CUDA_ERROR_NOT_FOUND"),
                 QString());
        QVERIFY(on->kernel(keyed("one")).ok());
    }

    /// Each step of the compilation may fail; whether the device is lost depends on the error only.
    void each_step_may_fail_data() {
        QTest::addColumn<int>("code");
        const auto row = [](const char* faults, ErrorCode code) {
            QTest::newRow(faults) << static_cast<int>(code);
        };
        row("cuLinkCreate_v2@1=2", out_of_memory);
        row("cuLinkCreate_v2@1=719", device_lost);
        row("cuLinkAddData_v2@1=218", kernel_refused);
        row("cuLinkAddData_v2@1=222", kernel_refused);
        row("cuLinkAddData_v2@1=2", out_of_memory);
        row("cuLinkAddData_v2@1=719", device_lost);
        row("cuLinkComplete@1=209", kernel_refused);
        row("cuLinkComplete@1=1", kernel_refused);
        row("cuLinkComplete@1=719", device_lost);
        row("cuModuleLoadData@1=200", kernel_refused);
        row("cuModuleLoadData@1=2", out_of_memory);
        row("cuModuleLoadData@1=719", device_lost);
        row("cuModuleGetFunction@1=500", kernel_refused);
        row("cuFuncGetAttribute@2=719", device_lost);
    }
    void each_step_may_fail() {
        QFETCH(int, code);
        const ProviderPtr on = opened(QTest::currentDataTag());
        const auto expected = static_cast<ErrorCode>(code);
        QCOMPARE(unlike(on->kernel(keyed("one")), expected, "CUDA"), QString());
        QCOMPARE(fake_cuda::control().live().links, 0U);
        const auto again = on->kernel(keyed("one"));
        if (expected == device_lost)
            QCOMPARE(unlike(again, device_lost, "CUDA_ERROR_LAUNCH_FAILED"), QString());
        else
            QVERIFY(again.ok());
    }

    void code_is_kept() {
        QCOMPARE(got(), 0);
        QVERIFY(QFile::exists(file()));
        QCOMPARE(got(), 1);
        // Another driver has its own.
        QCOMPARE(got("version=12050"), 0);
        QCOMPARE(got("version=12050"), 1);
        QCOMPARE(got(), 1);
    }

    void damaged_files_are_replaced() {
        QCOMPARE(got(), 0);
        const QByteArray good = content(file());
        QByteArray flipped = good;
        flipped[good.size() - 1] = static_cast<char>(flipped[good.size() - 1] ^ 1);
        for (const QByteArray& broken : {flipped, good.left(40), QByteArray(), QByteArray("x")}) {
            QVERIFY(written(file(), broken));
            QCOMPARE(got(), 0);
            QCOMPARE(content(file()), good);
            QCOMPARE(got(), 1);
        }
    }

    /// Code with a seal that the driver does not take: of another device, no code at all, and of a
    /// kernel with another name.
    void foreign_code_is_replaced() {
        QCOMPARE(got("major=8"), 0);
        const QByteArray foreign = content(file());
        QCOMPARE(got(), 0);
        QVERIFY(content(file()) != foreign);
        QCOMPARE(got(), 1);

        const QByteArray good = content(file());
        const QFileInfo place(file());
        const std::string name =
            (place.dir().dirName() + QLatin1Char('/') + place.fileName()).toStdString();
        const auto replaced = [&](const Bytes& by) {
            return written(file(), QByteArray(reinterpret_cast<const char*>(by.data()),
                                              static_cast<qsizetype>(by.size()))) &&
                   got() == 0 && content(file()) == good;
        };
        QVERIFY(replaced(sealed(Bytes(100, 7), name)));
        // Good code, in another's place.
        const ByteView code = unsealed(
            ByteView(reinterpret_cast<const Byte*>(good.constData()), std::size_t(good.size())),
            name);
        QVERIFY(!code.empty());
        QVERIFY(replaced(sealed(code, name + "2")));
        QVERIFY(replaced(sealed(code)));
        QCOMPARE(got(), 1);

        QCOMPARE(got("", "two"), 0);
        QVERIFY(content(file()) != good);
        QCOMPARE(got("", "two"), 1);
    }

    /// Kept code is loaded before it is known to be right: a device that is lost meanwhile says
    /// nothing against the file.
    void a_loss_removes_no_code() {
        QCOMPARE(got(), 0);
        const QByteArray good = content(file());
        ProviderOptions options;
        options.cache_folder = folder_->path().toStdString();
        QCOMPARE(unlike(opened("cuModuleLoadData@1=719", options)->kernel(keyed("one")),
                        device_lost, "CUDA_ERROR_LAUNCH_FAILED"),
                 QString());
        QCOMPARE(content(file()), good);
        QCOMPARE(got(), 1);
    }

    /// Only a folder of this user alone is trusted, and a link is not followed.
    void others_files_are_ignored() {
        QCOMPARE(got(), 0);
        const QString elsewhere = folder_->filePath(QStringLiteral("elsewhere"));
        QVERIFY(QFile::rename(file(), elsewhere));
        QVERIFY(QFile::link(elsewhere, file()));
        QCOMPARE(got(), 0);
        QVERIFY(!QFileInfo(file()).isSymLink()); // replaced
        QCOMPARE(got(), 1);

        QFile::setPermissions(own_folder(), QFile::permissions(own_folder()) | QFile::ReadOther);
        QCOMPARE(got(), 0);
        QCOMPARE(got(), 0);
    }
};

QTEST_APPLESS_MAIN(TestCudaCode)
#include "test_cuda_code.moc"
