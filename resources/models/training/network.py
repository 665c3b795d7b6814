"""The three-view network in plain PyTorch: the reference implementation for all faster paths.

Shapes: O objects with V views each, R meshes of each object (one for each view that is used as the
reference view), M = O * R meshes, N vertices. A camera is a row of 15: three axes (x right, y up, z away
from the object), its centre in the world, focal length and principal point (column, row) in pixels of a
224 image. A reference is a row of 12: axes and origin of a mesh's coordinates. For published intrinsics it
is the camera; for other lenses (METHOD.md, 2) its origin is a point on the optical axis. Parameters have
their names in the model file.
"""
import math
import pickle

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

CONVOLUTIONS = [(3, 16, 3, 1), (16, 16, 3, 1), (16, 32, 3, 2), (32, 32, 3, 1), (32, 32, 3, 1),
                (32, 64, 3, 2), (64, 64, 3, 1), (64, 64, 3, 1), (64, 128, 3, 2), (128, 128, 3, 1),
                (128, 128, 3, 1), (128, 256, 5, 2), (256, 256, 3, 1), (256, 256, 3, 1),
                (256, 512, 5, 2), (512, 512, 3, 1), (512, 512, 3, 1), (512, 512, 3, 1)]
MAPS_AFTER = (2, 5, 8, 11, 14, 18)  # 16@224, 32@112, 64@56, 128@28, 256@14, 512@7
HIDDEN = 192


class Cnn(nn.Module):
    def __init__(self, last=18):
        super().__init__()
        self.last = last
        for i, (inputs, outputs, size, stride) in enumerate(CONVOLUTIONS[:last], 1):
            padding = size // 2 if stride == 1 else 0
            setattr(self, f"conv{i}", nn.Conv2d(inputs, outputs, size, stride, padding))

    def forward(self, x):
        maps = []
        for i in range(1, self.last + 1):
            layer = getattr(self, f"conv{i}")
            if layer.stride[0] == 2:  # padding as TensorFlow's SAME
                x = F.pad(x, (0, 1, 0, 1) if layer.kernel_size[0] == 3 else (1, 2, 1, 2))
            x = F.relu(layer(x))
            if i in MAPS_AFTER:
                maps.append(x)
        return maps


def keep_first(cnn, count):
    """Freezes the first `count` convolutions. They see the whole picture, mostly background, so a change of their weights
    shifts all features of all objects, and their gradients have no bound."""
    for i in range(1, min(count, cnn.last) + 1):
        getattr(cnn, f"conv{i}").requires_grad_(False)


def published_camera(row):
    """Converts rows [..., 5] of rendering_metadata.txt (azimuth, elevation, -, distance, -) to cameras [..., 15]."""
    theta, phi, distance = row[..., 0] * math.pi / 180, row[..., 1] * math.pi / 180, row[..., 3]
    y, lens = distance * torch.sin(phi), distance * torch.cos(phi)
    back = torch.stack([lens * torch.cos(theta), y, lens * torch.sin(theta)], -1)
    up = torch.stack([-y * torch.cos(theta), lens, -y * torch.sin(theta)], -1)
    axes = [F.normalize(a, dim=-1) for a in (torch.linalg.cross(up, back), up, back)]
    lens = [torch.full_like(distance, value) for value in (248., 112., 112.)]
    return torch.cat([*axes, back, torch.stack(lens, -1)], -1)


def project(points, reference, cameras):
    """Projects points [M, N, 3], reference [M, 12], into cameras [M, V, 15] -> rows, columns [M, V, N] of a 224 image."""
    world = points @ reference[:, :9].unflatten(-1, (3, 3)) + reference[:, None, 9:]
    axes, centre, lens = cameras[..., :9].unflatten(-1, (3, 3)), cameras[..., None, 9:12], cameras[..., None, 12:]
    q = (world[:, None] - centre) @ axes.transpose(-1, -2)
    return ((lens[..., 0] * q[..., 1] / q[..., 2] + lens[..., 2]).clamp(0, 223),
            (-lens[..., 0] * q[..., 0] / q[..., 2] + lens[..., 1]).clamp(0, 223))


