// Written by scripts/protocol.py from the routes of the server; change those, not this.

import type { Chapter, InsertCard, Layout, Phase, Phrase, RemoveCard, ReplaceCard, RulesInForce, SeatView, SwapCards, TableCard, WagerResult, WithdrawPeek } from "./protocol";

/** The answer to a request that is refused. */
export interface RefusalCard {
  /** One sentence in English. */
  reason: string;
  /** The same as a key with facts and the clause, which a terminal says in any language. */
  why: Phrase;
}

/** The public facts about the house. */
export interface HouseCard {
  name: string;
  currency: string;
  /** The address that phones open; empty where they are not served. */
  address: string;
  /** Whether guests may play, with play money. */
  guests: boolean;
  /** The words of the help line for players, by language (PROT-1). */
  help_line: Record<string, string>;
  version: string;
  /** The fingerprint of the program (VER-1). */
  program: string;
  now: number;
}

/** The health of the house and of each of its parts. */
export interface HealthCard {
  /** The worst of all parts. */
  state: "failing" | "warning" | "well";
  /** Whether nothing is failing. */
  well: boolean;
  tables: TableHealth[];
  disk: DiskHealth;
  store: StoreHealth;
  witness: WitnessHealth;
  backups: BackupHealth;
  clock: ClockHealth;
  /** Why the whole house has stopped, if it has. */
  why: Phrase | null;
}

/** Whether a table makes progress. */
export interface TableHealth {
  table: string;
  state: "failing" | "warning" | "well";
  phase: Phase;
  /** Why it does not go on by itself: it waits for somebody, is closed, or has a problem. */
  why: Phrase | null;
  /** When something last happened there. */
  last_at: number;
  /** When it does something by itself; null while it waits for somebody. */
  due: number | null;
}

/** The disk with the data of the house. */
export interface DiskHealth {
  state: "failing" | "warning" | "well";
  free_bytes: number;
  why: Phrase | null;
  /** What a day of play adds to the book, if the house has measured it. */
  bytes_per_day: number;
  /** How many days the disk lasts at this rate. */
  days: number | null;
}

/** The store of the record. */
export interface StoreHealth {
  state: "failing" | "warning" | "well";
  kind: "postgresql" | "sqlite";
  why: Phrase | null;
}

/** The signing of the record, and the witnesses that fetch what was signed (EVT-5). */
export interface WitnessHealth {
  state: "failing" | "warning" | "well";
  /** When the checkpoints were last fetched, since this start. */
  fetched_at: number | null;
  why: Phrase | null;
}

/** The backups of the record (BAK-1). */
export interface BackupHealth {
  state: "failing" | "warning" | "well";
  /** When the last backup that the house knows of was made. */
  made_at: number | null;
  why: Phrase | null;
  /** When a backup or an archive was last copied elsewhere, since this start. */
  copied_at: number | null;
}

/** The clock of the house (TIME-1). */
export interface ClockHealth {
  state: "failing" | "warning" | "well";
  now: number;
  why: Phrase | null;
}

/** Where a terminal connects. */
export interface SocketCard {
  /** The path of the WebSocket at the address of the page; the browser's cookie says who connects. */
  socket: string;
}

/** A person with an account. */
export interface PersonCard {
  name: string;
  role: "auditor" | "cashier" | "dealer" | "host" | "operator" | "player" | "supervisor";
  /** Whether the person may sign in. */
  active: boolean;
  /** For a new person: the link to hand over, with which a password is chosen. */
  invitation: string;
}

/** The request was carried out; there is nothing to return. */
export interface Done {
}

/** An invitation to hand over. */
export interface InvitationCard {
  /** The link with which a password is chosen. */
  invitation: string;
}

/** A terminal that the operator enrolled (SEC-3). */
export interface TerminalCard {
  name: string;
  /** Who enrolled it. */
  by: string;
  time: number;
  active: boolean;
  /** The table at which it reads cards; empty for a terminal. */
  reads: string;
  /** Whether it proves to be this terminal, by its key or its certificate. */
  proves: boolean;
  /** When its link ends; 0 once it was opened. */
  expires: number;
}

/** A terminal that was just enrolled. The token is shown this once. */
export interface NewTerminal {
  token: string;
  /** The address to open at that terminal. */
  address: string;
}

/** The terminal that this browser is. */
export interface TerminalHere {
  name: string;
  /** Whether it proves from now on to be this terminal, by its key or its certificate. */
  proves: boolean;
}

/** What a terminal with a key signs in its next proof. */
export interface ChallengeCard {
  challenge: string;
}

/** One of your passkeys. */
export interface PasskeyCard {
  key: string;
  name: string;
  added: number;
}

/** What the browser needs to make or use a passkey. */
export interface PasskeyOptions {
  /** JSON for `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`. */
  options: string;
}

/** An act that needs a second person. */
export interface ApprovalCard {
  key: string;
  /** What is to be done, with its amount, its place and its reason. */
  said: Phrase;
  asker: string;
  asked: number;
  expires: number;
  state: "accepted" | "refused" | "waiting";
  /** Who accepted or refused it. */
  by: string;
}

/** A code for one act, to be typed once where it was asked for. */
export interface ApprovalCode {
  /** Six digits. */
  code: string;
  expires: number;
}

/** A ticket as it is printed (TKT-1). */
export interface TicketCard {
  /** The validation number in groups of four digits. */
  number: string;
  amount: number;
  site: string;
  /** Whether it was a guest's credit, which is worth no cash. */
  play_money: boolean;
  issued: number;
  expires: number;
  /** The terminal or desk that issued it. */
  terminal: string;
  state: "outstanding" | "redeemed" | "void";
}

