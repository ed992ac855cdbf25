// The providers that every test runs on, and short ways to fill and read their buffers.
#pragma once

#include "compute/provider.h"

#include <QTest>

#include <span>
#include <vector>

namespace blockloom::compute_tests {

/// A year: no wait of a test ends for its length.
inline constexpr Nanoseconds for_ever = 365 * 86'400 * Nanoseconds{1'000'000'000};

/// Rows "cpu", where there is a device "vulkan", and "cuda" over the fake driver, with the column
/// "backend".
void add_backends();
/// The provider of the row, opened once with validation. Null without a device.
[[nodiscard]] compute::ProviderPtr provider(const QString& backend);
/// Another provider of the same device.
[[nodiscard]] compute::ProviderPtr open_again(const QString& backend,
                                              compute::ProviderOptions options = {});
/// Nothing, or what the fake CUDA driver has to say against its callers.
[[nodiscard]] QString close_providers();

/// `count` numbers, each its index times a prime.
void fill_numbers(const compute::BufferPtr& buffer);
[[nodiscard]] std::span<std::uint32_t> words(const compute::BufferPtr& buffer);

/// A buffer; the test fails if there is none.
[[nodiscard]] compute::BufferPtr buffer(compute::Provider& on, std::uint64_t bytes,
                                        compute::BufferUse use);
/// Submits and waits; an empty text or what went wrong.
[[nodiscard]] QString run(compute::Provider& on, const compute::CommandListPtr& list);

template <typename T> std::span<const std::byte> push_of(const T& value) {
    return std::as_bytes(std::span(&value, 1));
}

} // namespace blockloom::compute_tests
