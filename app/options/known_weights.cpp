#include "app/options/known_weights.h"

#include "engine/error.h"
#include "engine/formats/tensors/safetensors.h"
#include "engine/model/model.h"
#include "engine/resources.h"

namespace threefold {

void addKnownWeights(ConvertSources& sources) {
    try {
        const Metadata metadata = readSafetensorsHeader(defaultModelFile()).metadata;
        const auto hash = metadata.find("source.stage1.sha256");
        const auto sampler = metadata.find("sampler");
        if (hash != metadata.end() && sampler != metadata.end())
            sources.known[hash->second] = samplerFromName(sampler->second);
    } catch (const Error&) {
        // No bundled model.
    }
}

}  // namespace threefold
