"""In-process rollouts on one core: `python -m` this with an image, a folder and a duration; one per core makes the
figure.
"""

import json
import sys
from pathlib import Path

from world.bench.worlds import episodes_per_s
from world.run.host import open_host


def _main(image: Path, folder: Path, seconds: float) -> None:
    host = open_host(image, folder / "worlds")
    try:
        print(json.dumps({"episodes_per_s": episodes_per_s(host, seconds)}))
    finally:
        host.store.close()


if __name__ == "__main__":
    _main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]))
