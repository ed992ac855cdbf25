// Small WebAssembly modules, put together byte by byte, for the tests of the wasm commands.
#pragma once

#include <QByteArray>
#include <QByteArrayList>

namespace blockloom::test {

/// Lengths here stay under 128: one byte of LEB128.
inline QByteArray vector(const QByteArrayList& items) {
    return char(items.size()) + items.join();
}

inline QByteArray sized(const QByteArray& bytes) {
    return char(bytes.size()) + bytes;
}

inline QByteArray section(char id, const QByteArray& body) {
    return char(id) + sized(body);
}

inline QByteArray module(const QByteArrayList& sections) {
    return QByteArray("\0asm\1\0\0\0", 8) + sections.join();
}

/// A body without locals; `end` is added.
inline QByteArray body(const QByteArray& code) {
    return sized(char(0) + code + char(0x0b));
}

inline QByteArray exported(const char* name, char kind, char index) {
    return sized(name) + char(kind) + char(index);
}

/// Functions: 0 leaf(x) = x + 1 (named in the name section), 1 twice(x) = leaf(leaf(x)),
/// 2 falls() is unreachable (named), 3 spin() never ends, 4 store(a) writes one byte at a,
/// 5 outer(x) = twice(x) + leaf(x), 6 wipe(n) fills n bytes, 7 into() calls falls.
inline QByteArray toy_module() {
    const QByteArray unary = QByteArray("\x60\1\x7f\1\x7f", 5), nothing = QByteArray("\x60\0\0", 3),
                     take = QByteArray("\x60\1\x7f\0", 4);
    const QByteArray leaf("\x20\0\x41\1\x6a", 5), twice("\x20\0\x10\0\x10\0", 6), falls("\0", 1),
        spin("\x03\x40\x0c\0\x0b", 5), store("\x20\0\x41\7\x3a\0\0", 7),
        outer("\x20\0\x10\1\x20\0\x10\0\x6a", 9), wipe("\x41\0\x41\0\x20\0\xfc\x0b\0", 9),
        into("\x10\2", 2);
    const QByteArray names =
        section(1, vector({char(0) + sized("leaf"), char(2) + sized("falls")}));
    return module({section(1, vector({unary, nothing, take})),
                   section(3, QByteArray("\x8\0\0\1\1\2\0\2\1", 9)),
                   section(5, QByteArray("\1\1\1\2", 4)), // one memory, 1 to 2 pages
                   section(7, vector({exported("twice", 0, 1), exported("spin", 0, 3),
                                      exported("store", 0, 4), exported("outer", 0, 5),
                                      exported("wipe", 0, 6), exported("into", 0, 7),
                                      exported("memory", 2, 0)})),
                   section(10, vector({body(leaf), body(twice), body(falls), body(spin),
                                       body(store), body(outer), body(wipe), body(into)})),
                   section(0, sized("name") + names)});
}

/// left(n) and right(n) each call right(n − 1), then left(n − 1), down to 0: 2^n different stacks.
inline QByteArray forking_module() {
    const QByteArray fork("\x20\0\x45\x0d\0\x20\0\x41\1\x6b\x10\1\x20\0\x41\1\x6b\x10\0", 19);
    return module({section(1, vector({QByteArray("\x60\1\x7f\0", 4)})),
                   section(3, QByteArray("\2\0\0", 3)),
                   section(7, vector({exported("left", 0, 0), exported("right", 0, 1)})),
                   section(10, vector({body(fork), body(fork)}))});
}

/// Imports env.log (i32) -> () and env.table of functions; exports nothing of use.
inline QByteArray importing_module() {
    return module(
        {section(1, vector({QByteArray("\x60\1\x7f\0", 4)})),
         section(2, vector({sized("env") + sized("log") + QByteArray("\0\0", 2),
                            sized("env") + sized("table") + QByteArray("\1\x70\0\1", 4)})),
         section(3, QByteArray("\1\0", 2)), section(7, vector({exported("f", 0, 1)})),
         section(10, vector({body(QByteArray("\x20\0\x10\0", 4))}))});
}

} // namespace blockloom::test
