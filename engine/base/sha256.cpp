#include "base/sha256.h"

// The EVP calls of OpenSSL 3 cost more than hashing a short transaction does. The functions below
// are the same assembly without that; OpenSSL 3 marks them deprecated and keeps them.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <bit>

namespace blockloom {

namespace {

constexpr std::size_t block_size = 64; // of SHA-256's compression function

/// FIPS 180-4, 5.3.3.
constexpr std::array<SHA_LONG, 8> initial_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                                0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/// What follows a message of `size` bytes that ends `used` bytes into its last block.
constexpr std::array<Byte, block_size> padding(std::size_t size, std::size_t used) {
    std::array<Byte, block_size> block{};
    block[used] = 0x80;
    const std::size_t bits = size * 8;
    block[block_size - 2] = static_cast<Byte>(bits >> 8);
    block[block_size - 1] = static_cast<Byte>(bits);
    return block;
}

constexpr std::array<Byte, block_size> padding_of_64 = padding(64, 0);
constexpr std::array<Byte, block_size> padding_of_32 = padding(32, 32);

void start(SHA256_CTX& state) {
    std::memcpy(state.h, initial_state.data(), sizeof state.h);
}

/// The state as bytes, big-endian.
void store(const SHA256_CTX& state, Byte* to) {
    for (std::size_t i = 0; i < initial_state.size(); ++i) {
        const std::uint32_t word = __builtin_bswap32(state.h[i]);
        std::memcpy(to + 4 * i, &word, sizeof word);
    }
}

} // namespace

struct Sha256::Context {
    SHA256_CTX state{};
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

Hash256 Sha256::once(std::initializer_list<ByteView> parts) {
    SHA256_CTX& state = context_->state;
    SHA256_Init(&state);
    for (const ByteView part : parts) SHA256_Update(&state, part.data(), part.size());
    Hash256 hash{};
    SHA256_Final(hash.data(), &state);
    return hash;
}

Hash256 Sha256::twice(std::initializer_list<ByteView> parts) {
    SHA256_CTX& state = context_->state;
    // The second message is always one block: the first hash and its padding.
    std::array<Byte, block_size> second = padding_of_32;
    if (parts.size() == 1 && parts.begin()->size() == block_size) {
        start(state); // a merkle node: two blocks, the second one constant
        SHA256_Transform(&state, parts.begin()->data());
        SHA256_Transform(&state, padding_of_64.data());
        store(state, second.data());
    } else {
        SHA256_Init(&state);
        for (const ByteView part : parts) SHA256_Update(&state, part.data(), part.size());
        SHA256_Final(second.data(), &state);
    }
    start(state);
    SHA256_Transform(&state, second.data());
    Hash256 hash{};
    store(state, hash.data());
    return hash;
}

struct Sha256Stream::Context {
    SHA256_CTX state{};
};

Sha256Stream::Sha256Stream() : context_(std::make_unique<Context>()) {
    SHA256_Init(&context_->state);
}
Sha256Stream::~Sha256Stream() = default;
Sha256Stream::Sha256Stream(Sha256Stream&&) noexcept = default;
Sha256Stream& Sha256Stream::operator=(Sha256Stream&&) noexcept = default;

void Sha256Stream::add(ByteView part) {
    SHA256_Update(&context_->state, part.data(), part.size());
}

Hash256 Sha256Stream::finish() {
    Hash256 hash{};
    SHA256_Final(hash.data(), &context_->state);
    return hash;
}

} // namespace blockloom
