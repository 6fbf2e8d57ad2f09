// Written by scripts/protocol.py from the Python protocol; change that, not this.

export type Phase = "closed" | "paused" | "waiting" | "betting" | "dealing" | "deciding" | "peeking" | "turning" | "confirming" | "result" | "void";

/** Watch a table. Any terminal may. It replaces what was watched before; with `beside`, up to four tables are watched at
    once. */
export interface Watch {
  do: "watch";
  table: string;
  beside?: boolean;
  id: number;
}

/** Stop watching a table; a seat there is kept. */
export interface Unwatch {
  do: "unwatch";
  table: string;
  id: number;
}

/** Take part at a table. In games with seats, `seat` is the one that is wanted. Naming another `box`, or another
    seat, takes a further box with wagers and decisions of its own, if the table allows it. */
export interface Join {
  do: "join";
  seat?: number | null;
  /** In games with seats, take part without one: for wagers for the dealer alone. A later join takes a seat. */
  without_seat?: boolean;
  id: number;
  table?: string;
  box?: number | null;
}

/** Give up a box, or all boxes if none is named; wagers in play are finished by the published rules. */
export interface Leave {
  do: "leave";
  id: number;
  table?: string;
  box?: number | null;
}

/** Everything that the player stakes on a box in this round; it replaces what was staked before, and an empty bet takes it back. */
export interface PlaceBet {
  do: "bet";
  round: number;
  wagers?: Record<string, number>;
  for_dealer?: Record<string, number>;
  spots?: number[];
  id: number;
  table?: string;
  box?: number | null;
}

/** Answer the question that the seat is asked: `hit`, `double+dealer`, `insure:150`.

    `step` is how many decisions the seat has made in this round before (the seat's view has it), so that an
    answer which arrives twice, even after the house was restarted, answers one question. */
export interface Decide {
  do: "decide";
  round: number;
  decision: string;
  step?: number;
  id: number;
  table?: string;
  box?: number | null;
}

/** Ask what each answer to the question is worth. Where the operator allows it, `advice` follows if it is found in time. */
export interface Advise {
  do: "advise";
  round: number;
  step?: number;
  id: number;
  table?: string;
  box?: number | null;
}

/** The terminal's part in a shuffle, first half: the SHA-256 that binds it to its number (docs/fairness.md). */
export interface CommitCut {
  do: "commit-cut";
  shoe: number;
  commitment: string;
  id: number;
  table?: string;
}

/** The terminal's part in a shuffle, second half: the number itself, 32 bytes in hexadecimal. */
export interface OpenCut {
  do: "open-cut";
  shoe: number;
  number: string;
  id: number;
  table?: string;
}

/** The dealer opens betting. `round` is the one after the last. */
export interface NewGame {
  do: "new-game";
  round: number;
  id: number;
  table?: string;
}

/** The dealer calls 'no more bets' before the timer does. */
export interface CloseBets {
  do: "close-bets";
  round: number;
  id: number;
  table?: string;
}

/** The dealer dealt a card; `unknown` is a hole card face down. `number` counts the cards of the round from 1. */
export interface EnterCard {
  do: "card";
  round: number;
  number: number;
  card: string;
  id: number;
  table?: string;
}

/** The dealer looked at the hole card. */
export interface AnswerPeek {
  do: "peek";
  round: number;
  blackjack: boolean;
  id: number;
  table?: string;
}

/** The dealer turned the hole card over. */
export interface TurnHole {
  do: "turn";
  round: number;
  card: string;
  id: number;
  table?: string;
}

/** The dealer confirms the result. */
export interface Confirm {
  do: "confirm";
  round: number;
  id: number;
  table?: string;
}

/** Begin to correct the cards: the table waits until the correction is done or abandoned (CARD-3). */
export interface BeginCorrection {
  do: "begin-correction";
  round: number;
  id: number;
  table?: string;
}

/** Leave the cards as they are: the table goes on. */
export interface AbandonCorrection {
  do: "abandon-correction";
  round: number;
  /** The number of the open correction, from the view of the table; 0 for whichever is open. */
  correction?: number;
  id: number;
  table?: string;
}

