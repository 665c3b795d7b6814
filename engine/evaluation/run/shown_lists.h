#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/pipeline/sample_record.h"

namespace threefold {

/// Number of samples in each list that the report shows with pictures.
inline constexpr std::size_t kShownPerList = 10;

/// Indices of the worst `records`, worst first: by the result's Chamfer distance under the first
/// protocol, largest first, then samples without a truth by silhouette overlap, smallest first.
/// Ties: earlier positions first.
std::vector<std::size_t> worstRecords(const std::vector<SampleRecord>& records,
                                      std::size_t count = kShownPerList);

/// Indices of the best `records`, best first, without the kShownPerList worst ones, so that no
/// record is in both lists.
std::vector<std::size_t> bestRecords(const std::vector<SampleRecord>& records,
                                     std::size_t count = kShownPerList);

/// A step of a reconstruction that changes the mesh.
enum class MeshChange { refinement, fit };

/// Indices of the `records` whose mesh the step changed most, in either direction: by F(τ) under
/// the first protocol, then samples without a truth by silhouette overlap. Unchanged samples are
/// left out. Ties: earlier positions first.
std::vector<std::size_t> mostChangedRecords(const std::vector<SampleRecord>& records,
                                            MeshChange change, std::size_t count = kShownPerList);

/// A list of the report.
struct ShownList {
    std::string_view key;  ///< "worst", "best", "refinement", "fit"
    std::vector<std::size_t> recordIndices;
};

/// The report's lists, without empty ones. A record that is in a list of the whole run is also in a
/// list of every partial run that contains the record. So during a run, pictures of records that
/// are in no list so far can be deleted at once.
std::vector<ShownList> shownLists(const std::vector<SampleRecord>& records);

/// Indices of the records of shownLists(), each once, in the order of the lists.
std::vector<std::size_t> shownRecords(const std::vector<SampleRecord>& records);

}  // namespace threefold
