// Stands in for NVIDIA's management library: two devices of one name, of which the second does not
// tell its power.
#include <cstdint>
#include <cstdio>

namespace {

constexpr int success = 0, invalid = 2, not_supported = 3;
int opened = 0;
unsigned asked = 0;

std::uintptr_t number_of(void* device) {
    return reinterpret_cast<std::uintptr_t>(device) - 1;
}

} // namespace

extern "C" {

int nvmlInit_v2() {
    ++opened;
    return success;
}
int nvmlShutdown() {
    --opened;
    return success;
}
int fake_nvml_opened() {
    return opened;
}
const char* nvmlErrorString(int answer) {
    return answer == not_supported ? "Not Supported" : "Invalid Argument";
}
int nvmlDeviceGetCount_v2(unsigned* count) {
    *count = 2;
    return success;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
    *device = reinterpret_cast<void*>(std::uintptr_t{index} + 1);
    return index < 2 ? success : invalid;
}
int nvmlDeviceGetUUID(void* device, char* text, unsigned size) {
    std::snprintf(text, size, "GPU-4CF8DB2D-06c0-7d70-1a51-e59b25b2c1%02x",
                  static_cast<unsigned>(number_of(device)));
    return success;
}
int nvmlDeviceGetName(void*, char* text, unsigned size) {
    std::snprintf(text, size, "%s", "NVIDIA Example");
    return success;
}
int nvmlDeviceGetUtilizationRates(void* device, unsigned* rates) {
    rates[0] = number_of(device) == 0 ? 40 + asked++ % 50 : 7;
    rates[1] = 5;
    return success;
}
int nvmlDeviceGetMemoryInfo(void*, unsigned long long* memory) {
    memory[0] = 16ULL << 30U;
    memory[1] = 13ULL << 30U;
    memory[2] = 3ULL << 30U;
    return success;
}
int nvmlDeviceGetTemperature(void*, int sensor, unsigned* degrees) {
    *degrees = 41;
    return sensor == 0 ? success : invalid;
}
int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) {
    *milliwatts = 123'456;
    return number_of(device) == 0 ? success : not_supported;
}
}
