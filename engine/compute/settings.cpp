#include "compute/settings.h"

#include "base/file.h"

#include <algorithm>
#include <array>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <sstream>
#include <string_view>

namespace blockloom::compute {
namespace {

/// A text from one of the sources, to be parsed into a value.
struct Found {
    std::string text;
    SettingSource source;
    std::string place;
};

Error unexpected(const Found& found, std::string_view expected) {
    return {ErrorCode::wrong_usage,
            fmt::format("{}: expected {}, found \"{}\"", found.place, expected, found.text)};
}

/// A number and the text after it, both trimmed.
std::optional<std::pair<std::uint64_t, std::string_view>> number_and_unit(std::string_view text) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || rest == text.data()) return std::nullopt;
    std::string_view unit(rest, static_cast<std::size_t>(end - rest));
    while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
    return std::pair{number, unit};
}

template <typename Unit, std::size_t count>
std::optional<std::uint64_t> scaled(std::string_view text, const std::array<Unit, count>& units) {
    const auto parts = number_and_unit(text);
    if (!parts) return std::nullopt;
    for (const auto& [name, factor] : units) {
        if (parts->second != name) continue;
        if (parts->first > std::numeric_limits<std::int64_t>::max() / factor) return std::nullopt;
        return parts->first * factor;
    }
    return std::nullopt;
}

using Unit = std::pair<std::string_view, std::uint64_t>;
constexpr std::array bytes_units{Unit{"", 1}, Unit{"K", 1ULL << 10}, Unit{"M", 1ULL << 20},
                                 Unit{"G", 1ULL << 30}};
