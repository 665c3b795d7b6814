// All settings of threefold.toml, in the order of `threefold config`. A row is
// THREEFOLD_SETTING(name, fields of Setting). Commands use a setting by addSetting() or
// Configuration::text() (configuration.h).

THREEFOLD_SETTING(model, .key = "network.model", .option = "--model", .placeholder = "FILE",
                  .type = Setting::Type::path, .noValueText = "the bundled one",
                  .example = "model.safetensors", .meaning = "Model file")
THREEFOLD_SETTING(backend, .key = "network.backend", .option = "--backend", .placeholder = "NAME",
                  .choices = backendWords, .defaultValue = "auto",
                  .meaning =
                      "Back end: a GPU (cuda), the processor (cpu), or a GPU if there is one (auto)")
THREEFOLD_SETTING(precision, .key = "network.precision", .option = "--precision",
                  .placeholder = "NAME", .choices = enumNames<kAllPrecisions, precisionName>,
                  .check = precisionProblem,
                  .noValueText = "float32 on the processor, float16 on a GPU",
                  .example = "bfloat16",
                  .meaning =
                      "float32 (fp32), bfloat16 (bf16) or int8; on a GPU also float16 (fp16), "
                      "tfloat32 (tf32)")
THREEFOLD_SETTING(threads, .key = "network.threads", .option = "--threads", .placeholder = "N",
                  .type = Setting::Type::integer, .max = kMaxRequestedThreads,
                  .defaultValue = "0",
                  .meaning = "Threads of the processor; 0: as many as the process may use")
THREEFOLD_SETTING(device, .key = "network.device", .option = "--device", .placeholder = "N,N,...",
                  .check = deviceProblem, .accepted = "all, or numbers with commas, no two alike",
                  .defaultValue = "0",
                  .meaning =
                      "CUDA number of the GPU; several, or all that can be used, share the "
                      "samples of a list")
THREEFOLD_SETTING(kernels, .key = "network.kernels", .option = "--kernels", .placeholder = "NAME",
                  .choices = enumWords<"fused", "library">, .defaultValue = "fused",
                  .meaning = "On a GPU: fused, or library (cuDNN, cuBLASLt, cuSPARSE)")
THREEFOLD_SETTING(streams, .key = "network.streams", .option = "--streams", .placeholder = "N",
                  .type = Setting::Type::integer, .min = 1, .max = 3, .defaultValue = "3",
                  .meaning =
                      "CUDA streams: 1 runs everything in order; 2 overlaps stage 2's convolutions "
                      "with stage 1; 3 also overlaps uploads with the computation")
THREEFOLD_SETTING(graphs, .key = "network.graphs", .option = "--graphs", .placeholder = "on|off",
                  .choices = enumWords<"on", "off">, .defaultValue = "on",
                  .meaning = "Launch a batch as one CUDA graph (on), or kernel by kernel (off)")
THREEFOLD_SETTING(pinned, .key = "network.pinned", .option = "--pinned", .placeholder = "on|off",
                  .choices = enumWords<"on", "off">, .defaultValue = "on",
                  .meaning = "Stage copies in page-locked memory (on), or in pageable memory (off)")
THREEFOLD_SETTING(gpuMemory, .key = "network.gpu_memory", .option = "--gpu-memory",
                  .placeholder = "MIB", .type = Setting::Type::integer, .max = 1'048'576,
                  .defaultValue = "0",
                  .meaning =
                      "Memory of a GPU for weights and buffers, in MiB; 0: all. Batches that do "
                      "not fit are split")
THREEFOLD_SETTING(graphCache, .key = "network.graph_cache", .option = "--graph-cache",
                  .placeholder = "MIB", .type = Setting::Type::integer, .max = 1'048'576,
                  .defaultValue = "2048",
                  .meaning = "Part of --gpu-memory for CUDA graphs of further batch sizes, in MiB")
THREEFOLD_SETTING(plans, .key = "network.plans", .option = "--plans", .placeholder = "DIR",
                  .type = Setting::Type::path,
                  .noValueText = "threefold in the user's cache folder", .example = "plans",
                  .meaning = "Folder of the GPU's plans: chosen algorithms and 8-bit ranges")
