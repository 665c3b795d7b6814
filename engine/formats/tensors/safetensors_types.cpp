#include "engine/formats/tensors/safetensors_types.h"

#include <algorithm>
#include <iterator>

namespace threefold {
namespace {

struct Entry {
    std::string_view name;
    DType type;
};

constexpr Entry kEntries[] = {{"F16", DType::f16},     {"BF16", DType::bf16}, {"F32", DType::f32},
                              {"F64", DType::f64},     {"I8", DType::i8},     {"I16", DType::i16},
                              {"I32", DType::i32},     {"I64", DType::i64},   {"U8", DType::u8},
                              {"U16", DType::u16},     {"U32", DType::u32},   {"U64", DType::u64},
                              {"BOOL", DType::boolean}};

}  // namespace

std::optional<DType> safetensorsType(std::string_view name) {
    for (const Entry& entry : kEntries)
        if (entry.name == name) return entry.type;
    return std::nullopt;
}

std::string_view safetensorsTypeName(DType type) {
    return std::find_if(std::begin(kEntries), std::end(kEntries),
                        [&](const Entry& entry) { return entry.type == type; })
        ->name;
}

}  // namespace threefold
