"""The limits of the server on terminals, requests and sessions, and what happens when they are reached.

Everything that a stranger can make grow is listed here (SEC-8). docs/limits.md is written from this module by `make docs`.
"""

from typing import Final

# --- terminals ----------------------------------------------------------------------------------------------------------

MAX_OPEN_SOCKETS: Final = 19_000
"""Terminals connected at the same time. At the limit: a newcomer is told that the house is full, and disconnected."""
MAX_SOCKETS_AT_GATEWAYS: Final = 50_000
"""Terminals connected at the same time at gateways in processes of their own. At the limit: the same."""
MAX_SOCKETS_PER_PERSON: Final = 20
"""Terminals at which one person is connected; walls do not count. At the limit: the one that connected first is disconnected."""
MAX_MESSAGE_BYTES: Final = 16_384
"""Length of one message from a terminal. At the limit: the terminal is disconnected."""
MAX_MESSAGES_PER_SECOND: Final = 50
"""Messages from one terminal, on average. At the limit: the terminal is disconnected."""
MAX_MESSAGES_AT_ONCE: Final = 100
"""Messages from one terminal in a burst. At the limit: the terminal is disconnected."""
MAX_SILENT_SECONDS: Final = 40
"""Time without a message from a terminal; it is pinged after half of it. At the limit: the terminal is disconnected."""
MAX_UNSENT_BYTES_PER_SOCKET: Final = 1_048_576
"""Bytes that wait to be sent to one terminal that does not read. At the limit: the terminal is disconnected."""
MAX_UNSENT_BYTES: Final = 268_435_456
"""Bytes that wait to be sent to all terminals together. At the limit: the terminal that is furthest behind is disconnected."""
MAX_WAITING_COMMANDS_PER_TERMINAL: Final = 32
"""Commands of one terminal that are not answered yet. At the limit: a further command is refused, and may be sent again later."""
MAX_WAITING_COMMANDS_PER_TABLE: Final = 50_000
"""Commands that wait for the turn of one table. At the limit: a further command is refused, and may be sent again later."""
MAX_SEATS_ON_MAP: Final = 60
"""Seats on the map of a table that its dealer is shown. At the limit: the seats with the highest numbers are left out and counted, and what Confirm will pay to all is not worked out beforehand."""
MAX_REMEMBERED_ANSWERS_PER_TERMINAL: Final = 16
"""Answers kept for a terminal that may not have received them. At the limit: the oldest answer is forgotten; the command, sent again, is judged by the state of the table."""
MAX_KNOWN_TOKENS: Final = 40_000
"""Tokens of terminals and requests whose keys are in memory. At the limit: the one that was shown least recently is hashed again when it is shown."""
MAX_ANSWER_BYTES: Final = 1_024
"""Length of an answer as it is sent and kept. At the limit: the sentence of a refusal is cut."""
MAX_TERMINAL_KEY_CHARS: Final = 64
"""Length of the key that identifies a terminal when it reconnects. At the limit: the terminal is served, but not recognized again."""
MAX_AWAY_TERMINALS: Final = 20_000
"""Terminals that have disconnected and may come back for their answers. At the limit: the one that connected first is forgotten."""
MAX_NOTED_FAULTS: Final = 10_000
"""People with a disconnection that was noted within the last minute. At the limit: the oldest is forgotten, and may be noted again."""

# --- people at the doors ------------------------------------------------------------------------------------------------

MAX_SESSIONS_PER_PERSON: Final = 20
"""Sessions in which one person is signed in. At the limit: the oldest session ends."""
MAX_NAMELESS_SESSIONS: Final = 50_000
"""Sessions of guests and of holders of tickets. At the limit: guests who have done nothing for an hour give way; if there are none, a newcomer is refused."""
MIN_IDLE_MS_OF_A_GUEST_WHO_GIVES_WAY: Final = 3_600_000
"""Milliseconds after which a guest who has done nothing gives way to another. At the limit: the session may end when the house is full of guests."""
MIN_IDLE_MS_OF_A_NEW_GUEST: Final = 60_000
"""The same for a guest who has done nothing at all since coming in. At the limit: as above."""
MAX_FORGOTTEN_GUESTS_AT_ONCE: Final = 100
"""Guests who give way together, those who have been idle longest. At the limit: the others stay."""
MAX_SWEPT_AT_ONCE: Final = 2_000
"""Sessions and players that one look around the house goes through, to forget those that are over. At the limit: the next look goes on from there."""
MAX_LET_GO_AT_ONCE: Final = 50
"""Sessions and players that the house forgets before the tables have their turn again. At the limit: the others follow one write later."""
MAX_WAITING_PASSWORDS: Final = 20
"""Passwords that wait to be checked, two at a time. Enrolled terminals and all others have a queue of this length each. At the limit: a further try to sign in is refused at once, does not count, and may be made again."""
MAX_WAITING_PASSWORDS_PER_ADDRESS: Final = 5
"""Passwords from one address that wait to be checked, unless it is an enrolled terminal's. At the limit: a further try to sign in is refused at once, does not count, and may be made again."""
MAX_FAILURES_PER_MINUTE: Final = 30
"""Failed and unanswered sign-ins allowed per address per minute; tries to redeem a ticket are counted apart. At the limit: further tries are refused for a minute."""
MAX_WATCHED_ADDRESSES: Final = 10_000
"""Addresses whose failed tries, and whose guests, are counted. At the limit: the one that was seen least recently is forgotten."""
MAX_WATCHED_NAMES: Final = 10_000
"""Names, each at one enrolled terminal, whose wrong passwords are counted besides those of accounts. At the limit: the one that failed least recently is forgotten."""