/** A player's account. */
export interface AccountCard {
  name: string;
  credit: number;
  /** A win that an attendant must pay by hand (HP-1). */
  locked: number;
  /** Whether the credit is a guest's, which is worth no cash. */
  play_money: boolean;
  /** What the player owes the house, because money was taken back that had already been spent (CARD-2). */
  debt: number;
  /** Whether the player may not play now (PROT-1): credit is paid out, and none is sold. */
  excluded: boolean;
  /** Whether the player's age must be confirmed first (PROT-1). */
  age_needed: boolean;
}

/** A shoe that has ended. */
export interface ShoeCard {
  number: number;
  cards: number;
  /** The first and the last round dealt from it; 0 and 0 if none was. */
  rounds: [number, number];
  commitment: string;
  /** The seats that kept their numbers back: the shoe was discarded undealt. */
  kept_back: string[];
}

/** The published proof of a shoe, and the cards that were dealt from it, in order. */
export interface DealtProof {
  commitment: string;
  cut_commitments: Record<string, string>;
  numbers: Record<string, string>;
  reveal: Reveal;
  /** A card that was never turned, because its round was void, is `?`. */
  dealt: string;
}

/** A revealed shuffle, as it is published. */
export interface Reveal {
  table: string;
  number: number;
  order: string;
  nonce: string;
}

/** A player's protection, and the gaming day so far. */
export interface ProtectionCard {
  /** Whether it applies: guests with play money have no limits and no exclusion. */
  applies: boolean;
  /** Those that hold now. */
  limits: PlayLimits;
  /** Those that the player chose last. */
  chosen: PlayLimits;
  /** From when on all of those hold; 0 if they already do. */
  chosen_from: number;
  /** Minutes played in this gaming day. */
  minutes: number;
  /** Lost in this gaming day, apart from what is in play; below 0 for a win. */
  lost: number;
  at_stake: number;
  /** Whether the player must read how long and with what result they have played before the next wager. */
  reminder_due: boolean;
  /** Minutes of play until the next reminder; 0 if there is none. */
  next_reminder: number;
  /** How old players are here; 0 where nobody is asked. */
  least_age: number;
  /** Whether the player must confirm the age first, or show a document to the cashier. */
  age: "asked" | "at-cashier" | "confirmed" | "unasked";
  excluded: ExclusionCard | null;
  /** The terms in days for which players may exclude themselves; 0 for no end. */
  terms: number[];
  /** Words by language. */
  help_line: Record<string, string>;
}

/** A player's own limits; 0 for no limit. */
export interface PlayLimits {
  /** The most that may be lost in a gaming day. */
  loss: number;
  /** The most that may be at stake at once, at all boxes and tables. */
  stake: number;
  /** Minutes of play in a gaming day. */
  minutes: number;
  /** Minutes of play from one reminder to the next. */
  reminder: number;
}

/** Somebody who may not play now. */
export interface ExclusionCard {
  name: string;
  kind: "break" | "house" | "self";
  since: number;
  /** 0 for no end. */
  until: number;
  by: string;
  reason: string;
}

/** What a dealer was given and has not been paid. */
export interface TipsCard {
  name: string;
  tips: number;
}

/** Somebody who owes the house money. */
export interface DebtCard {
  name: string;
  debt: number;
}

/** A table as the floor sees it. */
export interface FloorTable {
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
  handle: number;
  win: number;
  /** The win as a share of the handle; null while the handle is 0. */
  hold: number | null;
  /** The share of the main wager that the house keeps in the long run; null until the mathematics knows it. */
  theory: number | null;
  /** The stakes in the round in play. */
  exposure: number;
  /** The standard deviation of the house's result of the round at most, which is when all players play alike. */
  spread: number | null;
  /** The most that the house can lose in the round; null until the mathematics knows these rules. */
  largest: number | null;
  /** The round in play, which the floor can void or correct; 0 between rounds. */
  round: number;
  /** The number of the correction that is open; 0 where none is. */
  correction: number;
  /** What needs somebody's attention on the floor. */
  alerts: Phrase[];
}

/** A correction that the floor has begun: the table waits. */
export interface BegunCorrection {
  table: string;
  round: number;
  /** Its number in the round. */
  correction: number;
  /** The cards in the order of dealing; one that lies face down is `?`. */
  cards: string[];
  /** Whether a card lies face down, so that the dealer may have looked at it. */
  hole: boolean;
}

/** An option of a table's rules. */
export interface OptionCard {
  name: string;
  clause: string;
  /** `true or false`, `whole number`, `text`, `list` or `table`. */
  type: string;
  value: unknown;
  default: unknown;
  /** The values to choose from; empty where they cannot be listed. */
  values: unknown[];
  allowed: Phrase;
  fixed: boolean;
  says: Phrase;
}

/** A setting of a table that is not an option of its game. */
export interface Setting {
  name: string;
  value: unknown;
  /** The possible values; empty for a number or a list. */
  values: unknown[];
  says: Phrase;
}

/** What a change would mean, before it is made. There are no wagers while the mathematics is at work. */
export interface Preview {
  /** The rules of play. */
  chapters: Chapter[];
  wagers: ParLine[];
  /** Whether the mathematics is still at work: ask again. */
  working: boolean;
  fingerprint: string;
  /** The options that differ from those in force. */
  changed: Record<string, unknown>;
}

/** What the mathematics says of one wager. */
export interface ParLine {
  wager: string;
  title: string;
  house_edge: number;
  return: number;
  hit_frequency: number | null;
  method: string;
  standard_error: number | null;
}