constexpr std::array time_units{Unit{"ms", 1'000'000}, Unit{"s", 1'000'000'000},
                                Unit{"", 1'000'000}};

constexpr std::uint64_t most_time = 86'400'000'000'000; ///< a day, nanoseconds

template <typename T> void take(Setting<T>& to, T value, const Found& found) {
    to = {std::move(value), found.source, found.place};
}

Status take_switch(Setting<bool>& to, const Found& found) {
    if (found.text != "0" && found.text != "1") return unexpected(found, "0 or 1");
    take(to, found.text == "1", found);
    return {};
}

Status take_count(Setting<std::uint32_t>& to, const Found& found) {
    const auto parts = number_and_unit(found.text);
    if (!parts || !parts->second.empty() || parts->first > 1ULL << 30)
        return unexpected(found, "a number from 0 to 2^30");
    take(to, static_cast<std::uint32_t>(parts->first), found);
    return {};
}

struct Name {
    const char* name;
    Status (*take)(Settings&, const Found&);
};

constexpr std::array names{
    Name{"backend",
         [](Settings& to, const Found& found) -> Status {
             constexpr std::array<std::string_view, 5> known{"auto", "cpu", "vulkan", "cuda",
                                                             "simt"};
             if (std::find(known.begin(), known.end(), found.text) == known.end())
                 return unexpected(found, "auto, cpu, vulkan, cuda or simt");
             take(to.backend, found.text, found);
             return {};
         }},
    Name{"device",
         [](Settings& to, const Found& found) -> Status {
             Setting<std::uint32_t> index;
             if (Status status = take_count(index, found); !status.ok()) return status;
             take(to.device, std::optional(index.value), found);
             return {};
         }},
    Name{"disable_gpu",
         [](Settings& to, const Found& found) { return take_switch(to.disable_gpu, found); }},
    Name{"validation",
         [](Settings& to, const Found& found) { return take_switch(to.validation, found); }},
    Name{"fallback",
         [](Settings& to, const Found& found) { return take_switch(to.fallback, found); }},
    Name{"batch_size",
         [](Settings& to, const Found& found) { return take_count(to.batch_size, found); }},
    Name{"batch_min",
         [](Settings& to, const Found& found) -> Status {
             Setting<std::uint32_t> least;
             if (Status status = take_count(least, found); !status.ok()) return status;
             take(to.batch_min, std::optional(least.value), found);
             return {};
         }},
    Name{"memory_limit",
         [](Settings& to, const Found& found) -> Status {
             const auto bytes = scaled(found.text, bytes_units);
             if (!bytes) return unexpected(found, "a size in bytes, such as 512M or 4G");
             take(to.memory_limit, *bytes, found);
             return {};
         }},
    Name{"timeout",
         [](Settings& to, const Found& found) -> Status {
             const auto time = scaled(found.text, time_units);
             if (!time || *time == 0 || *time > most_time)
                 return unexpected(found, "a time of up to a day, such as 500ms or 10s");
             take(to.timeout, static_cast<Nanoseconds>(*time), found);
             return {};
         }},
    Name{"code_cache",
         [](Settings& to, const Found& found) -> Status {
             if (found.text != "on" && found.text != "off" && !found.text.starts_with('/'))
                 return unexpected(found, "on, off or the absolute path of a folder");
             take(to.code_cache, found.text, found);
             return {};
         }},
};

std::string variable_of(const char* name) {
    std::string variable = "BLOCKLOOM_";
    for (const char* c = name; *c != 0; ++c)
        variable += static_cast<char>(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    return variable;
}

struct Stated {
    std::string name, value;
};

/// The setting that a line of the file states, if any. One line at a time, since Boost's reader
/// does not say where a setting was; an error of its syntax is `wrong_usage`.
Result<std::optional<Stated>> stated_in(const std::string& line) {
    namespace options = boost::program_options;
    const Error no_setting{ErrorCode::wrong_usage, "no setting"};
    std::istringstream stream(line);
    try {
        const options::options_description any_name;
        const auto parsed = options::parse_config_file(stream, any_name, true);
        if (!parsed.options.empty()) {
            const options::option& found = parsed.options.front();
            return std::optional(Stated{found.string_key, found.value.at(0)});
        }
    } catch (const options::error&) {
        return no_setting;
    }
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string::npos && line[first] != '#') return no_setting; // a section
    return std::optional<Stated>();
}

Status read_line(Settings& to, const std::string& line, const std::string& place) {
    const auto stated = stated_in(line);
    if (!stated) return unexpected({line, SettingSource::file, place}, "name = value");
    if (!*stated) return {};
    for (const Name& name : names)
        if ((*stated)->name == name.name)
            return name.take(to, {(*stated)->value, SettingSource::file, place});
    return unexpected({(*stated)->name, SettingSource::file, place}, "the name of a setting");
}

/// A folder of the user by its variable, else below HOME.
std::filesystem::path user_folder(const Environment& environment, const char* variable,
                                  const char* below_home) {
    // Relative paths are to be ignored (XDG base directory specification).
    if (const char* named = environment(variable); named != nullptr && *named == '/') return named;
    if (const char* home = environment("HOME"); home != nullptr && *home == '/')
        return std::filesystem::path(home) / below_home;
    return {};
}

const char* of_process(const char* name) {
    return std::getenv(name);
}

template <typename T> std::string origin(const Setting<T>& setting) {
    return setting.source == SettingSource::standard ? "standard" : setting.place;
}

/// A file of settings; a missing one is no error.
Result<std::string> content_of(const std::filesystem::path& file) {
    std::error_code unknown;
    if (file.empty() || !std::filesystem::exists(file, unknown)) return std::string();
    constexpr std::uint64_t most = 1 << 20;
    const auto content = FileContent::read(file, most);
    if (!content) return content.error();
    return std::string(content->bytes().begin(), content->bytes().end());
}

} // namespace

std::vector<SettingRow> rows(const Settings& s) {
    const auto yes = [](bool value) { return value ? "1" : "0"; };
    return {
        {"backend", s.backend.value, origin(s.backend)},
        {"device", s.device.value ? std::to_string(*s.device.value) : "any", origin(s.device)},
        {"disable_gpu", yes(s.disable_gpu.value), origin(s.disable_gpu)},
        {"validation", yes(s.validation.value), origin(s.validation)},
        {"fallback", yes(s.fallback.value), origin(s.fallback)},
        {"batch_size",
         s.batch_size.value == 0 ? "chosen by the device" : std::to_string(s.batch_size.value),
         origin(s.batch_size)},
        {"batch_min",
         s.batch_min.value ? std::to_string(*s.batch_min.value) : "chosen by the strategy",
         origin(s.batch_min)},
        {"memory_limit",
         s.memory_limit.value == 0 ? "none" : fmt::format("{} bytes", s.memory_limit.value),
         origin(s.memory_limit)},
        {"timeout", fmt::format("{} ms", s.timeout.value / 1'000'000), origin(s.timeout)},
        {"code_cache", s.code_cache.value, origin(s.code_cache)},
    };
}

