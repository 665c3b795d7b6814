#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/model/model.h"
#include "engine/model/weights.h"

namespace threefold {

struct ConvertSources {
    /// What openWeights takes: npz, safetensors, PyTorch archive, TensorFlow checkpoint.
    std::filesystem::path stage1;
    std::filesystem::path stage2;
    std::filesystem::path meshTemplate;  ///< pickle of METHOD.md §10
    std::optional<SamplerKind> sampler;  ///< empty: detected from stage 1's file
    std::string description;             ///< free text kept as provenance
    std::optional<DType> dtype = {};     ///< f16 or f32; empty: each tensor as its file has it
    bool completeTemplate = false;       ///< see MissingCentre
    /// Files of weights whose sampler is known: SHA-256 → sampler.
    std::map<std::string, SamplerKind> known = {};
};

/// The sampler that a model got, and why.
struct SamplerChoice {
    SamplerKind kind = SamplerKind::bilinearEach;
    bool certain = false;  ///< false: not stated in the file; assumed because most files need it
    std::string reason;    ///< a phrase for the user
};

struct ConvertReport {
    /// Every expected tensor by our name, every other one by its own behind "stage1." or "stage2.".
    std::vector<ConvertedTensor> tensors;
    bool complete = false;  ///< every expected tensor matched; left-over ones are allowed
    SamplerChoice sampler;
    std::string format1, format2;    ///< of the two files: "TensorFlow checkpoint"
    bool templateCompleted = false;  ///< the centre hypothesis was added
};

/// Reads the sources, verifies names, shapes and finiteness, and writes one model file atomically;
/// the same sources give the same bytes. Tensors may have our names, with or without the prefixes
/// of training programs, or the published names. Writes nothing if a tensor is missing or does not
/// fit. Throws IoError, NotThisFormat, FormatError, InputError (also where each file holds the
/// other's stage), ModelError (template; two
/// tensors of one name; a value that `dtype` cannot hold).
ConvertReport convertModel(const ConvertSources& sources, const std::filesystem::path& output);

/// What to do with a published template whose hypotheses lack the centre.
enum class MissingCentre {
    refuse,
    /// Insert it first and connect it to all others, as the weights were trained (METHOD.md §7).
    /// The edges between the others are those of the template's own graph.
    complete,
};

struct LoadedTemplate {
    TemplateMesh mesh;
    bool completed = false;
};

/// Loads only the template. Throws IoError, NotThisFormat, FormatError, ModelError.
LoadedTemplate loadTemplate(const std::filesystem::path& pickle, MissingCentre centre);
/// The same from bytes in memory, which may be untrusted.
LoadedTemplate decodeTemplate(std::span<const std::byte> pickle,
                              const std::filesystem::path& subject, MissingCentre centre);

/// loadTemplate() with MissingCentre::refuse; returns only the mesh.
TemplateMesh readTemplate(const std::filesystem::path& pickle);

/// Tells a conversion of the weights whose sampler is known: the bundled model says which files it
/// was made of. Without one there is only less to know.
void addKnownWeights(ConvertSources& sources);

}  // namespace threefold