/** The rules of a table from its next round on. */
export interface ScheduledRules {
  version: number;
  /** Their fingerprint. */
  rules: string;
}

/** A dealer's part of the tips. */
export interface ShareCard {
  name: string;
  /** Minutes at the podium in that time. */
  minutes: number;
  share: number;
}

/** A settled round that can still be reopened. */
export interface ReopenableRound {
  round: number;
  ended: number;
  /** The end of the time in which it can be reopened. */
  until: number;
  /** The number that the next settlement would have: 2 for a round that was never reopened. */
  telling: number;
  dealer: string;
  /** Whether its cards can be corrected; the automated dealer's are proved, so its rounds can only be voided. */
  corrects: boolean;
  /** The cards in the order of dealing, for the one round that was asked for; `?` lies face down. */
  cards: string[];
}

/** What reopening a round has changed. */
export interface ReopenedRound {
  table: string;
  round: number;
  telling: number;
  void: boolean;
  /** The total of what players got in addition. */
  paid: number;
  /** The total of what was taken back from players. */
  taken: number;
  /** The part of it that accounts no longer held: debts. */
  owed: number;
}

/** A round of one seat; `record` has all of it in words, and why every wager paid what it did. */
export interface RecordedRound {
  table: string;
  game: string;
  title: string;
  round: number;
  time: number;
  dealer: string;
  rules: string;
  dealing: "community" | "nine-cards" | "own-hands";
  /** How many players could sit down. */
  seats: number | null;
  status: "corrected" | "in play" | "settled" | "void";
  player: string;
  credit_before: number;
  credit_after: number;
  steps: RecordedStep[];
  record: RoundRecord;
}

/** One state of a round, and what led to it. */
export interface RecordedStep {
  phase: Phase;
  event: Phrase;
  layout: Layout;
  view: SeatView | null;
}

/** A round in full. */
export interface RoundRecord {
  table: string;
  round: number;
  game: string;
  title: string;
  status: "in play" | "settled" | "void";
  opened: number;
  ended: number;
  dealer: string;
  version: number;
  rules: string;
  cards: string;
  steps: Step[];
  players: PlayerRecord[];
  notation: string;
  /** The names of the paytables in force, by wager; under the name of the game, the one for them together. */
  designators: Record<string, string>;
  /** Empty if the money that moved agrees with the record. */
  difference: string;
  /** The same round as it was settled before it was reopened, the first settlement first (VOID-4). */
  earlier: RoundRecord[];
}

/** One thing that happened in a round. */
export interface Step {
  at: number;
  said: Phrase;
  /** The seat that it concerns; 0 for all. */
  seat: number;
  /** Whether the house decided because time ran out. */
  by_system: boolean;
}

/** One player's part of a round. */
export interface PlayerRecord {
  player: string;
  seat: number;
  credit_before: number;
  credit_after: number;
  staked: number;
  returned: number;
  net: number;
  tips: number;
  /** HP-1: what an attendant has to pay, or has paid, by hand. */
  held: number;
  wagers: Record<string, number>;
  for_dealer: Record<string, number>;
  spots: number[];
  /** Each decision, and whether the house made it because time ran out. */
  decisions: [string, boolean][];
  hands: HandResult[];
  settled: WagerResult[];
}

/** One of the player's hands, and the result of the player's own main wager on it. */
export interface HandResult {
  cards: string;
  total: number | null;
  soft: boolean;
  /** The name of a three-card hand; None in blackjack. */
  name: Phrase | null;
  result: string;
  staked: number;
  returned: number;
}

/** A round that was looked for; `GET /api/recall` has all of it. */
export interface FoundRound {
  table: string;
  round: number;
  game: string;
  opened: number;
  /** 0 while it is in play. */
  ended: number;
  status: "in play" | "settled" | "void";
  dealer: string;
  /** The most that one player staked. */
  staked: number;
  /** The most that one player won. */
  won: number;
}

/** A significant event (EVT-1). */
export interface EventCard {
  time: number;
  kind: string;
  /** A table, `house`, or the part that noticed it. */
  source: string;
  who: string;
  reason: string;
  before: string;
  after: string;
  /** Its number in the journal of its source. */
  entry: number;
}

/** The gaming days of the house (REP-1). */
export interface CalendarCard {
  time_zone: string;
  day_begins: string;
  /** The current gaming day. */
  today: string;
  /** The current shift. */
  shift: number;
  /** When each shift of today begins, in milliseconds since 1970. */
  shifts: number[];
}

/** A report that can be asked for. */
export interface ReportName {
  name: string;
  title: Phrase;
}

/** A report as the floor's screen draws it: titles, notes and some cells are phrases (REP-1). */
export interface ReportCard {
  name: string;
  title: Phrase;
  /** The interval in words. */
  interval: Phrase;
  from: number;
  to: number;
  made: number;
  /** The time zone in which its times are read. */
  zone: string;
  columns: Phrase[];
  /** What the cells of each column hold. Games, wagers, events and meters stand there by name. */
  kinds: ("amount" | "count" | "event" | "game" | "meter" | "share" | "text" | "time" | "wager")[];
  rows: ((string | number | Phrase | null)[])[];
  /** One more row below the others, where sums mean something. */
  total: (string | number | Phrase | null)[] | null;
  /** Says so if there was no activity. */
  says: Phrase | null;
  /** Explains a figure where its name is not enough. */
  note: Phrase | null;
  /** The columns to plot against the first. */
  plots: number[];
}

/** How much of the record was proved. */
export interface RecordProof {
  entries: number;
  transfers: number;
  /** Versions of people, sessions, tickets and terminals. */
  documents: number;
  tickets: number;
  /** Rounds replayed to the same settlement and the same transfers. */
  rounds: number;
  /** Shuffles that were revealed. */
  shoes: number;
  /** By stream: the number and the hash of its last entry. */
  heads: Record<string, string>;
}

