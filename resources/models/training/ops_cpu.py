"""The network's fast path on a processor: matrix products with bfloat16 operands, and kernels of ops_cpu.cpp between them.
Products are computed in float32 if that is faster: fifty times without instructions for bfloat16 (before AVX-512), by a
third with AVX-512 but without AMX."""
import ctypes
import functools
import pathlib
import subprocess
import tempfile
import time

import numpy as np
import torch
import torch.nn.functional as F

import network

HERE = pathlib.Path(__file__).parent
BF = torch.bfloat16
NATIVE = torch.ops.mkldnn._is_mkldnn_bf16_supported()


def compiled(source, *flags):
    """Compiles a C++ file for this processor and loads it as a library."""
    with tempfile.TemporaryDirectory() as folder:
        library = f"{folder}/kernels.so"
        subprocess.check_call(["g++", "-std=c++20", "-O3", "-march=native", "-ffast-math", "-fopenmp", "-shared",
                               "-fPIC", "-Wno-psabi", *flags, "-x", "c++", str(HERE / source), "-o", library])
        return ctypes.CDLL(library)


KERNELS = compiled("ops_cpu.cpp")
# malloc keeps freed blocks: each step allocates the same gigabyte, and new pages would take a third of its time.
M_TRIM_THRESHOLD, M_MMAP_MAX = -1, -4
ctypes.CDLL(None).mallopt(M_MMAP_MAX, 0)
ctypes.CDLL(None).mallopt(M_TRIM_THRESHOLD, 2 ** 31 - 1)
pointer = lambda t: ctypes.c_void_p(None if t is None else t.data_ptr())


def product_seconds(cast):
    """Returns the shortest time of three products of a graph convolution's size, whose operands `cast` converts."""
    a, b = (torch.zeros(shape, dtype=BF) for shape in ((8192, network.HIDDEN), (network.HIDDEN, 2 * network.HIDDEN)))
    times = []
    for _ in range(4):
        start = time.perf_counter()
        (cast(a) @ cast(b)).to(BF)
        times.append(time.perf_counter() - start)
    return min(times[1:])


@functools.cache
def multiplies_bfloat16():
    """Whether this processor multiplies matrices faster in bfloat16 than in float32, including conversions."""
    return NATIVE and product_seconds(lambda m: m) < product_seconds(lambda m: m.float())


def product(a, b, added=None, dtype=BF):
    """Returns a @ b + added of bfloat16 matrices."""
    if not multiplies_bfloat16():
        a, b, added = a.float(), b.float(), None if added is None else added.float()
    return (a @ b if added is None else torch.addmm(added, a, b)).to(dtype)


class PoolShape(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("objects", "meshes", "views", "points", "channels", "size",
                                                  "total", "stride", "offset")]


class GraphShape(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("start", "column", "value")] + \
               [(name, ctypes.c_int) for name in ("batch", "nodes")] + [("factor", ctypes.c_float)]


class Graph:
    """A symmetric sparse matrix in compressed rows."""

    def __init__(self, dense_or_neighbour, weight=None):
        if weight is None:
            rows = [(np.flatnonzero(r), r[r != 0]) for r in dense_or_neighbour.numpy()]
        else:
            rows = [(n[w != 0], w[w != 0]) for n, w in zip(dense_or_neighbour.numpy(), weight.numpy())]
        self.start = torch.tensor(np.cumsum([0] + [len(c) for c, _ in rows]), dtype=torch.int32)
        self.column = torch.tensor(np.concatenate([c for c, _ in rows]), dtype=torch.int32)
        self.value = torch.tensor(np.concatenate([v for _, v in rows]), dtype=torch.float32)

    def shape(self, batch, factor=1.0):
        return ctypes.byref(GraphShape(self.start.data_ptr(), self.column.data_ptr(), self.value.data_ptr(),
                                       batch, len(self.start) - 1, factor))

    def product(self, h):
        h = h.contiguous()
        out = torch.empty_like(h)
        KERNELS.graphProduct(pointer(h), pointer(out), h.shape[2], self.shape(h.shape[0]))
        return out


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h, graph):
        ctx.graph = graph
        return graph.product(h)

    @staticmethod
    def backward(ctx, gradient):
        return ctx.graph.product(gradient), None