THREEFOLD_SETTING(maxListWait, .key = "network.patience", .type = Setting::Type::number,
                  .max = 3600, .defaultValue = "2",
                  .meaning =
                      "Seconds for which clicks in the window may delay a running list; then a "
                      "batch of the list goes first")

THREEFOLD_SETTING(views, .key = "reconstruction.views", .option = "--views",
                  .placeholder = "N,N,...", .type = Setting::Type::integer, .list = true,
                  .minCount = kMinInputViews, .maxCount = kMaxInputViews, .max = 1'000'000,
                  .noValueText = "0,6,7, and of your own photographs three that differ",
                  .example = "0,6,7", .meaning = "2 to 8 views")
THREEFOLD_SETTING(fit, .key = "reconstruction.fit", .option = "--fit", .placeholder = "[VIEWS]",
                  .check = fitProblem,
                  .accepted =
                      "auto, off, chosen, all or a number of 1 or more; +colour, and +network, "
                      "+hull, +silhouettes, +depth or +auto may follow, and +10000vertices",
                  .defaultValue = "auto",
                  .meaning =
                      "A third stage, which fits a mesh to photographs: --fit-views, --surface, "
                      "--fit-colour and --vertices in one word, such as all+hull+10000vertices; "
                      "+silhouettes is a hull without hollows")
THREEFOLD_SETTING(formats, .key = "reconstruction.formats", .option = "--format",
                  .placeholder = "NAME,...", .list = true, .choices = writtenFormatWords,
                  .defaultValue = "obj,xyz", .meaning = "File formats of the meshes")
THREEFOLD_SETTING(writtenStage, .key = "reconstruction.stage", .earlierKey = "reconstruction.level",
                  .option = "--stage,--level", .placeholder = "NAME",
                  .choices = enumWords<"coarse", "refined", "all">, .defaultValue = "refined",
                  .meaning =
                      "Meshes to write: refined ({sample}_predict), coarse ({sample}_coarse), or "
                      "all; a fit adds {sample}_fitted")
THREEFOLD_SETTING(frame, .key = "reconstruction.frame", .option = "--frame", .placeholder = "NAME",
                  .choices = enumWords<"camera", "world">, .defaultValue = "camera",
                  .meaning =
                      "Coordinates: camera (of the first view) or world (ShapeNet's, or that "
                      "of your own cameras)")

THREEFOLD_SETTING(protocol, .key = "evaluation.protocol", .option = "--protocol",
                  .placeholder = "NAME", .choices = enumWords<"published", "surface", "both">,
                  .defaultValue = "published",
                  .meaning =
                      "published (vertices against the truth's points), surface (10 000 "
                      "points of each surface), both")
THREEFOLD_SETTING(tau, .key = "evaluation.tau", .option = "--tau", .placeholder = "T",
                  .type = Setting::Type::number, .max = kMaxTau, .exclusiveMin = true,
                  .defaultValue = "1e-4",
                  .meaning = "Threshold on squared distances, object units²")
THREEFOLD_SETTING(earthMovers, .key = "evaluation.emd", .option = "--emd,!--no-emd",
                  .type = Setting::Type::boolean, .defaultValue = "false",
                  .meaning =
                      "Also the earth mover's distance of both meshes, in seconds a sample on "
                      "two cores: 2 to 4 under the published protocol (6500 true points), 6 "
                      "to 12 under surface (10 000 against 6500); or not")
THREEFOLD_SETTING(truthSpace, .key = "evaluation.gt_space", .option = "--gt-space",
                  .placeholder = "NAME", .choices = enumWords<"view", "world", "auto">,
                  .noValueText = "view for pickles, auto for others", .example = "world",
                  .meaning =
                      "Coordinates of the truth: view (of the view that its name ends with, "
                      "else 0), world (ShapeNet's), auto (detected from its points)")
