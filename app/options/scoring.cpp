#include "app/options/scoring.h"

namespace threefold {

std::vector<Protocol> protocolsOf(const std::string& word) {
    if (word == "both") return {Protocol::published, Protocol::surface};
    return {protocolFromName(word)};
}

}  // namespace threefold