class Features(torch.autograd.Function):
    """[point, maximum, mean, deviation, unpooled hidden, the point's rounding error, zeros] as rows of bfloat16. The
    rounding error is needed since bfloat16 has steps of 0.004 at z = -0.8, a fifth of a hypothesis's distance."""

    @staticmethod
    def forward(ctx, points, hidden, ends, rows, columns, *maps):
        meshes, count = points.shape[:2]
        views, total = rows.shape[1], sum(m.shape[1] for m in maps)
        width = 3 + 3 * total + (0 if hidden is None else hidden.shape[2])
        out = torch.empty(meshes * count, -(-width // 32) * 32, dtype=BF)
        out[:, :3] = points.reshape(-1, 3)
        out[:, width:] = 0
        out[:, width:width + 3] = points.reshape(-1, 3) - out[:, :3].float()
        maps = [m.to(BF).contiguous(memory_format=torch.channels_last) for m in maps]
        shapes, offset = [], 3
        for m in maps:
            objects = m.shape[0] // views
            shapes.append(PoolShape(objects, meshes // objects, views, count, m.shape[1], m.shape[2], total,
                                    out.shape[1], offset))
            KERNELS.poolForward(pointer(m), pointer(rows), pointer(columns), pointer(out), ctypes.byref(shapes[-1]))
            offset += m.shape[1]
        if hidden is not None:
            ctx.unpool = (meshes, hidden.shape[1], len(ends), hidden.shape[2], out.shape[1], 3 + 3 * total)
            KERNELS.unpoolForward(pointer(hidden), pointer(ends), pointer(out), *ctx.unpool)
        ctx.shapes, ctx.ends, ctx.count = shapes, ends, count
        ctx.save_for_backward(rows, columns, *maps)
        return out

    @staticmethod
    def backward(ctx, gradient):
        rows, columns, *maps = ctx.saved_tensors
        to_hidden, to_maps = None, []
        for m, shape, wanted in zip(maps, ctx.shapes, ctx.needs_input_grad[5:]):
            if not wanted:
                to_maps.append(None)
                continue
            sums = torch.zeros_like(m, dtype=torch.float32)
            KERNELS.poolBackward(pointer(m), pointer(rows), pointer(columns), pointer(gradient), pointer(sums),
                                 ctypes.byref(shape))
            to_maps.append(sums)
        if ctx.ends is not None:
            meshes, before, _, channels, *_ = ctx.unpool
            to_hidden = torch.empty(meshes, before, channels, dtype=BF)
            KERNELS.unpoolBackward(pointer(gradient), pointer(ctx.ends), pointer(to_hidden), *ctx.unpool)
        return gradient[:, :3].float().view(-1, ctx.count, 3), to_hidden, None, None, None, *to_maps


class Chain(torch.autograd.Function):
    """A chain of ReLU graph convolutions. Layers 2, 4, ... 12 add the output of two layers before and scale by `factor`.
    x [batch * nodes, padded inputs] -> [batch * nodes, hidden]; parameters: w0, w1, bias of each layer."""

    @staticmethod
    def forward(ctx, x, graph, factor, *parameters):
        nodes, channels = len(graph.start) - 1, parameters[2].shape[0]
        batch, outputs, weights, masks = x.shape[0] // nodes, [x], [], []
        for i in range(len(parameters) // 3):
            w0, w1, bias = parameters[3 * i:3 * i + 3]
            w = torch.zeros(outputs[-1].shape[1], 2 * channels, dtype=BF)
            w[:len(w0), :channels], w[:len(w0), channels:] = w0, w1
            if i == 0:
                w[len(w0):len(w0) + 3] = w[:3]
            h = product(outputs[-1], w)
            out = torch.empty(len(x), channels, dtype=BF)
            mask = torch.empty(len(x), channels, dtype=torch.uint8)
            added = outputs[i - 1] if i % 2 == 0 and 2 <= i <= 12 else None
            KERNELS.graphForward(pointer(h), pointer(bias), pointer(added), pointer(out), pointer(mask),
                                 graph.shape(batch, factor))
            outputs.append(out)
            weights.append(w)
            masks.append(mask)
        ctx.save_for_backward(*outputs, *weights, *masks)
        ctx.graph, ctx.factor, ctx.count, ctx.inputs = graph, factor, len(weights), len(parameters[0])
        return outputs[-1].clone()

    @staticmethod
    def backward(ctx, gradient):
        saved, count = ctx.saved_tensors, ctx.count
        outputs, weights, masks = saved[:count + 1], saved[count + 1:2 * count + 1], saved[2 * count + 1:]
        channels = gradient.shape[1]
        batch = len(gradient) // (len(ctx.graph.start) - 1)
        gradients = [None] * count + [gradient.contiguous()]
        to_parameters = []
        for i in reversed(range(count)):
            g, added = gradients[i + 1], i % 2 == 0 and 2 <= i <= 12
            h = torch.empty(len(g), 2 * channels, dtype=BF)
            bias = torch.zeros(channels)
            KERNELS.graphBackward(pointer(g), pointer(masks[i]), pointer(h), pointer(bias),
                                  ctx.graph.shape(batch, ctx.factor if added else 1.0))
            w = product(outputs[i].t(), h, dtype=torch.float32)
            if i == 0:
                w[:3] += w[ctx.inputs:ctx.inputs + 3]
                w = w[:ctx.inputs]
            to_parameters[:0] = [w[:, :channels], w[:, channels:], bias]
            if i > 0 or ctx.needs_input_grad[0]:
                gradients[i] = product(h, weights[i].t(), gradients[i])
            if added:
                gradients[i - 1] = g * ctx.factor
        return gradients[0], None, None, *to_parameters


def parameters_of(layers):
    return [p for layer in layers for p in (*layer.weights, layer.bias)]


def nearest(queries, targets):
    """queries [M, N, 3], targets [M, K, 3 or more] -> index [M, N], squared distance [M, N]."""
    queries, targets = queries.detach().contiguous(), targets.detach()[..., :3].contiguous()
    (meshes, count), others = queries.shape[:2], targets.shape[1]
    index, distance = torch.empty(meshes, count, dtype=torch.int64), torch.empty(meshes, count)
    KERNELS.nearest(pointer(queries), pointer(targets), pointer(index), pointer(distance), meshes, count, others)
    return index, distance


class CastCnn(network.Cnn):
    def forward(self, x):
        with torch.autocast("cpu", dtype=BF, enabled=NATIVE):
            return super().forward(x.contiguous(memory_format=torch.channels_last))


def features(points, hidden, ends, maps, reference, cameras):
    rows, columns = network.project(points.detach(), reference, cameras)
    return Features.apply(points, hidden, ends, rows.contiguous(), columns.contiguous(), *maps)


class Stage1(network.Stage1):
    def __init__(self, template):
        super().__init__()
        self.cnn.__class__ = CastCnn
        self.cnn.to(memory_format=torch.channels_last)
        self.graphs = [Graph(*template.level(k)) for k in (1, 2, 3)]

    def features(self, points, hidden, maps, reference, cameras, template, k):
        ends = None if hidden is None else getattr(template, f"pool{k - 1}")
        return features(points, hidden, ends, maps, reference, cameras), k, len(points)

    def block(self, x, layers, neighbour, weight):
        x, k, meshes = x
        graph, last = self.graphs[k - 1], layers[-1]
        hidden = Chain.apply(x, graph, 0.5, *parameters_of(layers[:-1])).view(meshes, -1, network.HIDDEN)
        h = hidden.float()
        return h @ last.weights[0] + Product.apply(h @ last.weights[1], graph) + last.bias, hidden


class Stage2(network.Stage2):
    def __init__(self, template):
        super().__init__()
        self.cnn.__class__ = CastCnn
        self.cnn.to(memory_format=torch.channels_last)
        self.graph = Graph(template.hypothesis_support)
        for block in (self.drb1, self.drb2):
            block.hidden = lambda x, support, block=block: self.hidden(x, block)

    def hidden(self, x, block):
        layers = [getattr(block, f"local_conv{k}") for k in range(1, 6)]
        return Chain.apply(x, self.graph, 1.0, *parameters_of(layers)).view(-1, 43, network.HIDDEN)

    def features(self, points, maps, reference, cameras, template):
        around = (points[:, :, None] + template.hypotheses).flatten(1, 2)
        return features(around, None, None, maps, reference, cameras)