/** Correct the cards, all in one act. Cards are counted from 1 in the order of dealing, each as the fixes before left them. */
export interface Correct {
  do: "correct";
  round: number;
  /** A single card to replace, with `card`: the short form of one fix. */
  number?: number;
  card?: string;
  reason?: string;
  /** A supervisor's approval, where one is required. */
  approval?: string;
  /** A reason from the list; `reason` is text written in addition, or instead. */
  why?: "" | "break" | "count" | "damaged" | "dispute" | "early" | "end-of-day" | "entered-twice" | "exposed" | "generator-favours" | "generator-repeats" | "malfunction" | "misdeal" | "missed-card" | "no-wagers" | "not-configured" | "on-floor" | "out-of-order" | "routine" | "shoe-empty" | "wrong-card" | "wrong-peek";
  fixes?: (ReplaceCard | InsertCard | RemoveCard | SwapCards | WithdrawPeek)[];
  /** The open correction that this completes, once even if it is sent again; 0 if none was opened and cards are only replaced. */
  correction?: number;
  id: number;
  table?: string;
}

/** The card of that number was entered wrongly. */
export interface ReplaceCard {
  fix: "replace";
  number: number;
  card: string;
}

/** A card was dealt but not entered: it becomes the card of that number. */
export interface InsertCard {
  fix: "insert";
  number: number;
  card: string;
}

/** The card of that number was entered but not dealt. */
export interface RemoveCard {
  fix: "remove";
  number: number;
}

/** Two cards change places. */
export interface SwapCards {
  fix: "swap";
  number: number;
  other: number;
}

/** The dealer's answer about the hole card was wrong: the dealer looks again. */
export interface WithdrawPeek {
  fix: "withdraw-peek";
}

/** Void the round. */
export interface Void {
  do: "void";
  round: number;
  reason?: string;
  approval?: string;
  why?: "" | "break" | "count" | "damaged" | "dispute" | "early" | "end-of-day" | "entered-twice" | "exposed" | "generator-favours" | "generator-repeats" | "malfunction" | "misdeal" | "missed-card" | "no-wagers" | "not-configured" | "on-floor" | "out-of-order" | "routine" | "shoe-empty" | "wrong-card" | "wrong-peek";
  id: number;
  table?: string;
}

/** The dealer loads a shoe of counted cards. `follows`: the shoe in use has run out in mid-round, and this one follows it. */
export interface LoadShoe {
  do: "shoe";
  cards: number;
  follows?: boolean;
  id: number;
  table?: string;
}

/** The dealer burns a card between rounds; `unknown` is one that nobody looked at. `number` counts the burned cards of the
    shoe from 1. */
export interface BurnCard {
  do: "burn";
  shoe: number;
  number: number;
  card: string;
  id: number;
  table?: string;
}

/** The cut card is out, so that the round in play is the last of the shoe; with `out` false the dealer takes that back. */
export interface SeeCutCard {
  do: "cut-card";
  shoe: number;
  out?: boolean;
  id: number;
  table?: string;
}

/** Between rounds, the dealer has counted the discards, the cards left in the shoe, or both; or the cards of the next shoe,
    if their number is wrong: then `shoe` is 0. */
export interface CountShoe {
  do: "count";
  shoe: number;
  discards?: number | null;
  left?: number | null;
  id: number;
  table?: string;
}

/** An enrolled reader read a card (docs/devices.md). `number` counts its readings in its `session` from 1: the same one again
    is harmless. */
export interface ReadCard {
  do: "read";
  session: string;
  number: number;
  card: string;
  id: number;
  table?: string;
}

/** The dealer stops a card from a reader that does not count yet, lets it count at once, or drops it. */
export interface AnswerReading {
  do: "reading";
  reading: number;
  answer: "count" | "drop" | "stop";
  id: number;
  table?: string;
}

/** A dealer takes over the table. */
export interface TakePlace {
  do: "take-place";
  id: number;
  table?: string;
}

