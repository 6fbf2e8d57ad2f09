// A terminal for Podium in Node 22 or newer, without any package. It comes in as a guest, bets the smallest amount in every round and
// stands, and prints what each round paid. What it does is described in ../protocol.md.
//
//   node terminal.mjs [ADDRESS] [TABLE] [ROUNDS]        as in: node terminal.mjs http://localhost:8000 blackjack-1 3

const [address = "http://localhost:8000", table = "blackjack-1", rounds = "3"] = process.argv.slice(2);

// The way in: a cookie over HTTP.
async function comeIn() {
  for (;;) {
    const answer = await fetch(`${address}/api/guest`, { method: "POST" });
    if (answer.ok) return answer.headers.get("set-cookie").split(";")[0];
    const { reason } = await answer.json();
    if (answer.status !== 429) throw new Error(reason);
    await pause(1000 * Number(answer.headers.get("retry-after") ?? 5));
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const COME_BACK = [1001, 1006, 1011, 1013];

class Terminal {
  #cookie;
  #url = `${address.replace("http", "ws")}/ws?tab=${crypto.randomUUID().replaceAll("-", "")}`;
  #socket;
  #lastId = 0;
  #asked = new Map(); // commands that are not answered yet, by id
  #farewell = "";
  #wait = 0;
  rules;
  shown; // the newest `table`
  seat; // the newest `seat`

  constructor(cookie, changed, ended) {
    this.#cookie = cookie;
    this.changed = changed;
    this.ended = ended;
    this.#connect();
  }

  #connect() {
    this.#socket = new WebSocket(this.#url, { headers: { Cookie: this.#cookie } });
    this.#socket.onmessage = ({ data }) => this.#heard(JSON.parse(data));
    this.#socket.onerror = () => {};
    this.#socket.onclose = ({ code }) => {
      if (!COME_BACK.includes(code)) return this.ended(this.#farewell || `The house closed the line (${code}).`);
      this.#wait = Math.min(5000, 2 * this.#wait + 100);
      setTimeout(() => this.#connect(), Math.random() * this.#wait);
    };
  }

  // Sends a command; resolves when its consequence is durable, rejects with the reason where it is refused.
  ask(command) {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { command: { ...command, id }, resolve, reject });
      this.#send({ ...command, id });
    });
  }

  #send(command) {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(command));
  }

  // First the table, then what was not answered before, under the same ids.
  #watch() {
    const unanswered = [...this.#asked.keys()];
    this.ask({ do: "watch", table }).catch((refusal) => this.ended(refusal.message));
    for (const id of unanswered) this.#again(id);
  }

  #again(id) {
    const asked = this.#asked.get(id);
    if (asked) this.#send(asked.command);
  }

  #heard(message) {
    switch (message.is) {
      case "welcome":
        this.#wait = 0;
        this.shown = this.seat = undefined; // a house that was restarted counts its states from the beginning
        this.#watch();
        break;
      case "acknowledged":
        this.#asked.get(message.id)?.resolve(message);
        this.#asked.delete(message.id);
        break;
      case "refused":
        if (message.later) {
          // A temporary reason: the same command again, under the same id.
          setTimeout(() => this.#again(message.id), 200 + Math.random() * 800);
          break;
        }
        this.#asked.get(message.id)?.reject(new Error(message.reason));
        this.#asked.delete(message.id);
        break;
      case "rules":
        this.rules = message;
        break;
      case "table":
        if (!this.shown || message.number > this.shown.number) this.shown = message;
        break;
      case "counts":
        if (this.shown && message.number > this.shown.number) {
          // These fields of the table have changed, and no others.
          const { number, now, players = 0, betting = 0, deciding = 0, total_bets = 0 } = message;
          this.shown = { ...this.shown, number, now, players, betting, deciding, total_bets };
        }
        break;
      case "seat":
        if (!this.seat || message.number >= this.seat.number) this.seat = message;
        break;
      case "goodbye":
        this.#farewell = message.reason;
    }
    this.changed();
  }

  close() {
    this.#socket.onclose = null;
    this.#socket.close(1000);
  }
}

let taken = ""; // the turn that was taken last: the same one is shown many times while others act
let played = 0;

function once(turn, take) {
  if (turn !== taken) {
    taken = turn;
    take();
  }
}

function takeTurn() {
  const { shown, seat, rules } = terminal;
  if (!shown || !seat || !rules) return;
  const view = seat.round === shown.round ? seat.view : undefined;
  if (seat.seat === null) {
    once("join", () => act({ do: "join" }));
  } else if (view?.settled) {
    once(`result ${seat.round}`, () => told(seat));
  } else if (view?.question) {
    const { question, step = 0 } = view; // what has its default value is left out: `step` for 0
    const decision = ["decline", "stand", "fold"].find((each) => each in question.allowed);
    once(`decide ${seat.round} ${step}`, () => act({ do: "decide", round: seat.round, step, decision }));
  } else if (shown.phase === "betting" && !view) {
    const { wager, least } = rules.wagers.find((each) => each.main);
    // Betting that is extended because nobody has bet has another deadline.
    once(`bet ${shown.round} ${shown.deadline}`, () => act({ do: "bet", round: shown.round, wagers: { [wager]: least } }));
  }
}

function told({ round, credit, view }) {
  const paid = view.settled.map(({ wager, staked, returned, outcome }) => `${wager} ${staked} -> ${returned} (${outcome})`);
  console.log(`round ${round}: ${paid.join(", ")}; credit ${credit}`);
  if (++played === Number(rounds)) terminal.close();
}

function act(command) {
  terminal.ask(command).catch((refusal) => console.error(refusal.message));
}

const terminal = new Terminal(await comeIn(), takeTurn, (reason) => {
  console.error(reason);
  process.exitCode = 1;
  terminal.close();
});
