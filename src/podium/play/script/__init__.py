"""`podium settle`: one round played from a script."""

from podium.play.script.playing import play
from podium.play.script.reading import MOST, Script, ScriptPlayer, read_script
from podium.play.script.telling import result_dict, written_result

__all__ = ["MOST", "Script", "ScriptPlayer", "play", "read_script", "result_dict", "settle"]


def settle(text: bytes | str) -> bytes:
    """Plays a script in JSON; returns its result in JSON."""
    return written_result(play(read_script(text)))