/** The dealer leaves the table. */
export interface LeavePlace {
  do: "leave-place";
  id: number;
  table?: string;
}

/** Check that the house answers. The acknowledgement carries its clock. */
export interface Ping {
  do: "ping";
  id: number;
}

/** The first message: who is at the terminal, and the house's clock. */
export interface Welcome {
  is: "welcome";
  name: string;
  role: "player" | "dealer" | "supervisor" | "cashier" | "host" | "operator" | "auditor" | "display";
  /** Milliseconds since 1970, like all times of the house. */
  now: number;
  version: string;
  tables: TableCard[];
  /** The table at which this card reader reads; empty for every other terminal. */
  reads: string;
  /** CARD-6: a dealer's terminal locks when nobody has touched it for this long; 0 for players and displays. */
  idle_minutes: number;
}

/** An entry in the list of tables. */
export interface TableCard {
  table: string;
  game: string;
  title: string;
  dealer: "automated" | "live";
  phase: Phase;
  players: number;
  /** The smallest main wager. */
  least: number;
  most: number | null;
  seats: number | null;
  /** Whether dealers practise here, with play money. */
  training: boolean;
  /** What the dealer had in the last rounds, the newest last: a total, `blackjack`, `bust` or `void`; empty at games without totals. */
  dealers: string[];
}

/** A command was carried out, and its result is durable. */
export interface Acknowledged {
  is: "acknowledged";
  id: number;
  now: number;
  seat: number | null;
}

/** A command was not carried out; nothing changed. */
export interface Refusal {
  is: "refused";
  id: number;
  /** In English, for people who read the protocol by hand. */
  reason: string;
  /** The same as a key with facts, which a terminal puts into the player's language. */
  why: Phrase;
  /** Whether the reason is temporary: the same command, sent again in a moment under the same id, may be carried out. */
  later: boolean;
}

/** Something to say: which words, the facts in them, and the clause that it comes from where there is one. */
export interface Phrase {
  key: string;
  facts?: Record<string, boolean | number | string | (number | string | Phrase)[] | Phrase>;
  clause?: string;
}

/** A table, complete, for everybody who watches it. */
export interface TableView {
  is: "table";
  table: string;
  /** Counts the states of this table; a terminal shows the highest it has. */
  number: number;
  now: number;
  phase: Phase;
  round: number;
  /** The fingerprint of the rules in force. */
  fingerprint: string;
  layout: Layout;
  /** Where the next card goes. */
  next: Phrase | null;
  deadline: number | null;
  /** The full length of the open window in milliseconds, for the countdown. */
  window: number | null;
  players: number;
  /** How many have bet. */
  betting: number;
  /** How many decisions are open. */
  deciding: number;
  total_bets: number;
  /** The dealer's name on the floor; empty for the automated dealer. */
  dealer: string;
  shoe: Shoe | null;
  /** Why a live dealer must load a shoe before the next round; null where none is needed. */
  shoe_wanted: Phrase | null;
  /** The number of the correction that is open; the table waits for it. 0 if none is. */
  correction: number;
  /** The seats whose side bets on the first cards were settled one after another, in the order of settling (MUB 7). */
  bonuses: BonusView[];
  /** The supervisor who corrects from the floor and is the only one who can end it; empty where the dealer corrects. */
  corrects: string;
  /** The last correction of this round or the one before, until somebody has read it. */
  corrected: CorrectionView | null;
  /** The last reopened round, until the round after the one in which it was reopened is over. */
  retelling: RetellingView | null;
  /** Why a round was voided, or why the table is closed. */
  notice: Phrase | null;
  /** Every card of the round in the order of dealing, which the dealer corrects by number; `?` is face down. */
  cards: string[];
  /** Seats that are occupied, in games with seats. */
  taken: number[];
  /** The rules that will be different from the next round on. */
  coming: Phrase[];
}