/** A backup that was written and read back. */
export interface BackupCard {
  file: string;
  bytes: number;
  sha256: string;
}

/** A proof of RFC 6962. */
export interface LogProof {
  /** Its hashes in base64. */
  proof: string[];
}

/** A table. */
export interface RulesQuery {
  table?: string;
}

/** The screen that connects. */
export interface SocketQuery {
  as?: "dealer" | "display" | "player";
}

/** A name and a password: for a player the number of the card and the PIN. */
export interface SignInForm {
  name: string;
  password: string;
}

/** A ticket by its validation number, with or without blanks and dashes. */
export interface TicketNumber {
  number: string;
}

/** The token of an invitation, and the password that the person chose. */
export interface InvitationForm {
  token: string;
  password: string;
}

/** A person to enrol, or to change. */
export interface PersonForm {
  name: string;
  role: "auditor" | "cashier" | "dealer" | "host" | "operator" | "player" | "supervisor";
  /** False closes the account. */
  active?: boolean;
  /** A second person's code, where a role that checks others is given. */
  approval?: string;
}

/** Another link for a person. */
export interface InviteAgain {
  /** A second person's code, where the person's role checks others. */
  approval?: string;
}

/** A terminal to enrol; or a card reader, with the table at which it `reads` (docs/devices.md). */
export interface TerminalForm {
  name: string;
  reads?: string;
}

/** The token of an enrolled terminal, and the key by which its browser proves from now on to be it. */
export interface TerminalToken {
  token: string;
  /** The public half of a key on P-256 that the browser keeps, as SubjectPublicKeyInfo in hexadecimal digits; empty where the browser can keep none, because the page did not come over https. */
  public_key?: string;
  /** `podium-terminal-1`, a newline, the token and a newline, signed with the key, in hexadecimal digits. */
  proof?: string;
}

/** The present password and the new one. */
export interface PasswordChange {
  old: string;
  new: string;
}

/** A passkey that the browser made. */
export interface PasskeyForm {
  /** What the person calls the device. */
  name: string;
  /** What the browser answered, as JSON. */
  credential: string;
}

/** A passkey that the browser used. */
export interface PasskeySignIn {
  /** What the browser answered, as JSON. */
  credential: string;
}

/** Whether a second person accepts an act or refuses it. */
export interface ApprovalDecision {
  accept: boolean;
}

/** The notice of a reopened round that the player has read. */
export interface NoticeForm {
  table: string;
  round: number;
  telling: number;
}

/** The table whose shoes are listed. */
export interface ShoesQuery {
  table?: string;
}

/** A shoe that has ended. */
export interface ProofQuery {
  table?: string;
  /** Its number at the table. */
  shoe?: string;
}

/** A player's own limits; 0 for none. A lower limit holds at once, a higher one after a day. */
export interface LimitsForm {
  /** The most that may be lost in a gaming day, in minor units. */
  loss?: number;
  /** The most that may be at stake at once, at all boxes and tables. */
  stake?: number;
  /** Minutes of play in a gaming day. */
  minutes?: number;
  /** Minutes of play from one reminder to the next. */
  reminder?: number;
}

/** How long the player takes a break. */
export interface BreakForm {
  hours: number;
}

/** One of the terms that the house offers, in days; 0 for no end. */
export interface OwnExclusionForm {
  days: number;
}

/** A player whose age the cashier has checked. */
export interface AgeForm {
  name: string;
}

/** Somebody whom the house excludes. */
export interface ExclusionForm {
  name: string;
  reason: string;
  /** 0 for no end. */
  days?: number;
}

/** An exclusion by the house that ends before its time. */
export interface LiftForm {
  name: string;
  reason: string;
  /** A second person's code. */
  approval?: string;
}

/** A player, by name or by the number of the card. */
export interface PlayerName {
  name?: string;
}

/** Cash for a player's credit. */
export interface BuyIn {
  name: string;
  amount: number;
}

/** A player's credit for cash. */
export interface CashOut {
  name: string;
  amount: number;
  /** A supervisor's code; needed above the limit of the house. */
  approval?: string;
}

/** A player whose large win was paid by hand. */
export interface AttendantPay {
  name: string;
}

/** A correction of a player's balance. */
export interface Adjustment {
  name: string;
  /** Above or below 0. */
  amount: number;
  reason: string;
  /** A supervisor's code. */
  approval?: string;
}

/** Tips that the cage pays a dealer. */
export interface TipsPaid {
  /** The dealer. */
  name: string;
  amount: number;
}

/** Credit from or to a player's account elsewhere. */
export interface ElectronicTransfer {
  name: string;
  amount: number;
  /** What the other system calls the transfer. */
  reference: string;
}

/** A player's debt that is paid, in part or whole. */
export interface DebtPayment {
  name: string;
  amount: number;
  /** In cash, instead of from the credit. */
  in_cash?: boolean;
}

/** A debt that the house forgives, in part or whole. */
export interface DebtForgiven {
  name: string;
  amount: number;
  reason: string;
  /** A supervisor's code. */
  approval?: string;
}

/** Cash for a new ticket. */
export interface TicketSale {
  amount: number;
}

/** A ticket to make void. */
export interface TicketVoid {
  number: string;
  reason: string;
  /** A supervisor's code. */
  approval?: string;
}

/** A table to add. */
export interface NewTable {
  name: string;
  /** As in podium.toml. */
  config: TableConfig;
}

