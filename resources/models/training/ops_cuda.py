"""The network's fast path on a GPU: convolutions in bfloat16, other products in tfloat32, and kernels of ops_cuda.cu between
them. All of it can be captured in a CUDA graph."""
import pathlib

import cupy
import torch
import torch.nn.functional as F

import network
import ops_plain

VIEWS = 2, 3, 4, 6  # numbers of views for which the pooling is compiled
POOL = [f"pool{way}<{v}>" for way in ("Forward", "Backward") for v in VIEWS]
MODULE = cupy.RawModule(code=(pathlib.Path(__file__).parent / "ops_cuda.cu").read_text(), name_expressions=tuple(POOL),
                        options=("-std=c++17", "--use_fast_math"))


class CurrentStream:
    def __cuda_stream__(self):
        return 0, torch.cuda.current_stream().cuda_stream


def launch(name, count, *given, block=256, grid=None):
    """Launches kernel `name` with `count` threads on PyTorch's stream. Tensors are passed as addresses, None as null."""
    given = [cupy.uint64(0 if a is None else a.data_ptr()) if a is None or torch.is_tensor(a)
             else cupy.float32(a) if isinstance(a, float) else cupy.int32(a) for a in given]
    with cupy.cuda.Stream.from_external(CurrentStream()):
        MODULE.get_function(name)(grid or (-(-count // block),), (block,), (*given, *([] if grid else [cupy.int64(count)])))


class Pool(torch.autograd.Function):
    """Points [M, N, 3], maps [O V, C, S, S] -> [M N, 3 + 3 C]: point, maximum, mean and deviation over the views."""

    @staticmethod
    def forward(ctx, points, rows, columns, *maps):
        meshes, views, count = rows.shape
        total = sum(m.shape[1] for m in maps)
        out = torch.empty(meshes * count, 3 + 3 * total, device=points.device)
        out[:, :3] = points.reshape(-1, 3)
        maps = [m.permute(0, 2, 3, 1).to(torch.bfloat16).contiguous() for m in maps]
        rows, columns, offset, ctx.shapes = rows.contiguous(), columns.contiguous(), 3, []
        for m in maps:
            channels, size = m.shape[3], m.shape[1]
            shape = (meshes * views // m.shape[0], count, channels, size, total, out.shape[1], offset)
            launch(f"poolForward<{views}>", len(out) * channels, m, rows, columns, out, *shape)
            ctx.shapes.append(shape)
            offset += channels
        ctx.save_for_backward(rows, columns, *maps)
        return out

    @staticmethod
    def backward(ctx, gradient):
        rows, columns, *maps = ctx.saved_tensors
        gradient, to_maps = gradient.contiguous(), []
        for m, shape, wanted in zip(maps, ctx.shapes, ctx.needs_input_grad[3:]):
            if not wanted:
                to_maps.append(None)
                continue
            sums = torch.zeros(m.shape, device=m.device)
            launch(f"poolBackward<{rows.shape[1]}>", len(gradient) * m.shape[3], m, rows, columns, gradient, sums, *shape)
            to_maps.append(sums.permute(0, 3, 1, 2))
        return gradient[:, :3].reshape(len(rows), -1, 3), None, None, *to_maps


class GraphSum(torch.autograd.Function):
    """factor (relu(h[:, :C] + L h[:, C:] + bias) + added) of h [M N, 2 C]; `column` and `value` [N, 8]: rows of L."""

    @staticmethod
    def forward(ctx, h, bias, added, column, value, factor):
        h, channels = h.contiguous(), h.shape[1] // 2
        out = torch.empty(len(h), channels, device=h.device)
        positive = torch.empty(len(h), channels, device=h.device, dtype=torch.uint8)
        launch("graphForward", out.numel(), h, bias, added, column, value, out, positive, len(column), channels, float(factor))
        ctx.save_for_backward(positive, column, value)
        ctx.factor, ctx.added = float(factor if added is not None else 1), added is not None
        return out

    @staticmethod
    def backward(ctx, gradient):
        positive, column, value = ctx.saved_tensors
        gradient, channels = gradient.contiguous(), gradient.shape[1]
        to_h = torch.empty(len(gradient), 2 * channels, device=gradient.device)
        launch("graphBackwardOwn", gradient.numel(), gradient, positive, to_h, channels, ctx.factor)
        launch("graphBackwardSpread", gradient.numel(), column, value, to_h, len(column), channels)
        return to_h, to_h[:, :channels].sum(0), gradient * ctx.factor if ctx.added else None, None, None, None


def joined(layer):
    return torch.cat(list(layer.weights), 1)


class Stage1(network.Stage1):
    def __init__(self, template):
        super().__init__()
        self.cnn.__class__ = ops_plain.Cnn
        self.cnn.to(memory_format=torch.channels_last)
        self.levels = [(n.int().contiguous(), w.contiguous()) for n, w in map(template.level, (1, 2, 3))]

    def features(self, points, hidden, maps, reference, cameras, template, k):
        pooled = Pool.apply(points, *network.project(points.detach(), reference, cameras), *maps)
        if hidden is not None:
            pooled = torch.cat([pooled, template.unpool(hidden, k - 1).flatten(0, 1)], 1)
        return pooled, k, len(points)

    def block(self, x, layers, neighbour, weight):
        x, k, meshes = x
        outputs = [x]
        for i, layer in enumerate(layers[:-1]):
            added = outputs[i - 1] if i % 2 == 0 and 2 <= i <= 12 else None
            outputs.append(GraphSum.apply(outputs[-1] @ joined(layer), layer.bias, added, *self.levels[k - 1], .5))
        hidden = outputs[-1].view(meshes, -1, network.HIDDEN)
        return layers[-1](hidden, neighbour, weight), hidden


class Stage2(network.Stage2):
    """Stage 2 with hidden features in bfloat16, from the output of the first layer; coordinates stay in float32."""

    def __init__(self, template):
        super().__init__()
        self.cnn.__class__ = ops_plain.Cnn
        self.cnn.to(memory_format=torch.channels_last)
        for block in (self.drb1, self.drb2):
            block.hidden = lambda x, support, block=block: self.hidden(x, block, support)

    def hidden(self, x, block, support):
        meshes_points, hypotheses, _ = x.shape
        support = support.to(torch.bfloat16).expand(meshes_points, hypotheses, hypotheses)

        def layer(x, number, added=None):
            of = getattr(block, f"local_conv{number}")
            h = (x @ joined(of).to(x.dtype)).to(torch.bfloat16)
            own, spread = h[..., :network.HIDDEN] + of.bias.to(h.dtype), h[..., network.HIDDEN:]
            out = F.relu(torch.baddbmm(own, support, spread))
            return out if added is None else out + added

        first = layer(x, 1)
        third = layer(layer(first, 2), 3, first)
        return layer(layer(third, 4), 5, third)

    def features(self, points, maps, reference, cameras, template):
        around = (points[:, :, None] + template.hypotheses).flatten(1, 2)
        pooled = Pool.apply(around, *network.project(around.detach(), reference, cameras), *maps)
        return pooled.view(-1, len(template.hypotheses), pooled.shape[1])


def nearest(queries, targets):
    """queries [M, N, 3], targets [M, K, 3 or more] -> index [M, N], squared distance [M, N]."""
    queries, targets = queries.detach().contiguous(), targets.detach()[..., :3].contiguous()
    (meshes, count), others = queries.shape[:2], targets.shape[1]
    index = torch.empty(meshes, count, dtype=torch.int64, device=queries.device)
    distance = torch.empty(meshes, count, device=queries.device)
    launch("nearest", 0, queries, targets, index, distance, count, others, block=128, grid=(-(-count // 256), meshes))
    return index, distance