/** The cards as they lie, for everybody. Each way of dealing fills its own part. */
export interface Layout {
  /** Community: the two cards that everybody has. */
  player: string[];
  /** Community: the dealer's first card. Own hands: the dealer's cards that are face up. Nine cards: the packet. */
  dealer: string[];
  /** Community: the cards after the first three, in the order of dealing. */
  stream: string[];
  /** Community: by the number of cards that a player took, the dealer's hand for that player. */
  dealers: Record<string, HandView>;
  /** Own hands: the dealer's hand as far as it is face up. */
  dealers_hand: HandView | null;
  /** Own hands: whether a card lies face down. */
  hole: boolean;
  /** Own hands: every box. */
  seats: Record<string, HandView[]>;
  /** Own hands: the seat whose turn it is; 0 if it is nobody's. */
  turn: number;
  /** Nine cards: locations 1 to 9. */
  array: string[];
}

/** A blackjack hand on the layout or on a terminal. */
export interface HandView {
  cards: string[];
  total: number;
  soft: boolean;
  /** Empty while it is played. */
  state: "" | "stood" | "bust" | "blackjack" | "even-money" | "surrender";
  doubled: boolean;
  stake: number;
  toke: number;
  blackjack: boolean;
  /** When the hand is settled: what the player's own wager on it returned, with the stake. */
  returned: number | null;
}

/** The shoe in use. The commitment is published before betting opens; the proof follows when the shoe has ended. */
export interface Shoe {
  number: number;
  cards: number;
  dealt: number;
  commitment: string;
  /** The stage of the players' cut: terminals that take part commit to a number, and then open it. */
  cut: "" | "committing" | "done" | "opening";
  /** The commitments for the cut, by terminal (`seat-7`). */
  cutters: Record<string, string>;
  /** While terminals commit: those that may. */
  may_cut: string[];
  /** Whether the shoe is used for one round only, because nobody could cut it. */
  one_round: boolean;
  /** How many shoes of this table were discarded because a number was kept back. */
  discarded: number;
  burned: number;
  /** How many cards a live dealer has burned, and must burn before a round can begin. */
  to_burn: number;
  /** Of a live shoe: whether its cut card should have come by now, or is out, so that the round in play is the last one. */
  cut_card: "" | "due" | "out";
  /** What gives a live table its cards. */
  shuffler: "continuous" | "every-round" | "none";
}

/** A seat whose side bets on the first cards are settled, and whether one of them won. */
export interface BonusView {
  seat: number;
  won: boolean;
}

/** What a correction changed for everybody (CARD-3). */
export interface CorrectionView {
  round: number;
  /** Counts the corrections of the round. */
  number: number;
  reason: Phrase;
  cards: CardChange[];
}

/** A place whose card has changed. `?` is a card that lies face down; empty means no card. */
export interface CardChange {
  place: Phrase;
  was: string;
  now: string;
}

/** A round that was settled again after its result was confirmed (VOID-4). */
export interface RetellingView {
  round: number;
  telling: number;
  reason: Phrase;
  void: boolean;
  cards: CardChange[];
}

/** How many sit at a table, have bet and are deciding, sent if nothing else has changed: it replaces these fields of the
    last `table`. It comes about once a second; every `table` has the same fields. */
export interface Counts {
  is: "counts";
  table: string;
  /** Counts the states of this table together with those of `table`; an older one is ignored. */
  number: number;
  now: number;
  players: number;
  betting: number;
  deciding: number;
  total_bets: number;
}

/** The last rounds of a table and its largest wins: sent when the table is watched, and after each round. */
export interface History {
  is: "history";
  table: string;
  rounds: Outcome[];
  /** Without names. */
  wins: number[];
}

/** A past round on one line: the cards that everybody saw, how many seats won, and the largest win. */
export interface Outcome {
  round: number;
  layout: Layout;
  seats: number;
  won: number;
  best: number;
  void: boolean;
}

