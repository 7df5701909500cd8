"""`make demo`: the three pipelines on the best device here, with progress, tables, and a picture each in out/."""

import sys

import image_pipeline
import radar_pipeline
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

import gpusci


def main():
    console = Console()
    device = gpusci.current_device()
    from gpusci.core import cuda

    console.print(f"gpusci {gpusci.__version__} on {device.name}" + (f" ({cuda.why_not()})" if device.kind == "host" else ""))
    ok = True
    with Progress(SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), console=console) as progress:
        for pipeline in (radar_pipeline, image_pipeline):
            task = progress.add_task(pipeline.__name__, total=None)
            ok &= bool(pipeline.main(lambda text, task=task: progress.update(task, description=text)))
            progress.update(task, total=1, completed=1)
    console.print("pictures: out/radar.png, out/weather.png, out/galaxies.png")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
