"""A stage's arrays as npz files: read, and written in the precision that the model file stores."""
import numpy as np
import torch


def load_arrays(module, path):
    arrays = np.load(path)
    module.load_state_dict({k: torch.tensor(np.float32(arrays[k])) for k in arrays.files})


def stored(weight):
    """In float16. What weighs colours and features is rounded to bfloat16's eight bits, for the sake of the
    packed model's size; what carries coordinates from layer to layer is not, as its errors add up."""
    weight = weight.detach().half().cpu()
    if weight.ndim == 4:
        weight = weight.bfloat16().half()
    elif len(weight) > 2880:  # rows: coordinates, features, and from block 2 on hidden features
        weight[3:2883] = weight[3:2883].bfloat16()
    return weight.numpy()


def write_arrays(module, path):
    """The stage's arrays under the model file's names."""
    part = path.with_name(path.stem + ".part.npz")
    np.savez(part, **{k: stored(v) for k, v in module.state_dict().items()})
    part.replace(path)