def bilinear(maps, x, y):
    """The published sampler: maps [K, C, S, S], rows x and columns y [K, n] -> [K, n, C].

    At an integer coordinate, and therefore at every clamped one, floor = ceil and the result is 0.
    """
    size = maps.shape[-1]
    x, y = x.clamp(0, size - 1), y.clamp(0, size - 1)
    x1, x2, y1, y2 = x.floor(), x.ceil(), y.floor(), y.ceil()
    flat = maps.permute(0, 2, 3, 1).reshape(-1, maps.shape[1])
    first = torch.arange(maps.shape[0], device=maps.device)[:, None] * size * size
    at = lambda a, b: flat[first + a.long() * size + b.long()]
    part = lambda a, b: (a * b)[..., None].to(maps.dtype)
    return (at(x1, y1) * part(x2 - x, y2 - y) + at(x2, y1) * part(x - x1, y2 - y)
            + at(x1, y2) * part(x2 - x, y - y1) + at(x2, y2) * part(x - x1, y - y1))


def nearest_first(maps, x, y, views):
    """The published sampler of stage 1: coordinates are truncated, and every view reads the reference view's maps."""
    size = maps.shape[-1]
    flat = maps.permute(0, 2, 3, 1).reshape(-1, maps.shape[1])
    first = torch.arange(maps.shape[0], device=maps.device)[:, None] // views * views * size * size
    return flat[first + x.long().clamp(0, size - 1) * size + y.long().clamp(0, size - 1)]


