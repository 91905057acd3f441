"""`panelist run`: every configured platform, and the terminal room where somebody sits there or nothing is set up."""

import asyncio
import signal
import sys

import click

from bot.cli.live import Command
from bot.cli.logs import logs_to_stderr
from bot.cli.room import Room
from bot.wiring import House, configured, house, surfaces


@click.command("run")
@click.option("--catalog", metavar="DIR", help="A folder with personas.")
@click.option("--model", metavar="M", help="The default model.")
@click.pass_context
def run(ctx: click.Context, /, catalog: str | None, model: str | None) -> int:
    """Serve every configured platform, and open the room in this terminal."""
    or_rehearsal = bool((ctx.obj or {}).get("or_rehearsal"))
    return asyncio.run(_run(Command(catalog=catalog, model=model, or_rehearsal=or_rehearsal)))


async def _run(command: Command) -> int:
    settings = command.settings()
    served = configured(settings)
    with_room = not served or (sys.stdin.isatty() and sys.stdout.isatty())
    if served:
        logs_to_stderr()
    async with house(
        settings,
        view=command.view(),
        strict=False,
        drives=True,
        surfaces=lambda shelf, clock: surfaces(settings, shelf, clock),
    ) as it:
        if not served:
            await Room(it).run()
            return 0
        click.echo(f"Serving {' and '.join(served)}. Ctrl-C ends it; what runs goes on at the next start.", err=True)
        await _serve(it, with_room=with_room)
    return 0


async def _serve(it: House, *, with_room: bool) -> None:
    """Serve until somebody ends it, or a platform says that it never can be served."""
    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, over.set)
    try:
        async with asyncio.TaskGroup() as tasks:
            await it.watch.arrive()
            running = [tasks.create_task(it.watch.patrol(), name="watch")]
            running += [tasks.create_task(_as_task(it, name), name=name) for name in it.surfaces.serving]
            ending = tasks.create_task(Room(it).run() if with_room else over.wait(), name="end")
            await asyncio.wait({ending, *running}, return_when=asyncio.FIRST_COMPLETED)
            for task in (ending, *running):
                task.cancel()
    except BaseExceptionGroup as faults:
        raise faults.exceptions[0] from faults


async def _as_task(it: House, name: str) -> None:
    await it.surfaces.serving[name](it)
