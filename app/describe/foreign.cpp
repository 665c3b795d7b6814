#include <fmt/format.h>

#include "app/describe/describers.h"
#include "engine/error.h"
#include "engine/formats/files/mapped_file.h"
#include "engine/formats/files/unsupported_kinds.h"

namespace threefold {

Description describeForeign(const std::filesystem::path& file, RangeSelection) {
    const MappedFile mapped(file);
    const std::string subject = file.string();
    if (const auto kind = mapped.decode(unsupportedKind))
        throw InputError({subject, "", fmt::format("is {}, which is not supported", kind->name),
                          std::string(kind->remedy)});
    if (file.extension() == ".yaml" || file.extension() == ".yml")
        throw InputError({subject, "", "is a YAML file, which is not supported",
                          "Cameras are read from transforms.json and cameras.json."});
    throw NotThisFormat({subject, "", "is of an unknown kind", ""});
}

}  // namespace threefold