/** A player's place at a table, complete, for this player only. */
export interface Seated {
  is: "seat";
  table: string;
  number: number;
  round: number;
  /** What the player can spend, at this table and all others: the last message of any table counts. */
  credit: number;
  /** From `seatless_from` of the rules on, a place without a seat. */
  seat: number | null;
  /** None until the player has bet in this round. */
  view: SeatView | null;
  /** The number of the first box, whose seat and view these are. */
  box: number;
  /** The player's further boxes. */
  further: BoxView[];
  /** HP-1: a win that an attendant must pay before play goes on. */
  locked: number;
  /** The effect of the last correction on this player; null if there is none. */
  corrected: OwnCorrection | null;
  /** When the player may cut again, after a number was kept back. */
  no_cut_until: number;
}

/** What only the player of a seat sees. */
export interface SeatView {
  seat: number;
  credit: number | null;
  wagers: Record<string, number>;
  for_dealer: Record<string, number>;
  spots: number[];
  staked: number;
  returned: number;
  tips: number;
  hands: HandView[];
  playing: number;
  /** Community: how many cards of the stream are the player's; the rest are the dealer's. */
  taken: number;
  finished: boolean;
  insurance: number;
  /** Nine cards: what the player decided; empty before. */
  decision: "" | "play" | "fold";
  /** Nine cards: the name of the player's hand. */
  hand: Phrase | null;
  dealers_hand: Phrase | null;
  /** How many decisions the seat has made in this round. */
  step: number;
  question: QuestionView | null;
  settled: WagerResult[];
  /** The last decision of the seat, if the house made it because time ran out. */
  by_house: string;
}

/** The question to a seat: each answer with the least and the most that it costs. */
export interface QuestionView {
  about: "insurance" | "play";
  hand: number;
  allowed: Record<string, [number, number]>;
}

/** One wager, settled: the same in the round, on the wire, in recall and for the bots. */
export interface WagerResult {
  wager: string;
  /** `dealer` for a wager that the player placed for the dealer. */
  whose: "player" | "dealer";
  staked: number;
  /** Everything that it returned, including the stake. */
  returned: number;
  /** The part of it that went to the dealers; the rest is the player's. */
  tips: number;
  why: Phrase[];
  /** What rounding down withheld, as exact fractions of a minor unit. */
  breakage: string;
  /** Derived from `staked` and `returned`. */
  outcome: "win" | "push" | "lose";
}

/** One of the player's boxes at a table. */
export interface BoxView {
  box: number;
  seat: number;
  /** None until the player has bet on it in this round. */
  view: SeatView | null;
}

/** What a correction changed for one player. */
export interface OwnCorrection {
  round: number;
  number: number;
  seats: SeatChange[];
}

/** A seat before and after a correction. */
export interface SeatChange {
  was: SeatView;
  now: SeatView;
}

/** What each answer to a question is worth, with the best play after it; only for the player who asked. */
export interface Advice {
  is: "advice";
  table: string;
  round: number;
  step: number;
  /** The expected net result for each unit of the original wager. */
  worth: Record<string, number>;
  /** The same in minor units of this player's wager. */
  amounts: Record<string, number>;
  /** The best answer that the player's credit covers. */
  best: string;
  /** The box that was asked about, as the terminal named it. */
  box: number | null;
}

/** For the dealer alone: the card that a reader read and that does not count yet (CARD-11). */
export interface HeldCard {
  is: "reading";
  table: string;
  /** Its number, by which the dealer answers; 0 when no card is held. */
  reading: number;
  /** `?` is one that will lie face down. */
  card: string;
  reader: string;
  /** When it counts by itself; null where it waits for the dealer. */
  counts_at: number | null;
  /** Why it cannot be right. */
  why: Phrase | null;
  /** The reader that has read a card that was not awaited, which does not count. */
  unexpected: string;
}

/** For dealers alone: the seats that have bet with their hands, who is asked, and what Confirm will pay. Sent when a
    dealer watches, and when it changes. */
export interface TableMap {
  is: "map";
  table: string;
  round: number;
  seats: SeatOnMap[];
  /** How many more seats have bet than are listed. */
  left_out: number;
  /** What Confirm will pay to all players together; null before every card is out, and where seats are left out. */
  pays: number | null;
}

