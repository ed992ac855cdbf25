// The user's settings for devices and kept machine code, from the environment or a file, and where
// each value came from.
#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::compute {

/// Later sources take precedence.
enum class SettingSource : std::uint8_t { standard, file, environment, option };

template <typename T> struct Setting {
    T value{};
    SettingSource source = SettingSource::standard;
    std::string place; ///< "BLOCKLOOM_BACKEND", "FILE:3"; empty: standard

    /// The command line takes precedence.
    void choose(T chosen, std::string option) {
        value = std::move(chosen);
        source = SettingSource::option;
        place = std::move(option);
    }
};

/// Names in a file are those of the members; in the environment BLOCKLOOM_ and capitals.
struct Settings {
    Setting<std::string> backend{"auto", {}, {}}; ///< "auto", "cpu", "vulkan", "cuda", "simt"
    Setting<std::optional<std::uint32_t>> device; ///< index among those of the backend
    Setting<bool> disable_gpu;
    Setting<bool> validation;
    Setting<bool> fallback{true, {}, {}}; ///< the host executes what a device could not
    Setting<std::uint32_t> batch_size;    ///< messages in one batch; 0: chosen by the device
    /// The fewest messages for which a device is used; nothing: chosen by the strategy.
    Setting<std::optional<std::uint32_t>> batch_min;
    Setting<std::uint64_t> memory_limit;                  ///< bytes; 0: all that the device has
    Setting<Nanoseconds> timeout{30'000'000'000, {}, {}}; ///< for one submission
    /// "on", "off", or the folder that keeps machine code between starts (docs/native.md#kept-code)
    Setting<std::string> code_cache{"on", {}, {}};
};

/// One line of a table of settings.
struct SettingRow {
    std::string name, value, origin; ///< origin: "standard", "BLOCKLOOM_…", "FILE:3", "--backend"
};
[[nodiscard]] std::vector<SettingRow> rows(const Settings& settings);

/// Looks up a variable of the environment; null: not set.
using Environment = std::function<const char*(const char*)>;

/// Lines "name = value"; # starts a comment; a missing file counts as empty. An empty variable
/// counts as not set. `wrong_usage` names the variable or the file's line, what was expected and
/// what was found; unknown names are errors in the file.
[[nodiscard]] Result<Settings> read_settings(const Environment& environment,
                                             const std::filesystem::path& file);

/// The settings of this process: from its environment and settings_file().
[[nodiscard]] Result<Settings> read_settings();

/// Checks that `text` is a valid value of the setting `name`; else says what was expected and
/// found.
[[nodiscard]] Status check_setting(std::string_view name, std::string_view text);

/// A new value of a setting; nothing: the default, and its line is removed.
struct SettingChange {
    std::string name;
    std::optional<std::string> text;
};
/// Changes the lines of these settings in the file and leaves all others, including comments,
/// unchanged; creates file and folder if they do not exist. An invalid value is an error before
/// anything is written, and the old file stays until the new one is complete.
[[nodiscard]] Status change_settings(const std::filesystem::path& file,
                                     std::span<const SettingChange> changes);

/// The file of this process; empty if neither variable is set.
[[nodiscard]] std::filesystem::path settings_file();
/// $XDG_CONFIG_HOME/blockloom/blockloom.conf or ~/.config/…; empty if neither is set.
[[nodiscard]] std::filesystem::path settings_file(const Environment& environment);
/// $XDG_CACHE_HOME/blockloom or ~/.cache/blockloom; empty if neither is set.
[[nodiscard]] std::filesystem::path cache_folder(const Environment& environment);
[[nodiscard]] std::filesystem::path cache_folder();

/// Where machine code is kept; empty: nowhere.
[[nodiscard]] std::filesystem::path code_folder(const Settings& settings,
                                                const std::filesystem::path& cache);
/// In the cache folder of this process.
[[nodiscard]] std::filesystem::path code_folder(const Settings& settings);

} // namespace blockloom::compute
