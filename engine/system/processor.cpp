#include "engine/system/processor.h"

#include <fstream>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace threefold {

std::string processorName() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (!line.starts_with("model name")) continue;
        const std::size_t colon = line.find(": ");
        if (colon != std::string::npos) return line.substr(colon + 2);
    }
    return "processor";
}

std::vector<std::string> processorFeatures() {
    std::vector<std::string> features;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.2")) features.emplace_back("sse4.2");
    if (__builtin_cpu_supports("avx")) features.emplace_back("avx");
    if (__builtin_cpu_supports("avx2")) features.emplace_back("avx2");
    if (__builtin_cpu_supports("fma")) features.emplace_back("fma");
    if (__builtin_cpu_supports("avx512f")) features.emplace_back("avx512f");
    if (__builtin_cpu_supports("avx512bw")) features.emplace_back("avx512bw");
    if (processorHasVnni()) features.emplace_back("avx512_vnni");
    if (processorHasBfloat16()) features.emplace_back("avx512_bf16");
#endif
    return features;
}

bool processorHasVnni() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni");
#else
    return false;
#endif
}

bool processorHasBfloat16() {
#if defined(__x86_64__)
    // Reads CPUID (leaf 7.1, EAX bit 5): __builtin_cpu_supports() of Clang 14 lacks "avx512bf16".
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __builtin_cpu_supports("avx512bw") && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 &&
           (a & (1U << 5)) != 0;
#else
    return false;
#endif
}

bool processorHasAvx2() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
#else
    return false;
#endif
}

bool processorHasAvx512() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
           __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512dq") != 0;
#else
    return false;
#endif
}

}  // namespace threefold
