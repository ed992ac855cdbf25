#include "gpuvm/module_text.h"
#include "headers/waiting.h"
#include "wasm/instantiate.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

namespace blockloom::tests {

bool can_assemble() {
    return !QStandardPaths::findExecutable(QStringLiteral("wat2wasm")).isEmpty();
}

std::shared_ptr<wasm::Instance> instance_of(const std::string& text) {
    const QTemporaryDir folder;
    QFile source(folder.filePath(QStringLiteral("m.wat")));
    if (!source.open(QIODevice::WriteOnly)) qFatal("no folder for a module");
    source.write(text.data(), static_cast<qint64>(text.size()));
    source.close();
    QProcess tool;
    const QString made = folder.filePath(QStringLiteral("m.wasm"));
    tool.start(QStringLiteral("wat2wasm"), {source.fileName(), QStringLiteral("-o"), made});
    if (!tool.waitForFinished(test::without_limit) || tool.exitCode() != 0)
        qFatal("wat2wasm: %s", tool.readAllStandardError().constData());
    QFile binary(made);
    if (!binary.open(QIODevice::ReadOnly)) qFatal("no module");
    const QByteArray bytes = binary.readAll();
    auto module = wasm::load_module(Bytes(bytes.begin(), bytes.end()), "text");
    if (!module) qFatal("%s", module.error().message.c_str());
    auto program = wasm::lower(*module);
    if (!program) qFatal("%s", program.error().message.c_str());
    wasm::Imports imports;
    for (const wasm::Import& import : (*module)->imports) {
        auto host = std::make_shared<wasm::HostFunction>();
        host->type = (*module)->types[import.type];
        host->call = [](wasm::HostCall&) { return wasm::HostAnswer::done; };
        wasm::FunctionReference reference;
        reference.type = host->type;
        reference.host = std::move(host);
        imports.insert_or_assign({import.module, import.name}, std::move(reference));
    }
    auto instance = wasm::instantiate(*program, imports);
    auto* found = std::get_if<std::shared_ptr<wasm::Instance>>(&instance);
    if (found == nullptr) qFatal("%s", std::get<wasm::LinkError>(instance).text.c_str());
    return *found;
}

std::uint32_t function_of(const wasm::Instance& instance, const std::string& name) {
    for (const wasm::Export& each : instance.program().module->exports)
        if (each.name == name) return each.index;
    qFatal("no function %s", name.c_str());
}

} // namespace blockloom::tests