/** A seat that has bet, as its dealer sees it: by its number, without a name. */
export interface SeatOnMap {
  seat: number;
  staked: number;
  /** What the seat is asked about now; empty if it is asked nothing. */
  asked: "" | "insurance" | "play";
  /** How many decisions it has made in this round. */
  decided: number;
  /** Whether no decision of this seat is still to come. */
  finished: boolean;
  hands: HandView[];
  /** The hand that is being played, counted from 0. */
  playing: number;
  /** Nine cards: the name of the player's hand. */
  hand: Phrase | null;
  /** Nine cards: what the player decided; empty before. */
  decision: "" | "play" | "fold";
  /** What has been paid to the player's credit so far, stakes included. */
  returned: number;
  /** What Confirm will pay to the player's credit; null before every card is out, and when it is paid. */
  pays: number | null;
}

/** The player's unread notices of rounds at a table that were settled again after their result (VOID-4): sent when the
    player connects, and when they change. `POST /api/notices/read` marks one as read. */
export interface Notices {
  is: "notices";
  table: string;
  notices: Notice[];
}

/** A notice to a player that a round was settled again, kept until the player has read it. */
export interface Notice {
  round: number;
  telling: number;
  at: number;
  reason: Phrase;
  /** What the player had won in the round; below zero, lost. */
  was: number;
  now: number;
  /** By how much the credit changed. */
  credit: number;
  /** The part that the credit no longer held: a debt. */
  owed: number;
  void: boolean;
  cards: CardChange[];
}

/** What a terminal must know of the rules: sent when a table is watched, and when they change. */
export interface RulesInForce {
  is: "rules";
  table: string;
  game: string;
  title: string;
  fingerprint: string;
  dealing: "community" | "nine-cards" | "own-hands";
  options: Record<string, unknown>;
  wagers: WagerCard[];
  /** The rules of play, as phrases for every language. */
  chapters: Chapter[];
  /** How long the windows are open, in milliseconds: `betting`, `decision`, and `insurance` where it is asked. */
  timers: Record<string, number>;
  /** CARD-8: how many cards are counted when a shoe is loaded. */
  shoe_cards: number;
  /** How many players may sit down; null if there is no limit. */
  seats: number | null;
  /** Whether players may ask what each answer is worth. */
  coach: boolean;
  /** The name under which the game's document lists the paytables together. */
  designator: string;
  /** The most that one player's wagers can win in one round; 0 for no limit. */
  most_payable: number;
  /** Whether wagers that could win more are taken, but paid only up to that amount. */
  capped: boolean;
  /** How many boxes one player may have. */
  boxes: number;
  /** Places from this number on have no seat and get no cards: they take wagers for the dealer alone. 0 in games without seats. */
  seatless_from: number;
  /** Whether dealers practise here, with play money. */
  training: boolean;
  /** What shuffles at a live table. */
  shuffler: "continuous" | "every-round" | "none";
}

/** A wager that the table takes, as a terminal draws it. */
export interface WagerCard {
  wager: string;
  title: string;
  /** When it wins. */
  says: Phrase;
  main: boolean;
  least: number;
  /** Each outcome with its odds, highest first: `{"royal match": "25:1"}`. */
  pays: Record<string, string>;
  /** The designator of its paytable. */
  paytable: string;
  most: number | null;
  amounts: number[];
  chip: number;
  needs: string;
  for_dealer: boolean;
  /** The least that is taken for the dealer. */
  toke_least: number;
  /** The share of the wager that comes back in the long run, where the mathematics has worked it out. */
  returns: number | null;
}

/** Rules under a title. */
export interface Chapter {
  number: number;
  title: Phrase;
  parts: Rule[];
}

/** One rule: a sentence or a few, with the table that belongs to them. */
export interface Rule {
  /** The chapter's number and its own, the same in every language: `3.2`. */
  number: string;
  said: Phrase;
  /** The clause of the document that it comes from, where there is one. */
  clause: string;
  table: RuleTable | null;
}

/** A paytable, or the settings of a table. */
export interface RuleTable {
  title: Phrase;
  rows: Phrase[][];
}