def pool_features(points, maps, reference, cameras, sampler="bilinear-each"):
    """Pools features: points [M, N, 3] -> [M, N, 3 + 3C], the point, then maximum, mean and deviation over the views."""
    (meshes, count), views = points.shape[:2], cameras.shape[1]
    rows, columns = project(points.detach(), reference, cameras)
    sampled = []
    for m in maps:  # [O * V, C, S, S]
        m = m.unflatten(0, (-1, views)).repeat_interleave(meshes * views // m.shape[0], 0).flatten(0, 1)
        scale = 224 / m.shape[-1]
        x, y = (rows / scale).reshape(-1, count), (columns / scale).reshape(-1, count)
        sampled.append(bilinear(m, x, y) if sampler == "bilinear-each" else nearest_first(m, x, y, views))
    f = torch.cat(sampled, -1).float().view(meshes, views, count, -1)
    mean = f.mean(1, keepdim=True)
    deviation = ((f - mean) ** 2).mean(1).add(1e-6).sqrt()
    return torch.cat([points, f.max(1)[0], mean.squeeze(1), deviation], -1)


class Template(nn.Module):
    """The template's tables as buffers (METHOD.md, 10), from the path or the content of a template.dat."""

    def __init__(self, source):
        super().__init__()
        if isinstance(source, dict):
            data = source
        else:
            with open(source, "rb") as file:
                data = pickle.load(file)
        keep = lambda name, value: self.register_buffer(name, torch.as_tensor(value), persistent=False)
        keep("coord", np.float32(data["coord"]))
        for k in (1, 2, 3):
            index, value, (count, _) = data[f"stage{k}"][1]
            degree = np.bincount(index[:, 0], minlength=count).max()
            neighbour = np.tile(np.arange(count)[:, None], (1, degree))
            weight, used = np.zeros((count, degree), np.float32), np.zeros(count, int)
            for (row, column), v in zip(index, value):
                neighbour[row, used[row]], weight[row, used[row]] = column, v
                used[row] += 1
            keep(f"neighbour{k}", neighbour)
            keep(f"weight{k}", weight)
            keep(f"edge{k}", index[index[:, 0] != index[:, 1]])
            faces = data["faces_triangle"][k - 1].astype(np.int64)
            keep(f"face{k}", faces)
            keep(f"pair{k}", neighbouring_faces(faces))
            lape = data["lape_idx"][k - 1]
            keep(f"ring{k}", lape[:, :8])
            keep(f"valence{k}", np.float32(lape[:, 9:]))
        keep("pool1", data["pool_idx"][0].astype(np.int64))
        keep("pool2", data["pool_idx"][1].astype(np.int64))
        keep("sphere", self.unpool(self.unpool(self.coord[None], 1), 2)[0])
        keep("hypotheses", np.float32(data["sample_coord"]))
        keep("hypothesis_support", np.float32(data["sample_cheb_dense"][1]))

    def level(self, k):
        return getattr(self, f"neighbour{k}"), getattr(self, f"weight{k}")

    def unpool(self, x, k):
        ends = getattr(self, f"pool{k}")
        middle = x.index_select(1, ends[:, 0]) + x.index_select(1, ends[:, 1])
        return torch.cat([x, 0.5 * middle], 1)


def neighbouring_faces(faces):
    """Returns the pairs of faces that share an edge."""
    seen, pairs = {}, []
    for i, face in enumerate(faces.tolist()):
        for a, b in ((0, 1), (1, 2), (2, 0)):
            edge = (min(face[a], face[b]), max(face[a], face[b]))
            if edge in seen:
                pairs.append((seen[edge], i))
            else:
                seen[edge] = i
    return np.array(pairs)


class GraphConvolution(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weights = nn.ParameterList([nn.Parameter(torch.empty(inputs, outputs)) for _ in range(2)])
        self.bias = nn.Parameter(torch.zeros(outputs))
        for w in self.weights:
            nn.init.xavier_uniform_(w)

    def forward(self, x, neighbour, weight):
        h = x @ self.weights[1]
        spread = sum(h.index_select(1, neighbour[:, k]) * weight[:, k, None] for k in range(weight.shape[1]))
        return x @ self.weights[0] + spread + self.bias


@torch.no_grad()
def pass_coordinates(layers, scale=5.0, centre=(0.0, 0.0, -0.8), rest=0.05):
    """Initialises a block as the identity on coordinates: channels 0 to 5 carry relu(+-scale (x - centre)), which the last
    layer joins. Training then deforms the template without tangling it."""
    first, last, centre = layers[0], layers[-1], torch.tensor(centre)
    for layer in layers[:-1]:
        layer.weights[0][:, :6] = 0
        layer.weights[1][:, :6] = 0
    for k in range(3):
        first.weights[0][k, k], first.weights[0][k, k + 3] = scale, -scale
    first.bias[:3], first.bias[3:6] = -scale * centre, scale * centre
    for layer in layers[1:-1]:
        layer.weights[0][:6, :6] = torch.eye(6)
    last.weights[0].mul_(rest)
    last.weights[1].mul_(rest)
    last.weights[0][:6] = 0
    last.bias.copy_(centre)
    for k in range(3):
        last.weights[0][k, k], last.weights[0][k + 3, k] = 1 / scale, -1 / scale


class Stage1(nn.Module):
    """Images [O, V, 3, 224, 224] (BGR, 0 to 1), cameras [M, V, 15], reference [M, 12] -> vertices: level 1, unpooled
    level 1, level 2, unpooled level 2, level 3."""
    sampler = "bilinear-each"

    def __init__(self, features=2883):
        super().__init__()
        self.cnn = Cnn()
        block = lambda inputs, depth: nn.ModuleList(
            GraphConvolution(a, b) for a, b in zip([inputs] + [HIDDEN] * (depth - 1), [HIDDEN] * (depth - 1) + [3]))
        self.gcn1_layers = block(features, 14)
        self.gcn2_layers = block(features + HIDDEN, 14)
        self.gcn3_layers = block(features + HIDDEN, 15)
        for layers in (self.gcn1_layers, self.gcn2_layers, self.gcn3_layers):
            pass_coordinates(layers)

    def maps(self, images):
        return self.cnn(images.flatten(0, 1))[2:]

    def features(self, points, hidden, maps, reference, cameras, template, k):
        """Returns the input of block k. `hidden`: the last hidden features of block k - 1, before unpooling."""
        f = pool_features(points, maps, reference, cameras, self.sampler)
        return f if hidden is None else torch.cat([f, template.unpool(hidden, k - 1)], -1)

    def block(self, x, layers, neighbour, weight):
        a, before = F.relu(layers[0](x, neighbour, weight)), None
        for i, layer in enumerate(layers[1:-1], 1):
            h = F.relu(layer(a, neighbour, weight))
            a, before = (0.5 * (h + before) if i % 2 == 0 and i <= 12 else h), a
        return layers[-1](a, neighbour, weight), a

    def forward(self, images, cameras, reference, template):
        maps, out = self.maps(images), []
        points, hidden = template.coord.expand(len(cameras), -1, -1), None
        for k, layers in enumerate((self.gcn1_layers, self.gcn2_layers, self.gcn3_layers), 1):
            if k > 1:
                points = template.unpool(points, k - 1)
                out.append(points)
            x = self.features(points, hidden, maps, reference, cameras, template, k)
            points, hidden = self.block(x, layers, *template.level(k))
            out.append(points)
        return out


class LocalConvolution(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weights = nn.ParameterList([nn.Parameter(torch.empty(inputs, outputs)) for _ in range(2)])
        self.bias = nn.Parameter(torch.zeros(outputs))
        for w in self.weights:
            nn.init.xavier_uniform_(w)

    def forward(self, x, support):  # x [n, 43, inputs]
        return F.relu(x @ self.weights[0] + support @ (x @ self.weights[1]) + self.bias)


class Reasoning(nn.Module):
    """Six local graph convolutions over the 43 hypotheses of a vertex -> their weights [n, 43, 1]."""

    def __init__(self, inputs=339):
        super().__init__()
        widths = [inputs] + [HIDDEN] * 5 + [1]
        for k in range(6):
            setattr(self, f"local_conv{k + 1}", LocalConvolution(widths[k], widths[k + 1]))
        # A positive bias keeps the last ReLU from dying; softmax ignores the offset.
        self.local_conv6.bias.data.fill_(4.0)

    def hidden(self, x, support):
        x1 = self.local_conv1(x, support)
        x3 = self.local_conv3(self.local_conv2(x1, support), support) + x1
        return self.local_conv5(self.local_conv4(x3, support), support) + x3

    def forward(self, x, support):
        return torch.softmax(self.local_conv6(self.hidden(x, support).float(), support), 1)


def random_patch(template, count):
    """Returns the indices of the `count` vertices nearest on the sphere to a random vertex (global generator). A patch, not
    single vertices: these would learn to stay with their unmoved neighbours. None, meaning all vertices, if count is 0."""
    if not count:
        return None
    sphere = template.sphere
    centre = sphere[torch.randint(len(sphere), (1,), device=sphere.device)]
    return (sphere - centre).norm(dim=1).topk(count, largest=False).indices


class Stage2(nn.Module):
    """Coarse vertices [M, N, 3] -> the vertices after the first and after the second block. If a patch is given, both blocks
    move only its vertices."""

    def __init__(self):
        super().__init__()
        self.cnn = Cnn(8)
        self.drb1, self.drb2 = Reasoning(), Reasoning()

    def maps(self, images):
        return self.cnn(images.flatten(0, 1))

    def features(self, points, maps, reference, cameras, template):
        around = (points[:, :, None] + template.hypotheses).flatten(1, 2)
        f = pool_features(around, maps, reference, cameras)
        return f.view(-1, len(template.hypotheses), f.shape[-1])

    def move(self, points, block, maps, reference, cameras, template):
        x = self.features(points, maps, reference, cameras, template)
        score = block(x, template.hypothesis_support)
        return points + (score * template.hypotheses).sum(1).view_as(points)

    def forward(self, images, points, cameras, reference, template, patch=None):
        maps, out = self.maps(images), []
        moved = points if patch is None else points[:, patch]
        for block in (self.drb1, self.drb2):
            moved = self.move(moved, block, maps, reference, cameras, template)
            out.append(moved if patch is None else points.index_copy(1, patch, moved))
        return out
