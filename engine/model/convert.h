#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/formats/tensors/array.h"
#include "engine/formats/tensors/safetensors.h"
#include "engine/model/model.h"
#include "engine/model/weights.h"

namespace threefold {

/// Type and shape of one tensor in a weight file.
struct WeightEntry {
    std::string type;            ///< "f32"; the file's own type name where `dtype` is empty
    std::optional<DType> dtype;  ///< empty where `Array` does not support the type
    std::vector<std::size_t> shape;
};

/// An opened file of named tensors, whatever its format. Tensors are read on demand, so that
/// an optimiser's tensors in a checkpoint cost nothing.
struct WeightFile {
    std::string format;  ///< for display: "npz", "safetensors", "PyTorch archive", …
    std::map<std::string, WeightEntry> entries;
    /// A tensor of `entries` that has a dtype. Throws FormatError, IoError.
    std::function<Array(const std::string& name)> read;
    /// SHA-256 of the file. For a checkpoint: SHA-256 of the text "hash\nhash\n…", the SHA-256 of
    /// its index and of each data file in order.
    std::function<std::string()> hash;
    Metadata metadata = {};  ///< of a safetensors file; empty for all others
};

/// Opens an npz, a safetensors file, a PyTorch archive, or a TensorFlow checkpoint by any of the
/// names that findTensorBundle takes. Throws IoError, NotThisFormat (none of these), FormatError,
/// InputError (a folder of several checkpoints).
WeightFile openWeights(const std::filesystem::path& path);

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
