#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "cuda/kernels/elementwise.h"
#include "cuda/library/context.h"
#include "cuda/library/layout.h"
#include "cuda/library/product.h"
#include "engine/model/architecture.h"
#include "engine/model/model.h"

/// Hidden layers of graph blocks and hypothesis blocks: each is a product with [W0 | W1]. The first
/// layer's rows for x, y, z are left out of the product and added in float32.
namespace threefold::cuda::library {

inline constexpr int kHidden = static_cast<int>(kHiddenWidth);
inline constexpr int kBothSupports = 2 * kHidden;  ///< x W0 | x W1

/// Byte offsets of a layer among the packed weights.
struct LayerOffsets {
    std::size_t weights = 0;
    std::size_t bias = 0;
};

/// Product (rows, inner) · (inner, 2 · 192) with float32 result.
ProductShape layerProduct(int rows, int inner, Precision precision);

/// Reserves space for a layer's (paddedInner, 2 · 192) weights of `element` and its bias.
LayerOffsets reserveHiddenLayer(MemoryLayout& memoryLayout, std::size_t paddedInner,
                                ElementType element);

/// Packs weights and biases of the hidden layers `name(layer)`, one for each of `offsets` but the
/// last. The first layer's weights are padded from `inner` to `paddedInner` rows; its rows for
/// x, y, z go to byte offset `coordinates` in float32 instead. Throws ModelError.
void packHiddenLayers(const Model& model, const std::function<std::string(std::size_t)>& name,
                      std::size_t inner, std::size_t paddedInner,
                      std::span<const LayerOffsets> offsets, std::size_t coordinates,
                      ElementType element, Packer& packer);

/// Operation named "layer 3 product", …
Operation layerOperation(std::size_t layer, std::string_view part, double bytes, double flop = 0);

/// Enqueues a layer's product; may be captured.
void enqueueLayerProduct(std::size_t layer, const Product& product, Context& context, Stream stream,
                         const ProductArguments& arguments, const OperationHook& hook);

/// Enqueues bias, ReLU and residual of a layer, from the left half of the layer's sums, (rows,
/// 2 · 192). Sets sumsPitch and width of `arguments`. May be captured.
void enqueueLayerEpilogue(std::size_t layer, Stream stream, LayerEpilogueArguments arguments,
                          const OperationHook& hook);

/// Bytes of (rows, 192) hidden values.
double hiddenBytes(std::int64_t rows, ElementType element);

inline const float* floatsAt(const std::byte* base, std::size_t offset) {
    return reinterpret_cast<const float*>(base + offset);
}

}  // namespace threefold::cuda::library
