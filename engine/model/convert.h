#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/formats/tensors/array.h"
#include "engine/model/expected_weights.h"
#include "engine/model/model.h"
#include "engine/model/template_pickle.h"

namespace threefold {

/// Sources and choices of convertModel().
struct ConvertSources {
    /// Weight files for openWeights(): npz, safetensors, PyTorch archive, TensorFlow checkpoint.
    std::filesystem::path stage1;
    std::filesystem::path stage2;
    std::filesystem::path meshTemplate;  ///< pickle of METHOD.md §10
    std::optional<SamplerKind> sampler;  ///< empty: detected from stage 1's file
    std::string description;             ///< free text, stored as provenance
    std::optional<DType> dtype = {};     ///< f16 or f32; empty: as in the sources
    MissingCentre missingCentre = MissingCentre::refuse;
    /// Samplers of known weight files: SHA-256 → sampler.
    std::map<std::string, SamplerKind> samplersByHash = {};
};

/// The sampler chosen for a model, and why.
struct SamplerChoice {
    SamplerKind kind = SamplerKind::bilinearPerView;
    bool isKnown = false;  ///< false: assumed, as the file does not state the sampler
    std::string reason;    ///< a phrase for the user
};

/// Result of convertModel().
struct ConvertReport {
    /// Expected tensors by Threefold's names; others by their own names after "stage1." or
    /// "stage2.".
    std::vector<TensorComparison> tensors;
    bool allMatched = false;  ///< all expected tensors matched; left-over ones are allowed
    SamplerChoice sampler;
    std::string stage1Format, stage2Format;  ///< formats of the two files: "TensorFlow checkpoint"
    bool centreAdded = false;                ///< the centre hypothesis was added
};

/// Reads the sources, verifies names, shapes and finiteness, and writes one model file atomically;
/// the same sources give the same bytes. Tensors may have Threefold's names, with or without
/// prefixes of training programs, or the published names. Writes nothing if a tensor is missing or
/// does not fit. Throws IoError, NotThisFormat, FormatError, InputError (also if the files are
/// swapped), ModelError (bad template; two tensors of one name; an unknown sampler in the metadata;
/// a value that `dtype` cannot hold).
ConvertReport convertModel(const ConvertSources& sources, const std::filesystem::path& output);

/// Adds the bundled model's source file and sampler to ConvertSources::samplersByHash; does nothing
/// without a bundled model.
void addKnownWeights(ConvertSources& sources);

}  // namespace threefold
