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
#include "app/reconstruct/step_outcomes.h"
#include "engine/mesh.h"
#include "engine/sample_steps/hull_sample.h"
#include "engine/sample_steps/measure_sample.h"
#include "engine/texturing/bake_texture.h"

namespace threefold {

/// Writes the meshes of samples, with textures, in the formats of a request. Several threads may
/// write different samples. `request` and `folder` must outlive the writer.
class SampleWriter {
  public:
    SampleWriter(const ReconstructRequest& request, const std::filesystem::path& folder,
                 std::stop_token cancel);

    /// Writes the requested stages, the fitted mesh and the hull, if there are any. Returns the
    /// files and exposures, with notes and remarks about textures. StepOutcome::failure: IoError;
    /// InputError if a file would replace an input of the sample, or a file that no earlier call
    /// wrote; Cancelled; std::bad_alloc.
    StepOutcome<WrittenSample> write(const MeasuredSample& measured,
                                     const std::optional<SampleHull>& hull) const;

  private:
    using Outcome = StepOutcome<WrittenSample>;

    void writeAll(const MeasuredSample& measured, const std::optional<SampleHull>& hull,
                  Outcome& outcome) const;
    /// Bakes the texture of a mesh in world space; nullopt: not requested, or not possible.
    std::optional<BakedTexture> bake(const Mesh& world, std::span<const TextureView> photographs,
                                     const std::string& name, Outcome& outcome) const;
    /// Writes one mesh in each format; a format that carries no texture is written without it.
    void writeFormats(const LoadedSample& loaded, std::span<const TextureView> photographs,
                      Mesh mesh, std::string_view ending, Outcome& outcome) const;

    const ReconstructRequest& request_;
    const std::filesystem::path& folder_;
    std::stop_token cancel_;
};

}  // namespace threefold
