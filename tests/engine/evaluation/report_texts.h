#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tests/engine/evaluation/fake_run.h"

/// Helpers that the tests of several reports share.
namespace threefold::test {

inline std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

inline std::vector<ViewSilhouetteScores> silhouettesWith(double coarse, double refined) {
    return {{0, {{"coarse", {coarse, {}}}, {"refined", {refined, {}}}}}};
}

inline const std::string kHostileName =
    "</script><script>alert('1')</script>\"&<!--{{data}}\r\n,\xff\xc3";

/// Gives records 0 and 2 distances from their truths' surfaces, as if these truths had faces.
inline void giveSurfaces(EvaluationRun& run) {
    for (const std::size_t record : {0U, 2U}) {
        const double scale = record == 0 ? 1.0 : 2.0;
        run.records[record].distances.add("coarse", {scale * 0.5, 0.25, 0.75, 4});
        run.records[record].distances.add("refined", {scale * 0.25, 0.125, 0.5, 8});
    }
}

}  // namespace threefold::test