Result<Settings> read_settings(const Environment& environment, const std::filesystem::path& file) {
    Settings settings;
    const auto content = content_of(file);
    if (!content) return content.error();
    std::istringstream lines(*content);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);)
        if (Status status =
                read_line(settings, line, fmt::format("{}:{}", file.string(), ++number));
            !status.ok())
            return status.error();
    for (const Name& name : names) {
        const std::string variable = variable_of(name.name);
        const char* text = environment(variable.c_str());
        if (text == nullptr || *text == 0) continue;
        if (Status status = name.take(settings, {text, SettingSource::environment, variable});
            !status.ok())
            return status.error();
    }
    return settings;
}

Result<Settings> read_settings() {
    return read_settings(of_process, settings_file(of_process));
}

Status check_setting(std::string_view name, std::string_view text) {
    Settings unused;
    for (const Name& known : names)
        if (name == known.name)
            return known.take(unused, {std::string(text), SettingSource::option, known.name});
    return unexpected({std::string(name), SettingSource::option, "settings"},
                      "the name of a setting");
}

Status change_settings(const std::filesystem::path& file, std::span<const SettingChange> changes) {
    for (const SettingChange& change : changes)
        if (Status good = check_setting(change.name, change.text.value_or(""));
            change.text && !good)
            return good;
    std::vector<bool> placed(changes.size());
    const auto before = content_of(file);
    if (!before) return before.error();
    std::string content;
    std::istringstream lines(*before);
    for (std::string line; std::getline(lines, line);) {
        const auto stated = stated_in(line);
        const auto at = std::find_if(changes.begin(), changes.end(), [&](const SettingChange& c) {
            return stated && *stated && (*stated)->name == c.name;
        });
        if (at == changes.end()) {
            content += line + "\n";
            continue;
        }
        const auto place = static_cast<std::size_t>(at - changes.begin());
        const auto comment = line.find('#');
        if (at->text && !placed[place]) {
            content += fmt::format("{} = {}", at->name, *at->text);
            if (comment != std::string::npos) content += fmt::format(" {}", line.substr(comment));
            content += '\n';
        }
        placed[place] = true;
    }
    for (std::size_t i = 0; i < changes.size(); ++i)
        if (changes[i].text && !placed[i])
            content += fmt::format("{} = {}\n", changes[i].name, *changes[i].text);
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error)
        return Error{ErrorCode::system, fmt::format("{}: cannot create the folder: {}",
                                                    file.parent_path().string(), error.message())};
    return write_file(file, as_bytes(content));
}

std::filesystem::path settings_file() {
    return settings_file(of_process);
}

std::filesystem::path settings_file(const Environment& environment) {
    const auto folder = user_folder(environment, "XDG_CONFIG_HOME", ".config");
    return folder.empty() ? folder : folder / "blockloom" / "blockloom.conf";
}

std::filesystem::path cache_folder(const Environment& environment) {
    const auto folder = user_folder(environment, "XDG_CACHE_HOME", ".cache");
    return folder.empty() ? folder : folder / "blockloom";
}

std::filesystem::path cache_folder() {
    return cache_folder(of_process);
}

std::filesystem::path code_folder(const Settings& settings, const std::filesystem::path& cache) {
    const std::string& chosen = settings.code_cache.value;
    if (chosen == "off") return {};
    if (chosen != "on") return chosen;
    return cache.empty() ? cache : cache / "code";
}

std::filesystem::path code_folder(const Settings& settings) {
    return code_folder(settings, cache_folder());
}

} // namespace blockloom::compute