THREEFOLD_SETTING(keptTruthPoints, .key = "evaluation.truth_points", .option = "--truth-points",
                  .placeholder = "N", .type = Setting::Type::integer, .max = 1'000'000,
                  .defaultValue = "0",
                  .meaning =
                      "Use only N points of each truth, the same ones in every run; 0: all. F and "
                      "Chamfer distance depend on N; the older scripts used 1155")
THREEFOLD_SETTING(warmUp, .key = "evaluation.warmup", .option = "--warmup,--warmup-iters",
                  .placeholder = "N", .type = Setting::Type::integer, .max = 1'000'000,
                  .noValueText = "15 on a GPU, 1 on the processor", .example = "3",
                  .meaning = "Runs of the network before the first that counts")
THREEFOLD_SETTING(measureOn, .key = "evaluation.measure_on", .option = "--measure-on",
                  .placeholder = "NAME", .choices = enumWords<"auto", "cpu", "gpu">,
                  .defaultValue = "auto",
                  .meaning =
                      "Device that measures the meshes: cpu, gpu (the network's, in float32), or "
                      "auto (the network's device); fitted meshes are measured on the processor")
THREEFOLD_SETTING(
    stepTimes, .key = "evaluation.step_times", .earlierKey = "evaluation.stages",
    .option = "--step-times,--stages", .placeholder = "NAME",
    .choices = enumWords<"off", "sampled", "all">, .defaultValue = "sampled",
    .meaning =
        "Batches in which a GPU times each run step: every 20th (sampled), all of them, which "
        "slows them, or none (off); preprocessing is timed in all but off")
THREEFOLD_SETTING(meshes, .key = "evaluation.meshes", .option = "--meshes,!--no-meshes",
                  .type = Setting::Type::boolean, .defaultValue = "true",
                  .meaning = "Write {sample}_predict.obj and .xyz, or no meshes")

THREEFOLD_SETTING(loaders, .key = "pipeline.loaders", .option = "--loaders", .placeholder = "N",
                  .type = Setting::Type::integer, .max = 1024, .defaultValue = "0",
                  .meaning = "Threads that read and decode samples; 0: chosen by measured speed")
THREEFOLD_SETTING(finishers, .key = "pipeline.finishers", .option = "--finishers",
                  .placeholder = "N", .type = Setting::Type::integer, .max = 1024,
                  .defaultValue = "0",
                  .meaning = "Threads that fit, measure and write; 0: chosen by measured speed")
THREEFOLD_SETTING(pipelineMemory, .key = "pipeline.memory", .option = "--memory",
                  .placeholder = "MIB", .type = Setting::Type::integer, .min = 1, .max = 1'048'576,
                  .defaultValue = "1024",
                  .meaning = "Memory for samples that are loaded ahead, in MiB")
THREEFOLD_SETTING(batch, .key = "pipeline.batch", .option = "--batch", .placeholder = "N",
                  .type = Setting::Type::integer, .min = 1, .max = 4096,
                  .noValueText = "chosen during the run", .example = "8",
                  .meaning = "Maximum number of samples in a batch of the network")
THREEFOLD_SETTING(batchWait, .key = "pipeline.batch_wait", .option = "--batch-wait",
                  .placeholder = "MS", .type = Setting::Type::number, .max = 10'000,
                  .defaultValue = "100",
                  .meaning =
                      "Milliseconds that a batch that is not full waits for more samples while the "
                      "network is idle; without --batch no longer than the last batch took")

THREEFOLD_SETTING(renderedSize, .key = "rendering.size", .option = "--size", .placeholder = "N",
                  .type = Setting::Type::integer, .min = kMinRenderingSide,
                  .max = kMaxRenderingSide, .defaultValue = "137",
                  .meaning = "Side of the rendered images in pixels")
THREEFOLD_SETTING(truthPoints, .key = "rendering.points", .option = "--points", .placeholder = "N",
                  .type = Setting::Type::integer, .min = 1, .max = double{kMaxTruthPoints},
                  .defaultValue = "10000", .meaning = "Points of the ground truth")
