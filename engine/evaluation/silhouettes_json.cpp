#include "engine/evaluation/silhouettes_json.h"

#include <nlohmann/json.hpp>

namespace threefold {
namespace {

using Json = nlohmann::ordered_json;

Json scoreJson(const SilhouetteScore& score) {
    Json json = {{"overlap", score.overlap}};
    if (score.distance) {
        json["meanDistancePixels"] = score.distance->mean;
        json["largestDistancePixels"] = score.distance->most;
    }
    return json;
}

}  // namespace

Json silhouettesJson(std::span<const ViewSilhouettes> silhouettes) {
    Json json = Json::array();
    for (const ViewSilhouettes& view : silhouettes) {
        json.push_back({{"view", view.view}});
        if (view.coarse) json.back()["coarse"] = scoreJson(*view.coarse);
        if (view.refined) json.back()["refined"] = scoreJson(*view.refined);
    }
    return json;
}

}  // namespace threefold
