#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/reconstruct/request.h"
#include "app/reconstruct/sample_result.h"
#include "engine/mesh.h"
#include "engine/sample_steps/measure_sample.h"
#include "engine/texturing/bake_texture.h"

namespace threefold {

/// Writes the meshes of samples, with textures, in the formats of a request. Several threads may
/// write different samples. `request` and `folder` must outlive the writer.
class SampleWriter {
  public:
    SampleWriter(const ReconstructRequest& request, const std::filesystem::path& folder,
                 std::stop_token cancel);

    /// Writes the requested stages, the fitted mesh and the hull, if there are any, and adds files,
    /// exposures, notes and remarks about textures to `result`. Throws IoError; InputError if a
    /// file would replace an input of the sample; Cancelled.
    void write(const MeasuredSample& measured, SampleResult& result) const;

  private:
    /// Bakes the texture of a mesh in world space; nullopt: not requested, or not possible.
    std::optional<BakedTexture> bake(const Mesh& world, std::span<const TextureView> photographs,
                                     const std::string& name, SampleResult& result) const;
    /// Writes one mesh in each format; a format that carries no texture is written without it.
    void writeFormats(const LoadedSample& loaded, std::span<const TextureView> photographs,
                      Mesh mesh, std::string_view ending, SampleResult& result) const;

    const ReconstructRequest& request_;
    const std::filesystem::path& folder_;
    std::stop_token cancel_;
};

}  // namespace threefold
