// Reconstructs one sample with the engine alone: reconstruct MODEL SAMPLE OUT.obj
#include <cstdio>
#include <exception>
#include <memory>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "engine/model/model.h"
#include "engine/network/cpu_backend.h"
#include "engine/sample/view_candidates.h"
#include "engine/sample_steps/measure_sample.h"

using namespace threefold;

int main(int argc, char** argv) try {
    if (argc != 4) {
        std::fputs("usage: reconstruct MODEL SAMPLE OUT.obj\n", stderr);
        return 2;
    }
    // Packs the weights once: keep the backend for as many samples as there are.
    const std::unique_ptr<Backend> backend = makeCpuBackend(loadModel(argv[1]));
    std::printf("%s\n", backend->description().c_str());

    // A folder with images and cameras, as `threefold render` writes it, or your own photographs.
    const auto sample = std::make_shared<const Sample>(findSample(argv[2]));
    ReconstructedSample reconstructed =
        reconstructSample(*backend, loadSample(sample, defaultViews(*sample)));
    const FitRequest toAllPhotographs{FitViews{FitViews::Kind::all}};
    const MeasuredSample measured =
        measureSample(fitIfRequested(std::move(reconstructed), toAllPhotographs, {}), {});

    const FittedReconstruction& meshes = measured.reconstruction;
    std::printf("%s: %.0f ms\n", sample->name().c_str(), meshes.network.milliseconds());
    if (measured.evaluation) {
        const Evaluation& evaluation = *measured.evaluation;
        std::printf("F(tau) coarse %.1f, refined %.1f", evaluation.first().measures.atTau().fScore,
                    evaluation.result().measures.atTau().fScore);
        if (const MeshEvaluation* const fitted = evaluation.fitted())
            std::printf(", fitted %.1f", fitted->measures.atTau().fScore);
        std::printf(" %%\n");
    }
    if (measured.fit && measured.fit->problem)
        std::fprintf(stderr, "not fitted: %s\n", Error(*measured.fit->problem).what());
    writeMesh(argv[3], MeshFormat::obj,
              meshes.fitted.value_or(Mesh{meshes.network.result().vertices,
                                          meshes.network.faces(meshes.network.result())}));
    return 0;
} catch (const std::exception& error) {  // an Error of the engine, or std::bad_alloc
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
