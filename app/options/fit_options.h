#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "app/options/sample_arguments.h"
#include "engine/sample_steps/fit_request.h"

namespace threefold {

/// Adds the fit options of every command that reconstructs: --fit-views, --surface, --fit-colour,
/// and the hidden --fit, whose single word sets all three and the number of vertices. Sets `fit`:
/// - to the fit that the options request;
/// - to nullopt if the user wants no fit;
/// - to the default fit (isDefaultFit()) if the user gives none of the options.
void addFit(CLI::App& command, std::optional<FitRequest>& fit);
/// Adds addFit()'s options and --vertices N, the vertex count of the requested fit. `help`: the
/// first sentence of the help of --vertices.
/// Also sets `vertices`, for meshes other than the fitted mesh.
void addFitWithVertices(CLI::App& command, std::optional<FitRequest>& fit,
                        std::optional<std::size_t>& vertices, const char* help);
/// Throws UsageError if --vertices is given, but no mesh is fitted.
void requireFit(const std::optional<FitRequest>& fit, std::optional<std::size_t> vertices);
/// Adds --surface alone; `word` stays empty if the option is not given.
CLI::Option* addSurface(CLI::App& command, std::string& word);
/// Adds --vertices N alone, and passes its number to `take`. `help`: the first sentence of its
/// help.
void addFittedVertices(CLI::App& command, const std::function<void(std::size_t)>& take,
                       const char* help);
/// Whether no option requests this fit, so that resolveFit() decides by the sample.
bool isDefaultFit(const FitRequest& fit);
/// Whether findSample() would treat the path as the user's own photographs. Reads no file.
bool mayBePhotographs(const std::filesystem::path& sample);
/// Whether at least one of the samples may be fitted: always for a requested fit, never for
/// nullopt (no fit), and for the default fit if one of the samples may be photographs.
bool mayFit(const std::optional<FitRequest>& fit, std::span<const SampleArgument> samples);
/// Sentence about a default fit (isDefaultFit()): says that a mesh is fitted to all photographs,
/// and names the option that skips the fit. `photographs`: "16 photographs".
std::string defaultFitNote(std::string_view photographs, std::size_t vertices);

}  // namespace threefold
