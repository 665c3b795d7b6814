#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "app/options/given_samples.h"
#include "engine/pipeline/fit_request.h"

namespace threefold {

/// Adds --fit-views, --surface, --fit-colour, and --fit, which combines all of them in one word;
/// the same in every command that reconstructs. Without any of them, isDefaultFit() holds;
/// `fit` becomes nullopt where the user wants no fit.
void addFit(CLI::App& command, std::optional<FitRequest>& fit);
/// Adds --surface alone; `word` stays empty without it.
CLI::Option* addSurface(CLI::App& command, std::string& word);
/// Adds --vertices N; `what` begins the help.
void addFittedVertices(CLI::App& command, std::size_t& vertices, const char* what);
/// Whether no option requests a fit: resolveFit() then decides by the sample.
bool isDefaultFit(const FitRequest& fit);
/// Whether findSample() would treat the path as the user's own photographs. Reads no file.
bool mayBePhotographs(const std::filesystem::path& sample);
/// Whether one of the samples may be fitted.
bool mayFit(const std::optional<FitRequest>& fit, std::span<const NamedSample> samples);
/// A sentence for isDefaultFit(): the mesh is fitted to all photographs, and the option that leaves
/// the fit out. `photographs`: "16 photographs".
std::string defaultFitNote(std::string_view photographs, std::size_t vertices);

}  // namespace threefold