/** The configuration of a table: its game, the options of the game, its pace. */
export interface TableConfig {
  game: string;
  options?: Record<string, unknown>;
  /** Who deals: the house itself, or a dealer at the podium. Where the house deals, there are no wagers for the dealer unless the option dealer_wagers is set (SBJ 5.c.viii). */
  dealer?: "automated" | "live";
  /** How long bets are taken. */
  betting_seconds?: number;
  /** How long players have to answer insurance and even money, before the time for deciding begins. */
  insurance_seconds?: number;
  /** How long players have to decide. */
  decision_seconds?: number;
  /** How long the table waits for the answers of players who have lost the connection or are leaving, when everybody else has answered (DSC-2). */
  absent_seconds?: number;
  /** The least time that the table still waits after an interruption of the house itself. If more was left when the house stopped, that is kept (DSC-2). */
  resume_seconds?: number;
  /** How long a result is shown before the automated dealer goes on. */
  result_seconds?: number;
  /** The automated dealer's pace; 0 deals at once. */
  card_seconds?: number;
  /** How long the automated dealer waits for the terminals' part in a shuffle. */
  shuffle_seconds?: number;
  /** Whether the next card comes as soon as everybody has decided, before the time for deciding is over. */
  close_early?: boolean;
  /** Whether betting closes when everybody who sits at the table has bet. */
  close_betting_early?: boolean;
  /** The share of the shoe that is dealt before the cut card comes out. */
  penetration?: number;
  /** What shuffles at a live table: none, a shoe is loaded; every-round, a machine gives a fresh deck with each New Game; continuous, a machine takes the cards back after each round (CARD-10). Empty: as the game's document says. */
  shuffler?: "continuous" | "every-round" | "none" | null;
  /** How many cards are burned when a live shoe is loaded, before the first round (CARD-10). */
  burn_cards?: number;
  /** How long a card that a reader read is shown to the dealer before it counts, unless the next one is read before (CARD-11). */
  reading_hold_seconds?: number;
  /** How long the seat of a player who has lost the connection is kept, when the player has no wager in play (DSC-1). */
  seat_kept_minutes?: number;
  /** How many players may sit down; empty for as many as the game takes. */
  places?: number | null;
  /** How many boxes one player may have; empty for the usual number of the game: 3 at Stadium Blackjack, else 1. */
  boxes?: number | null;
  /** What a dealer may do only with a supervisor's approval. */
  approvals?: ("correct" | "void")[];
  /** Whether a dealer needs a supervisor's approval to correct a card that something has followed: another card, a decision or a time-out. */
  correction_approval?: boolean;
  /** The win in one round from which the terminal is locked until an attendant has paid; 0 for never (HP-1). */
  attendant_pays_from?: number;
  /** What happens to a player's decision when a correction changes the player's own hand: it stands, or the player is asked again if no card was shown since. */
  after_correction?: "ask-affected" | "decisions-stand";
  /** How long after its result was confirmed a round can be reopened by two people, to be settled again with the right cards or voided; 0 for never (VOID-4). */
  reopen_minutes?: number;
  /** Whether dealers practise at this live table: only guests sit down there, with play money and without wagers for the dealer, and its rounds are in no report of money. */
  training?: boolean;
  /** Whether players may ask the coach what each decision is worth. */
  coach?: boolean;
}

/** The state that a table is to have and, unless it is open, why. */
export interface StateForm {
  state: "closed" | "open" | "paused";
  reason?: string;
  /** A reason from the list; `reason` is text written in addition, or instead. */
  why?: "" | "break" | "count" | "damaged" | "dispute" | "early" | "end-of-day" | "entered-twice" | "exposed" | "generator-favours" | "generator-repeats" | "malfunction" | "misdeal" | "missed-card" | "no-wagers" | "not-configured" | "on-floor" | "out-of-order" | "routine" | "shoe-empty" | "wrong-card" | "wrong-peek";
}

/** Why the floor wants another shoe or deck. */
export interface ShoeForm {
  reason: string;
}

/** The round that the floor voids, and why. */
export interface VoidForm {
  round: number;
  reason?: string;
  /** A reason from the list; `reason` is text written in addition, or instead. */
  why?: "" | "break" | "count" | "damaged" | "dispute" | "early" | "end-of-day" | "entered-twice" | "exposed" | "generator-favours" | "generator-repeats" | "malfunction" | "misdeal" | "missed-card" | "no-wagers" | "not-configured" | "on-floor" | "out-of-order" | "routine" | "shoe-empty" | "wrong-card" | "wrong-peek";
}

/** The round whose cards the floor begins to correct. */
export interface BeginForm {
  round: number;
}

/** The correction that is abandoned: the cards stay as they are. */
export interface AbandonForm {
  round: number;
  /** Its number; 0 for whichever is open. */
  correction?: number;
}

/** What the floor corrects of a round's cards, all in one act, and why. */
export interface CorrectForm {
  round: number;
  fixes: (ReplaceCard | InsertCard | RemoveCard | SwapCards | WithdrawPeek)[];
  reason?: string;
  why?: "" | "break" | "count" | "damaged" | "dispute" | "early" | "end-of-day" | "entered-twice" | "exposed" | "generator-favours" | "generator-repeats" | "malfunction" | "misdeal" | "missed-card" | "no-wagers" | "not-configured" | "on-floor" | "out-of-order" | "routine" | "shoe-empty" | "wrong-card" | "wrong-peek";
  /** The open correction that is done with this, which asked again is done once; 0 where none was opened and cards are only replaced. */
  correction?: number;
}

/** Options of the rules, and settings of the table (timers, dealer, places). Those left out stay as they are. */
export interface TableChange {
  options?: Record<string, unknown>;
  settings?: Record<string, unknown>;
}

