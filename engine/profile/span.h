#pragma once

#include <compare>
#include <string>
#include <vector>

namespace threefold {

/// Thread or device that a span ran on.
enum class LaneKind {
    processor,  ///< a worker thread of the processor
    gpu,        ///< a stream of the GPU
    window,     ///< the event loop's thread
    render,     ///< the rendering thread
    loader,     ///< a thread of a pipeline's group, like the kinds below
    network,
    finisher,
    store,
};

/// One line of a timeline: spans of one lane follow each other or contain each other.
struct Lane {
    LaneKind kind = LaneKind::processor;
    int index = 0;  ///< among lanes of one kind, from 0

    // NOLINTNEXTLINE(modernize-use-nullptr): clang 14 takes the 0 of a comparison for a pointer
    auto operator<=>(const Lane&) const = default;
};

/// "CPU", "CPU 2", "GPU stream 1", "window", "render", "loader", "finisher 2".
std::string laneName(Lane lane);

/// A timed interval, in milliseconds; `begin` counts from the start of the profile.
struct Span {
    std::string name;
    Lane lane;
    double begin = 0;
    double duration = 0;
    int number = 0;  ///< number of the reconstruction, frame or sample, from 1; 0: none

    double end() const { return begin + duration; }
    bool operator==(const Span&) const = default;
};
using Spans = std::vector<Span>;

}  // namespace threefold
