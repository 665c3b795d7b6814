// list_driver LIST FOLDER fresh|resume [MICROSECONDS_PER_SAMPLE [LARGEST_FILE_BYTES]] evaluates a
// small data set with FakeBackend. Tests kill the process or limit the sizes of its files.

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include <sys/resource.h>

#include "engine/evaluation/evaluate_list.h"
#include "engine/evaluation/report/write_reports.h"
#include "engine/evaluation/run/evaluation_run.h"
#include "engine/evaluation/run/output_files.h"
#include "tests/engine/evaluation/fake_backend.h"
#include "tests/engine/evaluation/small_data_set.h"
#include "tests/support/borrowed_device.h"

int main(int argc, char** argv) {
    using namespace threefold;
    if (argc < 4) return 2;
    const std::filesystem::path list = argv[1];
    const std::filesystem::path folder = argv[2];
    const std::string start = argv[3];
    const int delay = argc > 4 ? std::atoi(argv[4]) : 0;
    if (argc > 5) {
        const auto bytes = static_cast<rlim_t>(std::atol(argv[5]));
        const rlimit limit{bytes, bytes};
        setrlimit(RLIMIT_FSIZE, &limit);
        std::signal(SIGXFSZ, SIG_IGN);
    }
    try {
        Journal journal(folder, test::smallRun(list),
                        start == "resume" ? ExistingRun::resume : ExistingRun::refuse);
        test::FakeBackend backend{std::chrono::microseconds(delay)};
        test::NetworkOn network(backend);
        evaluateList(network, readEvaluationList(list), journal, folder, {});
        const EvaluationRun run = journal.run();
        removeUnshownThumbnails(folder, run.records);
        writeReports(run, folder);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
