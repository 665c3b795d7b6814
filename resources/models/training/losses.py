"""Losses of meshes. `nearest` finds indices and squared distances (ops_*.py)."""
import torch
import torch.nn.functional as F


def pick(x, index):
    """x [M, N, C] at index [M, n] -> [M, n, C]."""
    return x.gather(1, index[..., None].expand(-1, -1, x.shape[-1]))


def corners(points, faces):
    return [points.index_select(1, faces[:, k]) for k in range(3)]


def points_on_faces(points, faces, count):
    """Samples `count` points uniformly on the faces, with the global generator."""
    a, b, c = corners(points, faces)
    area = torch.linalg.cross(b - a, c - a).norm(dim=-1).detach() + 1e-12
    up_to = area.cumsum(1)
    where = torch.rand(len(points), count, device=points.device) * up_to[:, -1:]
    face = torch.searchsorted(up_to, where).clamp(max=len(faces) - 1)
    u = torch.rand(len(points), count, 1, device=points.device).sqrt()
    v = torch.rand(len(points), count, 1, device=points.device)
    return (1 - u) * pick(a, face) + u * (1 - v) * pick(b, face) + u * v * pick(c, face)


def spread(d2, settings):
    """Weighted sum of three means: of the squared distance, which attracts far points; of the distance; and of a fraction
    that rises from 0 to 1 around the F-score's threshold. Of several equally likely positions the fraction chooses one,
    while the other two prefer their mean or median, which may be near none of them."""
    near = d2 / (d2 + 2e-4)
    return 3000 * d2.mean() + settings.robust * (d2 + 1e-5).sqrt().mean() + settings.near * near.mean()


def mesh_loss(points, truth, template, k, nearest, edge_weight, samples, settings):
    """Loss of distances in both directions, of edge lengths, and of edges that are not perpendicular to the truth's
    normals; truth [M, P, 6]."""
    edge = getattr(template, f"edge{k}")
    along = points.index_select(1, edge[:, 0]) - points.index_select(1, edge[:, 1])
    surface = torch.cat([points, points_on_faces(points, getattr(template, f"face{k}"), samples)], 1)
    target = truth[..., :3].contiguous()
    to_surface, to_truth = nearest(target, surface)[0], nearest(surface, target)[0]
    recall = ((target - pick(surface, to_surface)) ** 2).sum(-1)
    precision = ((surface - pick(target, to_truth)) ** 2).sum(-1)
    normal = pick(truth[..., 3:], to_truth[:, :points.shape[1]]).index_select(1, edge[:, 0])
    direction = along * torch.rsqrt((along ** 2).sum(-1, keepdim=True) + 1e-6)  # bounds the gradients of short edges
    across = (normal * direction).sum(-1).abs().mean()
    value = spread(recall, settings) + 0.55 * spread(precision, settings)
    if k == 3:  # the measures use only vertices, so these must be distributed evenly, too
        to_vertex = nearest(target, points)[0]
        value = 0.5 * (value + spread(((target - pick(points, to_vertex)) ** 2).sum(-1), settings)
                       + 0.55 * spread(precision[:, :points.shape[1]], settings))
    return (value + edge_weight * (along ** 2).sum(-1).mean() + 0.5 * across,
            recall.mean().detach() + precision.mean().detach())


def laplacian(points, template, k):
    ring = getattr(template, f"ring{k}")
    padded = F.pad(points, (0, 0, 0, 1))
    total = sum(padded.index_select(1, ring[:, j]) for j in range(8))
    return points - total / getattr(template, f"valence{k}")


def inside(template, patch):
    """Returns weights of the finest level: 1 for vertices whose neighbours are all in the patch, and for pairs of faces
    whose corners are all in it, otherwise 0; (1, 1) if the patch is None. Vertices around the patch do not move, so creases
    along its border must not count."""
    if patch is None:
        return 1, 1
    taken = torch.zeros(len(template.ring3) + 1, dtype=torch.bool, device=patch.device)
    taken[patch], taken[-1] = True, True  # the last entry stands for missing neighbours
    faces = taken[template.face3].all(1)
    vertices = taken[:-1] & taken[template.ring3].all(1)
    return vertices.float(), faces[template.pair3].all(1).float()


def shape_change(before, after, template, k, move_weight, vertices=1):
    """Penalises changes of the Laplacian (crumpling) more than displacements. `vertices`: weights of the Laplacian term."""
    change = ((laplacian(before, template, k) - laplacian(after, template, k)) ** 2).sum(-1)
    bend = (change * vertices).mean()
    return 1500 * bend + move_weight * ((before - after) ** 2).sum(-1).mean()


def crease(points, template, k, least=1e-9, pairs=1):
    """Mean of 1 - cos between neighbouring faces' normals, weighted by `pairs`. Without this loss the surface is crumpled
    although its points are right. `least` shortens the normals of faces whose area is near its square root: gradients of
    smaller faces would have no bound."""
    a, b, c = corners(points, getattr(template, f"face{k}"))
    n = torch.linalg.cross(b - a, c - a)
    n = n * torch.rsqrt((n * n).sum(-1, keepdim=True) + least)
    pair = getattr(template, f"pair{k}")
    return (pairs * (1 - (n.index_select(1, pair[:, 0]) * n.index_select(1, pair[:, 1])).sum(-1))).mean()


def stage1_loss(levels, truth, template, nearest, settings):
    """Returns the loss of Stage1's result `levels`, and the Chamfer distance of the coarse mesh."""
    one, up1, two, up2, three = levels
    total = 0
    for k, points, share, samples in ((1, one, .3, 600), (2, two, .5, 600), (3, three, 1, 1000)):
        value, distance = mesh_loss(points, truth, template, k, nearest, 350, samples, settings)
        total = total + value + share * settings.crease * crease(points, template, k)
    start = template.coord.expand_as(one)
    return (total + 0.1 * shape_change(start, one, template, 1, 0)
            + shape_change(up1, two, template, 2, 50) + shape_change(up2, three, template, 3, 50)), distance


def stage2_loss(coarse, first, second, truth, template, nearest, settings, patch=None):
    """Returns the loss of Stage2's results `first` and `second`, in which only `patch` moved, and the Chamfer distance of
    `second`."""
    total, (vertices, pairs) = 0, inside(template, patch)
    for before, after in ((coarse, first), (first, second)):
        value, distance = mesh_loss(after, truth, template, 3, nearest, 500, 2000, settings)
        total = (total + value + shape_change(before, after, template, 3, 100, vertices)
                 + settings.crease * crease(after, template, 3, pairs=pairs))
    return total, distance


@torch.no_grad()
def measures(points, truth, template, nearest):
    """Returns for each mesh: Chamfer distance, F(tau) and F(2 tau) in %, mean of 1 - cos between neighbouring faces."""
    target = truth[..., :3].contiguous()
    precision, recall = nearest(points, target)[1], nearest(target, points)[1]
    share = lambda d, t: 100 * (d <= t).float().mean(1)
    f = lambda t: 2 * share(precision, t) * share(recall, t) / (share(precision, t) + share(recall, t) + 1e-6)
    bent = torch.stack([crease(p[None], template, 3, 1e-18) for p in points])
    return torch.stack([precision.mean(1) + recall.mean(1), f(1e-4), f(2e-4), bent], 1)
