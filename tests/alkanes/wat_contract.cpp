#include "alkanes/wat_contract.h"
#include "headers/waiting.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtGlobal>

namespace calls {
namespace {

const char* const imports = R"(
 (import "env" "abort" (func $abort (param i32 i32 i32 i32)))
 (import "env" "__request_storage" (func $request_storage (param i32) (result i32)))
 (import "env" "__load_storage" (func $load_storage (param i32 i32) (result i32)))
 (import "env" "__log" (func $log (param i32)))
 (import "env" "__balance" (func $balance (param i32 i32 i32)))
 (import "env" "__request_context" (func $request_context (result i32)))
 (import "env" "__load_context" (func $load_context (param i32) (result i32)))
 (import "env" "__sequence" (func $sequence (param i32)))
 (import "env" "__fuel" (func $fuel (param i32)))
 (import "env" "__height" (func $height (param i32)))
 (import "env" "__returndatacopy" (func $returndatacopy (param i32)))
 (import "env" "__request_transaction" (func $request_transaction (result i32)))
 (import "env" "__load_transaction" (func $load_transaction (param i32)))
 (import "env" "__request_block" (func $request_block (result i32)))
 (import "env" "__load_block" (func $load_block (param i32)))
 (import "env" "__call" (func $call (param i32 i32 i32 i64) (result i32)))
 (import "env" "__delegatecall" (func $delegatecall (param i32 i32 i32 i64) (result i32)))
 (import "env" "__staticcall" (func $staticcall (param i32 i32 i32 i64) (result i32)))
)";

// No part of the protocol: what imports them links on the generated network only.
const char* const own_imports = R"(
 (import "env" "__is_dry_run" (func $is_dry_run (result i32)))
 (import "env" "__record_get" (func $record_get (param i32)))
 (import "env" "__record_put" (func $record_put (param i32)))
)";

// A response at 2048: 16 zero bytes (no transfers), 4 zero bytes (no entries), data from 2068.
const char* const functions = R"(
 (memory (export "memory") 1)
 (func $empty (result i32)
  (i32.store (i32.const 2044) (i32.const 20))
  (i32.const 2048))
 (func $give (param $p i32) (result i32) (local $n i32)
  (local.set $n (i32.add (i32.const 4) (i32.load (i32.sub (local.get $p) (i32.const 4)))))
  (memory.copy (i32.const 2068) (i32.sub (local.get $p) (i32.const 4)) (local.get $n))
  (i32.store (i32.const 2044) (i32.add (i32.const 20) (local.get $n)))
  (i32.const 2048))
 (func $stop (call $abort (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)))
 (func $revert (param $p i32) (result i32) (local $n i32)
  (call $stop)
  (local.set $n (i32.load (i32.sub (local.get $p) (i32.const 4))))
  (memory.copy (i32.const 2068) (local.get $p) (local.get $n))
  (i32.store (i32.const 2044) (i32.add (i32.const 20) (local.get $n)))
  (i32.const 2048))
 (func $reply (param $n i32) (result i32)
  (i32.store (i32.const 2044) (local.get $n))
  (i32.const 2048))
 ;; Stores a word as a buffer at 4200 and gives it.
 (func $give_word (param $v i32) (result i32)
  (i32.store (i32.const 4196) (i32.const 4))
  (i32.store (i32.const 4200) (local.get $v))
  (call $give (i32.const 4200)))
)";

} // namespace

std::string import_text() {
    std::string text = imports;
    text += own_imports;
    return text;
}

bool can_assemble() {
    return !QStandardPaths::findExecutable(QStringLiteral("wat2wasm")).isEmpty();
}

std::string buffer(std::uint32_t pointer, const std::string& bytes) {
    std::string whole;
    const auto size = static_cast<std::uint32_t>(bytes.size());
    whole.append(reinterpret_cast<const char*>(&size), sizeof size);
    whole += bytes;
    std::string text = "(data (i32.const " + std::to_string(pointer - 4) + ") \"";
    const std::string digits = to_hex(as_bytes(whole));
    for (std::size_t i = 0; i < digits.size(); i += 2) text += "\\" + digits.substr(i, 2);
    return text + "\")\n";
}

Bytes contract(const std::string& body, const std::string& more) {
    const bool own =
        body.find("$is_dry_run") != std::string::npos || body.find("$record_") != std::string::npos;
    const std::string linked = own ? import_text() : imports;
    return assemble("(module" + linked + functions + more +
                    "(func (export \"__execute\") (result i32)\n" + body + "))");
}

Bytes assemble(const std::string& text) {
    const QTemporaryDir folder;
    const QString source = folder.filePath(QStringLiteral("contract.wat"));
    const QString target = folder.filePath(QStringLiteral("contract.wasm"));
    QFile file(source);
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(source));
    file.write(text.data(), static_cast<qint64>(text.size()));
    file.close();
    QProcess tool;
    tool.start(QStringLiteral("wat2wasm"), {source, QStringLiteral("-o"), target});
    if (!tool.waitForFinished(blockloom::test::without_limit) || tool.exitCode() != 0)
        qFatal("wat2wasm: %s\n%s", tool.readAllStandardError().constData(), text.c_str());
    QFile module(target);
    if (!module.open(QIODevice::ReadOnly)) qFatal("wat2wasm wrote nothing");
    const QByteArray bytes = module.readAll();
    return Bytes(bytes.begin(), bytes.end());
}

} // namespace calls