/** The time whose tips are shared, in milliseconds since 1970: a shift, or any other. */
export interface TipsShare {
  /** 0 for the beginning. */
  since?: number;
  /** 0 for now. */
  until?: number;
}

/** The round to look at; 0 for the list of all that can be reopened. */
export interface ReopenableQuery {
  round?: number;
}

/** A round to reopen: to be settled again with its cards corrected, or as void. */
export interface ReopenForm {
  round: number;
  /** The number of this settlement: a request that is sent again is carried out once. */
  telling: number;
  fixes?: (ReplaceCard | InsertCard | RemoveCard | SwapCards | WithdrawPeek)[];
  void?: boolean;
  reason?: string;
  /** A reason from the list; `reason` is text written in addition, or instead. */
  why?: "" | "break" | "count" | "damaged" | "dispute" | "early" | "end-of-day" | "entered-twice" | "exposed" | "generator-favours" | "generator-repeats" | "malfunction" | "misdeal" | "missed-card" | "no-wagers" | "not-configured" | "on-floor" | "out-of-order" | "routine" | "shoe-empty" | "wrong-card" | "wrong-peek";
  approval?: string;
}

/** The player's rounds at one table, or at all of them. */
export interface RoundsQuery {
  table?: string;
}

/** One round of a table. */
export interface RoundQuery {
  table?: string;
  /** Its number at the table. */
  round?: string;
  /** Whose boxes are replayed; empty for the first seat. */
  player?: string;
}

/** The rounds to look for. An empty field matches every round. */
export interface SearchQuery {
  /** The first gaming day, or the moment from which on rounds opened, as in `2026-05-28T14:00` in the house's time zone. */
  from?: string;
  /** The last day, included, or the moment up to which rounds opened. */
  to?: string;
  table?: string;
  player?: string;
  /** Cards that were shown in the round, as in `As Td`. */
  cards?: string;
  /** The least that one player staked in it. */
  staked?: number;
  /** The least that one player won in it, without the stakes. */
  won?: number;
}

/** The events to look for. An empty field matches everything. */
export interface EventsQuery {
  /** A month and a year are to date: up to the end of the day. */
  period?: "" | "day" | "month" | "shift" | "year";
  /** The gaming day of the period, as in `2026-05-28`; empty for today. */
  day?: string;
  /** The number of the shift; 0 for the current one, or the first one of another day. */
  shift?: number;
  /** The first day of a span, or the moment at which it begins, as in `2026-05-28T14:00` in the house's time zone; empty for everything up to the last. */
  from?: string;
  /** The last day, included, or the moment at which the span ends. */
  to?: string;
  kind?: string;
  source?: string;
  who?: string;
  /** Words that the event contains. */
  text?: string;
}

/** The interval of a report, and its format. */
export interface ReportQuery {
  /** A month and a year are to date: up to the end of the day. */
  period?: "" | "day" | "month" | "shift" | "year";
  /** The gaming day of the period, as in `2026-05-28`; empty for today. */
  day?: string;
  /** The number of the shift; 0 for the current one, or the first one of another day. */
  shift?: number;
  /** The first day of a span, or the moment at which it begins, as in `2026-05-28T14:00` in the house's time zone; empty for everything up to the last. */
  from?: string;
  /** The last day, included, or the moment at which the span ends. */
  to?: string;
  format?: "csv" | "json";
}

/** Two sizes of one log. */
export interface ConsistencyQuery {
  stream: string;
  /** The earlier number of entries. */
  from: number;
  /** The later number of entries, which must be signed. */
  to: number;
}

/** An entry of a log, and a size of it. */
export interface InclusionQuery {
  stream: string;
  /** Its number in the stream. */
  entry: number;
  /** A number of entries that is signed. */
  to: number;
}