MAX_PASSKEYS_PER_PERSON: Final = 10
"""Passkeys of one person. At the limit: a further one is refused until one is removed."""
MAX_PASSKEY_NAME_CHARS: Final = 60
"""Length of the name of a passkey. At the limit: the passkey is refused."""
MAX_CHALLENGES: Final = 1_000
"""Challenges for passkeys that are not answered yet. At the limit: the oldest is forgotten, and the person begins again."""
MAX_PENDING_APPROVALS: Final = 200
"""Acts that wait for a second person's approval. At the limit: the one that was asked for first is forgotten, and may be asked for again."""
MAX_PENDING_APPROVALS_PER_PERSON: Final = 10
"""The same that one person asked for. At the limit: the same."""

MAX_PROOFS_PER_CHALLENGE: Final = 100_000
"""Proofs of known terminals with one challenge; each is taken once. At the limit: the house gives another challenge."""
MAX_KNOWN_TERMINAL_KEYS: Final = 10_000
"""Keys of known terminals that are in memory ready for use. At the limit: the one used least recently is read again when it is needed."""

# --- browsers -----------------------------------------------------------------------------------------------------------

MAX_CONNECTIONS_PER_ADDRESS: Final = 5_000
"""Connections of browsers and terminals together from one address that is not a proxy's; `connections_per_address` in the configuration sets another limit. At the limit: one that has not asked for anything gives way; if there is none, the further one gets 503 and is closed."""
MAX_HTTP_CONNECTIONS: Final = 4_000
"""Connections of browsers, for pages and requests, and those that have not asked for anything yet; each asks one thing at a time. At the limit: the oldest that has not asked for anything gives way; if there is none, a further one gets 503 and is closed."""
MAX_HTTP_CONNECTIONS_PER_ADDRESS: Final = 1_000
"""The same from one address that is not a proxy's. At the limit: as above."""
MAX_REQUEST_HEAD_SECONDS: Final = 10
"""Time in which a new connection must have sent the whole head of its first request, the handshake of TLS included. At the limit: it is closed."""
MAX_REQUEST_HEAD_BYTES: Final = 16_384
"""Length of the head of a request. At the limit: the request is refused with 431, and the connection closed."""
MAX_IDLE_HTTP_SECONDS: Final = 15
"""Time after an answer in which the head of the next request on the same connection must have come. At the limit: it is closed."""
MAX_REQUEST_BODY_SECONDS: Final = 10
"""Time in which the body of a request must have come. At the limit: the request is refused with 408, and the connection closed."""
MAX_LINGERING_SECONDS: Final = 2
"""Time in which the rest of a body is read and dropped after its request was refused, so that the browser can read why. At the limit: the connection is closed."""
MAX_STALLED_SECONDS: Final = 30
"""Time in which a browser takes nothing of an answer that waits for it. At the limit: the connection is closed."""
MAX_REQUEST_BYTES: Final = 65_536
"""Length of one request's body. At the limit: the request is refused with 413, and not read."""
MAX_WAITING_READS: Final = 100
"""Requests that wait for one clerk to read the record (recall, events and reports of the staff; rounds and proofs of everybody else). At the limit: a further one is refused with 429, and may be made again."""
MAX_WAITING_READS_OF_STRANGERS: Final = 20
"""The same for proofs and checkpoints, which anybody may ask for. At the limit: the same."""
MAX_WAITING_READS_OF_GUESTS: Final = 40
"""The same for the rounds of guests, who come in without an account. At the limit: the same."""
MAX_WAITING_READS_PER_PERSON: Final = 4
"""The same of one person, or where nobody is signed in of one address. At the limit: a further one is refused with 429, and may be made again."""
MAX_READ_SECONDS: Final = 60
"""Time in which an answer from the record must have come. At the limit: the request is refused with 503 and may be made again; the clerk goes on reading, and the next answer comes sooner."""
MAX_ANSWER_BYTES_IN_MEMORY: Final = 1_048_576
"""Length of an answer from the record that is held in memory. At the limit: the rest of it goes to a temporary file until it is sent."""
MAX_ANSWER_BYTES_ON_DISK: Final = 268_435_456
"""Length of an answer from the record. At the limit: it is refused, and a shorter interval must be asked for."""
MAX_KNOWN_PROOFS: Final = 32
"""Proofs of shoes in memory, so that a flood of questions for one reads the journal once. At the limit: the one that was asked for least recently is read from the journal again."""
MAX_BACKUPS: Final = 100
"""Backups made over HTTP that are stored beside the book. At the limit: a further one is refused until some are moved elsewhere."""
MAX_SLIPS_PER_LOOK: Final = 100
"""Slips of other programs that one check of the house notes. At the limit: the next check notes the others."""
MIN_SECONDS_BETWEEN_CHECKPOINTS: Final = 3
"""Time between two checkpoints of a stream. At the limit: what was added meanwhile is signed with the next one; no acknowledgement waits for it."""

# --- the mathematics ----------------------------------------------------------------------------------------------------

MAX_KNOWN_RULES: Final = 500
"""Configurations whose returns are in memory. At the limit: the one that was asked for least recently is forgotten, and worked out again when it is asked for."""
MAX_WAITING_RULES: Final = 50
"""Configurations that wait to be worked out. At the limit: a further one is not worked out now, and may be requested again."""
MAX_KNOWN_POSITIONS: Final = 4_096
"""Positions whose advice is in memory. At the limit: the one that was asked for least recently is forgotten, and worked out again when it is asked for."""
MAX_WAITING_POSITIONS: Final = 32
"""Positions that wait to be worked out for the coach, some milliseconds each. At the limit: advice is refused."""
MAX_WAITING_FOR_ADVICE: Final = 20_000
"""Questions of players that wait for the coach. At the limit: advice is refused."""