/** The house closes the connection, with the reason. */
export interface Goodbye {
  is: "goodbye";
  /** In English. */
  reason: string;
  why: Phrase;
}

/** Play stands still in the whole house, for example because its store does not answer; or it goes on again. */
export interface Standstill {
  is: "standstill";
  /** Why, in English; empty when play goes on. */
  reason: string;
  /** The same as a key with facts; null when play goes on. */
  why: Phrase | null;
}

export type AnyCommand =
  | Watch
  | Unwatch
  | Join
  | Leave
  | PlaceBet
  | Decide
  | Advise
  | CommitCut
  | OpenCut
  | NewGame
  | CloseBets
  | EnterCard
  | AnswerPeek
  | TurnHole
  | Confirm
  | BeginCorrection
  | AbandonCorrection
  | Correct
  | Void
  | LoadShoe
  | BurnCard
  | SeeCutCard
  | CountShoe
  | ReadCard
  | AnswerReading
  | TakePlace
  | LeavePlace
  | Ping;

export type AnyMessage =
  | Welcome
  | Acknowledged
  | Refusal
  | TableView
  | Counts
  | History
  | Seated
  | Advice
  | HeldCard
  | TableMap
  | Notices
  | RulesInForce
  | Goodbye
  | Standstill;

/** What a field is when the house leaves it out. */
export const DEFAULTS = {
  "Welcome": {
    "reads": "",
    "idle_minutes": 0
  },
  "TableCard": {
    "most": null,
    "seats": null,
    "training": false,
    "dealers": []
  },
  "Acknowledged": {
    "seat": null
  },
  "Refusal": {
    "later": false
  },
  "TableView": {
    "next": null,
    "deadline": null,
    "window": null,
    "players": 0,
    "betting": 0,
    "deciding": 0,
    "total_bets": 0,
    "dealer": "",
    "shoe": null,
    "shoe_wanted": null,
    "correction": 0,
    "bonuses": [],
    "corrects": "",
    "corrected": null,
    "retelling": null,
    "notice": null,
    "cards": [],
    "taken": [],
    "coming": []
  },
  "Layout": {
    "player": [],
    "dealer": [],
    "stream": [],
    "dealers": {},
    "dealers_hand": null,
    "hole": false,
    "seats": {},
    "turn": 0,
    "array": []
  },
  "HandView": {
    "soft": false,
    "state": "",
    "doubled": false,
    "stake": 0,
    "toke": 0,
    "blackjack": false,
    "returned": null
  },
  "Shoe": {
    "commitment": "",
    "cut": "",
    "cutters": {},
    "may_cut": [],
    "one_round": false,
    "discarded": 0,
    "burned": 0,
    "to_burn": 0,
    "cut_card": "",
    "shuffler": "none"
  },
  "CardChange": {
    "was": "",
    "now": ""
  },
  "RetellingView": {
    "void": false,
    "cards": []
  },
  "Counts": {
    "players": 0,
    "betting": 0,
    "deciding": 0,
    "total_bets": 0
  },
  "History": {
    "wins": []
  },
  "Outcome": {
    "best": 0,
    "void": false
  },
  "Seated": {
    "view": null,
    "box": 1,
    "further": [],
    "locked": 0,
    "corrected": null,
    "no_cut_until": 0
  },
  "SeatView": {
    "for_dealer": {},
    "spots": [],
    "staked": 0,
    "returned": 0,
    "tips": 0,
    "hands": [],
    "playing": 0,
    "taken": 0,
    "finished": false,
    "insurance": 0,
    "decision": "",
    "hand": null,
    "dealers_hand": null,
    "step": 0,
    "question": null,
    "settled": [],
    "by_house": ""
  },
  "WagerResult": {
    "tips": 0,
    "why": [],
    "breakage": "",
    "outcome": ""
  },
  "BoxView": {
    "view": null
  },
  "Advice": {
    "box": null
  },
  "HeldCard": {
    "reading": 0,
    "card": "",
    "reader": "",
    "counts_at": null,
    "why": null,
    "unexpected": ""
  },
  "TableMap": {
    "round": 0,
    "seats": [],
    "left_out": 0,
    "pays": null
  },
  "SeatOnMap": {
    "asked": "",
    "decided": 0,
    "finished": false,
    "hands": [],
    "playing": 0,
    "hand": null,
    "decision": "",
    "returned": 0,
    "pays": null
  },
  "Notices": {
    "notices": []
  },
  "Notice": {
    "credit": 0,
    "owed": 0,
    "void": false,
    "cards": []
  },
  "RulesInForce": {
    "seats": null,
    "coach": false,
    "designator": "",
    "most_payable": 0,
    "capped": false,
    "boxes": 1,
    "seatless_from": 0,
    "training": false,
    "shuffler": "none"
  },
  "WagerCard": {
    "paytable": "",
    "most": null,
    "amounts": [],
    "chip": 1,
    "needs": "",
    "for_dealer": false,
    "toke_least": 1,
    "returns": null
  },
  "Rule": {
    "clause": "",
    "table": null
  },
  "Standstill": {
    "reason": "",
    "why": null
  }
} as const;