/** What each route answers. */
export interface Answers {
  "GET /api/house": HouseCard;
  "GET /api/health": HealthCard;
  "GET /api/tables": TableCard[];
  "GET /api/rules": RulesInForce;
  "GET /api/terminal": SocketCard;
  "GET /api/me": PersonCard | null;
  "POST /api/guest": PersonCard;
  "POST /api/sign-in": PersonCard;
  "POST /api/sign-in/ticket": PersonCard;
  "POST /api/sign-out": Done;
  "POST /api/invitations": PersonCard;
  "GET /api/people": PersonCard[];
  "POST /api/people": PersonCard;
  "POST /api/people/{name}/invitation": InvitationCard;
  "GET /api/terminals": TerminalCard[];
  "POST /api/terminals": NewTerminal;
  "DELETE /api/terminals/{name}": Done;
  "POST /api/terminals/here": TerminalHere;
  "GET /api/terminals/challenge": ChallengeCard;
  "POST /api/me/password": Done;
  "GET /api/me/passkeys": PasskeyCard[];
  "POST /api/me/passkeys/begin": PasskeyOptions;
  "POST /api/me/passkeys": PasskeyCard;
  "DELETE /api/me/passkeys/{key}": Done;
  "POST /api/sign-in/passkey/begin": PasskeyOptions;
  "POST /api/sign-in/passkey": PersonCard;
  "GET /api/approvals": ApprovalCard[];
  "GET /api/approvals/mine": ApprovalCard[];
  "POST /api/approvals/{key}": ApprovalCard;
  "POST /api/approvals/{key}/code": ApprovalCode;
  "POST /api/cash-out": TicketCard;
  "POST /api/redeem": AccountCard;
  "POST /api/notices/read": Done;
  "GET /api/shoes": ShoeCard[];
  "GET /api/proof": DealtProof;
  "GET /api/protection": ProtectionCard;
  "POST /api/protection/limits": ProtectionCard;
  "POST /api/protection/break": Done;
  "POST /api/protection/exclusion": Done;
  "POST /api/protection/reminder": ProtectionCard;
  "POST /api/protection/age": ProtectionCard;
  "POST /api/cashier/age": AccountCard;
  "GET /api/floor/exclusions": ExclusionCard[];
  "POST /api/floor/exclusions": Done;
  "POST /api/floor/exclusions/lift": Done;
  "GET /api/cashier/account": AccountCard;
  "POST /api/cashier/buy-in": AccountCard;
  "POST /api/cashier/cash-out": AccountCard;
  "POST /api/cashier/attendant-pay": AccountCard;
  "POST /api/cashier/adjustments": AccountCard;
  "GET /api/cashier/tips": TipsCard[];
  "POST /api/cashier/tips/pay": TipsCard;
  "POST /api/transfers/in": AccountCard;
  "POST /api/transfers/out": AccountCard;
  "POST /api/cashier/debts/pay": AccountCard;
  "POST /api/cashier/debts/forgive": AccountCard;
  "GET /api/cashier/debts": DebtCard[];
  "POST /api/cashier/tickets": TicketCard;
  "POST /api/cashier/tickets/find": TicketCard;
  "POST /api/cashier/tickets/pay": TicketCard;
  "POST /api/cashier/tickets/void": TicketCard;
  "GET /api/floor/tables": FloorTable[];
  "POST /api/floor/tables": FloorTable;
  "POST /api/floor/tables/{table}": FloorTable;
  "POST /api/floor/tables/{table}/shoe": FloorTable;
  "POST /api/floor/tables/{table}/void": FloorTable;
  "POST /api/floor/tables/{table}/correction/begin": BegunCorrection;
  "POST /api/floor/tables/{table}/correction/abandon": FloorTable;
  "POST /api/floor/tables/{table}/correction": FloorTable;
  "GET /api/floor/tables/{table}/options": OptionCard[];
  "GET /api/floor/tables/{table}/settings": Setting[];
  "POST /api/floor/tables/{table}/preview": Preview;
  "POST /api/floor/tables/{table}/schedule": ScheduledRules;
  "POST /api/floor/tips/share": ShareCard[];
  "GET /api/floor/tables/{table}/reopening": ReopenableRound[];
  "POST /api/floor/tables/{table}/reopening": ReopenedRound;
  "GET /api/rounds": RecordedRound[];
  "GET /api/recall": RecordedRound[];
  "GET /api/recall/search": FoundRound[];
  "GET /api/events": EventCard[];
  "GET /api/calendar": CalendarCard;
  "GET /api/reports": ReportName[];
  "GET /api/reports/{name}": ReportCard;
  "POST /api/record/proof": RecordProof;
  "POST /api/record/backups": BackupCard;
  "GET /api/log/consistency": LogProof;
  "GET /api/log/inclusion": LogProof;
}

/** What a route takes as its body. */
export interface Bodies {
  "POST /api/sign-in": SignInForm;
  "POST /api/sign-in/ticket": TicketNumber;
  "POST /api/invitations": InvitationForm;
  "POST /api/people": PersonForm;
  "POST /api/people/{name}/invitation": InviteAgain;
  "POST /api/terminals": TerminalForm;
  "POST /api/terminals/here": TerminalToken;
  "POST /api/me/password": PasswordChange;
  "POST /api/me/passkeys": PasskeyForm;
  "POST /api/sign-in/passkey": PasskeySignIn;
  "POST /api/approvals/{key}": ApprovalDecision;
  "POST /api/redeem": TicketNumber;
  "POST /api/notices/read": NoticeForm;
  "POST /api/protection/limits": LimitsForm;
  "POST /api/protection/break": BreakForm;
  "POST /api/protection/exclusion": OwnExclusionForm;
  "POST /api/cashier/age": AgeForm;
  "POST /api/floor/exclusions": ExclusionForm;
  "POST /api/floor/exclusions/lift": LiftForm;
  "POST /api/cashier/buy-in": BuyIn;
  "POST /api/cashier/cash-out": CashOut;
  "POST /api/cashier/attendant-pay": AttendantPay;
  "POST /api/cashier/adjustments": Adjustment;
  "POST /api/cashier/tips/pay": TipsPaid;
  "POST /api/transfers/in": ElectronicTransfer;
  "POST /api/transfers/out": ElectronicTransfer;
  "POST /api/cashier/debts/pay": DebtPayment;
  "POST /api/cashier/debts/forgive": DebtForgiven;
  "POST /api/cashier/tickets": TicketSale;
  "POST /api/cashier/tickets/find": TicketNumber;
  "POST /api/cashier/tickets/pay": TicketNumber;
  "POST /api/cashier/tickets/void": TicketVoid;
  "POST /api/floor/tables": NewTable;
  "POST /api/floor/tables/{table}": StateForm;
  "POST /api/floor/tables/{table}/shoe": ShoeForm;
  "POST /api/floor/tables/{table}/void": VoidForm;
  "POST /api/floor/tables/{table}/correction/begin": BeginForm;
  "POST /api/floor/tables/{table}/correction/abandon": AbandonForm;
  "POST /api/floor/tables/{table}/correction": CorrectForm;
  "POST /api/floor/tables/{table}/preview": TableChange;
  "POST /api/floor/tables/{table}/schedule": TableChange;
  "POST /api/floor/tips/share": TipsShare;
  "POST /api/floor/tables/{table}/reopening": ReopenForm;
}

