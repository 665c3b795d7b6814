#include "cuda/runtime/check.h"

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <cudnn_graph.h>
#include <cusparse.h>
#include <gtest/gtest.h>

namespace threefold::cuda {
namespace {

template <class Failure, class Function>
ErrorReport reportOf(Function&& function) {
    try {
        function();
    } catch (const Failure& error) {
        return error.report();
    }
    ADD_FAILURE() << "nothing of this type was thrown";
    return {};
}

TEST(Check, passes_whenCallSucceeded) {
    EXPECT_NO_THROW(CUDA_CHECK(cudaSuccess));
    EXPECT_NO_THROW(CUDNN_CHECK(CUDNN_STATUS_SUCCESS));
    EXPECT_NO_THROW(CUBLAS_CHECK(CUBLAS_STATUS_SUCCESS));
    EXPECT_NO_THROW(CUSPARSE_CHECK(CUSPARSE_STATUS_SUCCESS));
}

TEST(Check, namesCallPlaceAndRemedy_whenCallFailed) {
    const ErrorReport report =
        reportOf<DeviceError>([] { CUDA_CHECK(cudaErrorInvalidConfiguration); });
    EXPECT_EQ(report.subject.substr(0, 3), "GPU");
    EXPECT_NE(report.place.find("cudaErrorInvalidConfiguration at cuda/library/check_test.cpp:"),
              std::string::npos)
        << report.place;
    EXPECT_NE(report.problem.find("cudaErrorInvalidConfiguration"), std::string::npos);
    EXPECT_FALSE(report.remedy.empty());
}

TEST(Check, distinguishesALostDevice_fromAFullOne) {
    EXPECT_THROW(CUDA_CHECK(cudaErrorIllegalAddress), DeviceLost);
    EXPECT_THROW(CUDA_CHECK(cudaErrorLaunchFailure), DeviceLost);
    EXPECT_THROW(CUDA_CHECK(cudaErrorECCUncorrectable), DeviceLost);
    EXPECT_THROW(CUDA_CHECK(cudaErrorDevicesUnavailable), DeviceLost);
    EXPECT_THROW(CUDA_CHECK(cudaErrorMemoryAllocation), OutOfDeviceMemory);
    EXPECT_EQ(errorKindOf(cudaErrorInvalidValue), CudaErrorKind::other);
    EXPECT_EQ(errorKindOf(cudaErrorStreamCaptureUnsupported), CudaErrorKind::other);
}

TEST(Check, namesLibraryAndStatus) {
    EXPECT_EQ(reportOf<OutOfDeviceMemory>([] { CUBLAS_CHECK(CUBLAS_STATUS_ALLOC_FAILED); }).subject,
              "cuBLASLt");
    const ErrorReport sparse =
        reportOf<DeviceError>([] { CUSPARSE_CHECK(CUSPARSE_STATUS_NOT_SUPPORTED); });
    EXPECT_EQ(sparse.subject, "cuSPARSE");
    EXPECT_NE(sparse.problem.find("NOT_SUPPORTED"), std::string::npos);
    const ErrorReport network =
        reportOf<DeviceError>([] { CUDNN_CHECK(CUDNN_STATUS_NOT_SUPPORTED_PADDING); });
    EXPECT_EQ(network.subject, "cuDNN");
    EXPECT_NE(network.problem.find("CUDNN_STATUS_NOT_SUPPORTED_PADDING"), std::string::npos);
}

}  // namespace
}  // namespace threefold::cuda
