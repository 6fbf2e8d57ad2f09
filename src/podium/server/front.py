"""`podium gateway`: terminals and browsers connect here, and the house is at the other end of a bus."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from podium.server.bus.gateway_end import GatewayEnd
from podium.server.bus.nats import BusAddress, join
from podium.server.log import log_libraries
from podium.server.serve import Address, allow_files, stop_signal, unless
from podium.server.tls import Certificate


async def serve_gateway(address: Address, bus: BusAddress, said: Callable[[GatewayEnd], None]) -> None:
    """Serves until it is told to stop. While there is no house, or no bus, terminals wait."""
    log_libraries()
    allow_files()
    stop = stop_signal()
    certificate = Certificate(address.tls) if address.tls is not None else None
    address.check_free()
    joined = await unless(stop, join(bus))
    if joined is None:
        return
    end = GatewayEnd(joined, bus.name, address.named, certificate)
    await end.listen(address.host, address.port)
    said(end)
    running = [asyncio.create_task(end.run()), asyncio.create_task(stop.wait())]
    if certificate is not None:
        running.append(asyncio.create_task(certificate.watch(_no_note)))
    try:
        done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in running:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await end.close()


async def _no_note(kind: str, reason: str) -> None:
    """No-op: a gateway has no journal; its log has the line."""