/** What a route takes after the question mark. */
export interface Queries {
  "GET /api/rules": RulesQuery;
  "GET /api/terminal": SocketQuery;
  "GET /api/shoes": ShoesQuery;
  "GET /api/proof": ProofQuery;
  "GET /api/cashier/account": PlayerName;
  "GET /api/floor/tables/{table}/reopening": ReopenableQuery;
  "GET /api/rounds": RoundsQuery;
  "GET /api/recall": RoundQuery;
  "GET /api/recall/search": SearchQuery;
  "GET /api/events": EventsQuery;
  "GET /api/reports/{name}": ReportQuery;
  "GET /api/log/consistency": ConsistencyQuery;
  "GET /api/log/inclusion": InclusionQuery;
}

/** What a field is when the house leaves it out. */
export const DEFAULTS = {
  "HealthCard": {
    "why": null
  },
  "TableHealth": {
    "why": null,
    "last_at": 0,
    "due": null
  },
  "DiskHealth": {
    "why": null,
    "bytes_per_day": 0,
    "days": null
  },
  "StoreHealth": {
    "why": null
  },
  "WitnessHealth": {
    "fetched_at": null,
    "why": null
  },
  "BackupHealth": {
    "made_at": null,
    "why": null,
    "copied_at": null
  },
  "ClockHealth": {
    "why": null
  },
  "PersonCard": {
    "invitation": ""
  },
  "PlayLimits": {
    "loss": 0,
    "stake": 0,
    "minutes": 0,
    "reminder": 0
  },
  "FloorTable": {
    "most": null,
    "seats": null,
    "training": false,
    "dealers": []
  },
  "RoundRecord": {
    "designators": {},
    "difference": "",
    "earlier": []
  },
  "Step": {
    "seat": 0,
    "by_system": false
  },
  "PlayerRecord": {
    "tips": 0,
    "held": 0,
    "wagers": {},
    "for_dealer": {},
    "spots": [],
    "decisions": [],
    "hands": [],
    "settled": []
  }
} as const;

/** Which fields hold further structs, and within how many lists or tables. */
export const INNER: Record<string, Record<string, readonly [string, number]>> = {
  "HealthCard": {
    "tables": [
      "TableHealth",
      1
    ],
    "disk": [
      "DiskHealth",
      0
    ],
    "store": [
      "StoreHealth",
      0
    ],
    "witness": [
      "WitnessHealth",
      0
    ],
    "backups": [
      "BackupHealth",
      0
    ],
    "clock": [
      "ClockHealth",
      0
    ]
  },
  "ProtectionCard": {
    "limits": [
      "PlayLimits",
      0
    ],
    "chosen": [
      "PlayLimits",
      0
    ],
    "excluded": [
      "ExclusionCard",
      0
    ]
  },
  "Preview": {
    "chapters": [
      "Chapter",
      1
    ],
    "wagers": [
      "ParLine",
      1
    ]
  },
  "RecordedRound": {
    "steps": [
      "RecordedStep",
      1
    ],
    "record": [
      "RoundRecord",
      0
    ]
  },
  "RecordedStep": {
    "layout": [
      "Layout",
      0
    ],
    "view": [
      "SeatView",
      0
    ]
  },
  "RoundRecord": {
    "steps": [
      "Step",
      1
    ],
    "players": [
      "PlayerRecord",
      1
    ],
    "earlier": [
      "RoundRecord",
      1
    ]
  },
  "PlayerRecord": {
    "hands": [
      "HandResult",
      1
    ],
    "settled": [
      "WagerResult",
      1
    ]
  }
};

/** Which struct an answer holds, and within how many lists or tables, where fields of it may be left out. */
export const ANSWERED: Record<string, readonly [string, number]> = {
  "GET /api/health": [
    "HealthCard",
    0
  ],
  "GET /api/tables": [
    "TableCard",
    1
  ],
  "GET /api/rules": [
    "RulesInForce",
    0
  ],
  "GET /api/me": [
    "PersonCard",
    0
  ],
  "POST /api/guest": [
    "PersonCard",
    0
  ],
  "POST /api/sign-in": [
    "PersonCard",
    0
  ],
  "POST /api/sign-in/ticket": [
    "PersonCard",
    0
  ],
  "POST /api/invitations": [
    "PersonCard",
    0
  ],
  "GET /api/people": [
    "PersonCard",
    1
  ],
  "POST /api/people": [
    "PersonCard",
    0
  ],
  "POST /api/sign-in/passkey": [
    "PersonCard",
    0
  ],
  "GET /api/protection": [
    "ProtectionCard",
    0
  ],
  "POST /api/protection/limits": [
    "ProtectionCard",
    0
  ],
  "POST /api/protection/reminder": [
    "ProtectionCard",
    0
  ],
  "POST /api/protection/age": [
    "ProtectionCard",
    0
  ],
  "GET /api/floor/tables": [
    "FloorTable",
    1
  ],
  "POST /api/floor/tables": [
    "FloorTable",
    0
  ],
  "POST /api/floor/tables/{table}": [
    "FloorTable",
    0
  ],
  "POST /api/floor/tables/{table}/shoe": [
    "FloorTable",
    0
  ],
  "POST /api/floor/tables/{table}/void": [
    "FloorTable",
    0
  ],
  "POST /api/floor/tables/{table}/correction/abandon": [
    "FloorTable",
    0
  ],
  "POST /api/floor/tables/{table}/correction": [
    "FloorTable",
    0
  ],
  "POST /api/floor/tables/{table}/preview": [
    "Preview",
    0
  ],
  "GET /api/rounds": [
    "RecordedRound",
    1
  ],
  "GET /api/recall": [
    "RecordedRound",
    1
  ]
};
