"""`podium settle`: one round played from a script."""

from podium.play.script.playing import play
from podium.play.script.reading import MAX_SCRIPT_AMOUNT, Script, ScriptPlayer, read_script
from podium.play.script.results import result_dict, written_result

__all__ = ["MAX_SCRIPT_AMOUNT", "Script", "ScriptPlayer", "play", "read_script", "result_dict", "settle"]


def settle(text: bytes | str) -> bytes:
    """Plays a script in JSON; returns its result in JSON."""
    script = read_script(text)
    return written_result(play(script), script.players)
