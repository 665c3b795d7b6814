#include <string>

#include "engine/error.h"
#include "engine/metrics/scores.h"

namespace threefold {

std::string_view protocolName(Protocol protocol) {
    return protocol == Protocol::surface ? "surface" : "published";
}

Protocol protocolFromName(std::string_view name) {
    for (const Protocol protocol : {Protocol::published, Protocol::surface}) {
        if (protocolName(protocol) == name) return protocol;
    }
    throw UsageError({"--protocol", std::string(name), "there is no such protocol",
                      "Use published or surface."});
}

std::string_view protocolDescription(Protocol protocol) {
    return protocol == Protocol::surface
               ? "10 000 points of each surface, even by area; a truth without faces by its points"
               : "the mesh's vertices against the points of the truth's file";
}

}  // namespace threefold
