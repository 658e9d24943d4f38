"""PyTorch's scalars on the CPU, timed by the Python that has them; else nothing.

That is this one, or the one that `make torch` sets up.

python -m engine_py.bench.torch_scalars prints seconds for each workload, as JSON.
"""

import json
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from engine_py.bench.measure import interleaved
from engine_py.bench.workloads import Build, Kit, five_nodes, mlp_loss, tanh_neuron

TORCH = "PyTorch scalars"
PYTHON = Path(".venv-torch/bin/python")


@cache
def torch_times() -> dict[str, float]:
    """Seconds of each workload; nothing where PyTorch is not installed."""
    python = Path(sys.executable) if find_spec("torch") else PYTHON
    if not python.exists():
        print(f"{TORCH}: not timed, {PYTHON} is not there (`make torch` installs it)")
        return {}
    command = [str(python), "-m", "engine_py.bench.torch_scalars"]
    told = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    times: dict[str, float] = json.loads(told.stdout)
    return times


def main() -> int:
    """Print the times."""
    import torch  # noqa: PLC0415 - of another environment

    kit = Kit(
        lambda _, data: torch.tensor(data, dtype=torch.float64, requires_grad=True),
        torch.relu,
        torch.tanh,
    )
    torch.set_num_threads(1)
    builds: dict[str, Build] = {
        "W1 (a + b) * c": five_nodes,
        "W2 tanh neuron": tanh_neuron,
        "W3 MLP loss": mlp_loss,
    }
    steps = {name: lambda build=build: build(kit).backward() for name, build in builds.items()}
    print(json.dumps(interleaved(steps, 5)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
