#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/model/model.h"
#include "engine/model/weights.h"
#include "engine/report.h"

namespace threefold {

struct ConvertSources {
    std::filesystem::path stage1;        ///< npz or safetensors
    std::filesystem::path stage2;        ///< npz or safetensors
    std::filesystem::path meshTemplate;  ///< pickle of METHOD.md §10
    SamplerKind sampler = SamplerKind::bilinearEach;
    std::string description;  ///< free text kept as provenance
};

struct ConvertReport {
    std::vector<ConvertedTensor> tensors;
    bool complete = false;  ///< every expected tensor matched; left-over ones are allowed
};

/// Reads the sources, verifies names, shapes and finiteness, and writes one model file, whole or
/// not at all; the same sources give the same bytes. Nothing is written unless complete.
/// Throws IoError, NotThisFormat, FormatError, ModelError (template).
ConvertReport convertModel(const ConvertSources& sources, const std::filesystem::path& output);

/// The template alone. A pickle that lacks the centre hypothesis (42 points) is refused with the
/// reason. Throws as above.
TemplateMesh readTemplate(const std::filesystem::path& pickle);

}  // namespace threefold