THREEFOLD_SETTING(
    rasterTier, .key = "rendering.tier", .option = "--tier", .placeholder = "NAME",
    .choices = enumNames<kAllRasterTiers, rasterTierName>, .defaultValue = "automatic",
    .meaning =
        "Rasteriser of the samples; all draw the same faces. automatic: the GPU (the first "
        "of --device) where triangles times points (16 a pixel) of a view reach "
        "1e11, else the processor")

THREEFOLD_SETTING(trace, .key = "profile.trace", .option = "--trace", .placeholder = "FILE",
                  .type = Setting::Type::path, .noValueText = "none is written",
                  .example = "trace.json",
                  .meaning =
                      "Write a trace of all threads for chrome://tracing or Perfetto; of existing "
                      "files it replaces only a trace")

THREEFOLD_SETTING(
    logLevel, .key = "log.level", .option = "--log-level", .placeholder = "LEVEL",
    .choices = wordList<kLogLevels>, .defaultValue = "warn",
    .meaning =
        "Least severe level to log: trace, debug (as --verbose), info, warn or error; "
        "off logs nothing, not even why a command failed")
THREEFOLD_SETTING(logFile, .key = "log.file", .option = "--log-file", .placeholder = "FILE",
                  .type = Setting::Type::path, .noValueText = "standard error alone",
                  .example = "threefold.log",
                  .meaning = "A file that these lines are appended to as well, with time and level")

THREEFOLD_SETTING(targetMilliseconds, .key = "target.milliseconds", .option = "--target-ms",
                  .placeholder = "MS", .type = Setting::Type::number, .exclusiveMin = true,
                  .noValueText = "none", .example = "500",
                  .meaning =
                      "Target: maximum time of the network for a sample, in milliseconds; the end "
                      "of the run says whether it was met")
THREEFOLD_SETTING(
    targetRate, .key = "target.samples_per_second", .option = "--target-rate", .placeholder = "N",
    .type = Setting::Type::number, .exclusiveMin = true, .noValueText = "none", .example = "2",
    .meaning = "Target: minimum samples a second; the end of the run says whether it was met")

// Initial state of the window. Without a value the window keeps its last state, so these settings
// have no default. Settings of the look have the names and words that sessions use
// (ui/results/look_words.h).
THREEFOLD_SETTING(theme, .key = "window.theme", .choices = enumWords<"system", "dark", "light">,
                  .noValueText = "your last choice; at first system", .example = "dark",
                  .meaning = "Colours of the window: the system's, dark or light")
THREEFOLD_SETTING(windowFit, .key = "window.fit", .choices = enumWords<"off", "chosen", "all">,
                  .noValueText = "your last choice; at first all", .example = "chosen",
                  .meaning =
                      "Fit results to the photographs: to all of the sample, to the chosen "
                      "views, or not at all")
THREEFOLD_SETTING(shading, .key = "window.shading", .choices = wordList<ui::kShadingWords>,
                  .noValueText = "your last choice; at first smooth", .example = "flat",
                  .meaning = "How surfaces are drawn")
THREEFOLD_SETTING(edges, .key = "window.edges", .type = Setting::Type::boolean,
                  .noValueText = "your last choice; at first false", .example = "true",
                  .meaning = "Draw the edges of the triangles upon the surfaces")
THREEFOLD_SETTING(lighting, .key = "window.lighting", .choices = wordList<ui::kLightingWords>,
                  .noValueText = "your last choice; at first studio", .example = "matcap",
                  .meaning = "Light on the surfaces")
THREEFOLD_SETTING(occlusion, .key = "window.occlusion", .type = Setting::Type::boolean,
                  .noValueText = "your last choice; at first false", .example = "true",
                  .meaning = "Darken corners and creases (ambient occlusion)")
THREEFOLD_SETTING(quantity, .key = "window.quantity", .choices = wordList<ui::kQuantityWords>,
                  .noValueText = "your last choice; at first distanceToTruth", .example = "normals",
                  .meaning = "Quantity that colours the surfaces")
THREEFOLD_SETTING(colourMap, .key = "window.map", .choices = wordList<ui::kMapWords>,
                  .noValueText = "your last choice; at first viridis", .example = "cividis",
                  .meaning = "Colour map of the quantity")
