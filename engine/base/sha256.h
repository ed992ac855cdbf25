// SHA-256 through OpenSSL with one reused context: making a context costs more than hashing a
// transaction.
#pragma once

#include "base/bytes.h"

#include <initializer_list>
#include <memory>

namespace blockloom {

/// A hashing context. Not thread-safe: one per thread. Never fails once made (OpenSSL always has
/// SHA-256).
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;

    /// SHA-256 of the parts, one after the other.
    [[nodiscard]] Hash256 once(std::initializer_list<ByteView> parts);

    /// SHA-256 of SHA-256 of the parts: Bitcoin's txid, wtxid, block hash and merkle nodes.
    [[nodiscard]] Hash256 twice(std::initializer_list<ByteView> parts);

private:
    struct Context;
    std::unique_ptr<Context> context_;
};

/// SHA-256 of a message that arrives in pieces.
class Sha256Stream {
public:
    Sha256Stream();
    ~Sha256Stream();
    Sha256Stream(Sha256Stream&&) noexcept;
    Sha256Stream& operator=(Sha256Stream&&) noexcept;

    void add(ByteView part);
    /// The hash of what was added; the stream cannot be used afterwards.
    [[nodiscard]] Hash256 finish();

private:
    struct Context;
    std::unique_ptr<Context> context_;
};

} // namespace blockloom
