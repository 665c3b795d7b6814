#include <dnnl.hpp>
#include <fmt/format.h>

#include "app/doctor/check.h"

namespace threefold {
namespace {

std::string_view instructionsName(dnnl::cpu_isa instructions) {
    switch (instructions) {
        case dnnl::cpu_isa::sse41:
            return "SSE4.1";
        case dnnl::cpu_isa::avx:
            return "AVX";
        case dnnl::cpu_isa::avx2:
            return "AVX2";
        case dnnl::cpu_isa::avx512_core:
            return "AVX-512";
        case dnnl::cpu_isa::avx512_core_vnni:
            return "AVX-512 VNNI";
        case dnnl::cpu_isa::avx512_core_bf16:
            return "AVX-512 BF16";
        default:
            return "the newest instructions it knows";
    }
}

}  // namespace

Check checkProducts() {
    const dnnl_version_t* version = dnnl_version();
    return {"oneDNN", Check::Status::ok,
            fmt::format("{}.{}.{}, with {}", version->major, version->minor, version->patch,
                        instructionsName(dnnl::get_effective_cpu_isa())),
            "", true};
}

}  // namespace threefold