/** Which fields hold further structs, and within how many lists or tables. */
export const INNER: Record<string, Record<string, readonly [string, number]>> = {
  "Welcome": {
    "tables": [
      "TableCard",
      1
    ]
  },
  "TableView": {
    "layout": [
      "Layout",
      0
    ],
    "shoe": [
      "Shoe",
      0
    ],
    "bonuses": [
      "BonusView",
      1
    ],
    "corrected": [
      "CorrectionView",
      0
    ],
    "retelling": [
      "RetellingView",
      0
    ]
  },
  "Layout": {
    "dealers": [
      "HandView",
      1
    ],
    "dealers_hand": [
      "HandView",
      0
    ],
    "seats": [
      "HandView",
      2
    ]
  },
  "CorrectionView": {
    "cards": [
      "CardChange",
      1
    ]
  },
  "RetellingView": {
    "cards": [
      "CardChange",
      1
    ]
  },
  "History": {
    "rounds": [
      "Outcome",
      1
    ]
  },
  "Outcome": {
    "layout": [
      "Layout",
      0
    ]
  },
  "Seated": {
    "view": [
      "SeatView",
      0
    ],
    "further": [
      "BoxView",
      1
    ],
    "corrected": [
      "OwnCorrection",
      0
    ]
  },
  "SeatView": {
    "hands": [
      "HandView",
      1
    ],
    "question": [
      "QuestionView",
      0
    ],
    "settled": [
      "WagerResult",
      1
    ]
  },
  "BoxView": {
    "view": [
      "SeatView",
      0
    ]
  },
  "OwnCorrection": {
    "seats": [
      "SeatChange",
      1
    ]
  },
  "SeatChange": {
    "was": [
      "SeatView",
      0
    ],
    "now": [
      "SeatView",
      0
    ]
  },
  "TableMap": {
    "seats": [
      "SeatOnMap",
      1
    ]
  },
  "SeatOnMap": {
    "hands": [
      "HandView",
      1
    ]
  },
  "Notices": {
    "notices": [
      "Notice",
      1
    ]
  },
  "Notice": {
    "cards": [
      "CardChange",
      1
    ]
  },
  "RulesInForce": {
    "wagers": [
      "WagerCard",
      1
    ],
    "chapters": [
      "Chapter",
      1
    ]
  },
  "Chapter": {
    "parts": [
      "Rule",
      1
    ]
  },
  "Rule": {
    "table": [
      "RuleTable",
      0
    ]
  }
};

/** The struct of a message by its `is`. */
export const MESSAGES: Record<string, string> = {
  "welcome": "Welcome",
  "acknowledged": "Acknowledged",
  "refused": "Refusal",
  "table": "TableView",
  "counts": "Counts",
  "history": "History",
  "seat": "Seated",
  "advice": "Advice",
  "reading": "HeldCard",
  "map": "TableMap",
  "notices": "Notices",
  "rules": "RulesInForce",
  "goodbye": "Goodbye",
  "standstill": "Standstill"
};
