/**
 * A barcode reader types like a keyboard: the page hears it whatever has the focus.
 *
 * Keys that follow each other at once and end with Enter are one reading. It goes to whoever listened last (a pad in an open
 * sheet before the one beneath it) and to nothing else: the field or button that has the focus does not notice.
 */
import { readCard } from "./cards";

/** Of keys that are typed into a field, only those of a machine are a reading; elsewhere a person may type a card too. */
const MACHINE_MS = 150;
const PERSON_MS = 2_000;

export type Hears = (card: string) => unknown;

interface Typed {
  text: string;
  at: number;
  field: HTMLInputElement | HTMLTextAreaElement | null;
  /** What was in the field before, which is put back. */
  value: string;
}

export class Reader {
  #typed: Typed | null = null;
  #listening: Hears[] = [];
  #queue: Promise<void> = Promise.resolve();

  constructor(
    /** Readings that are not cards. */
    readonly unreadable: (text: string) => void,
    readonly now: () => number = () => performance.now(),
  ) {}

  /** Give readings to this one first, until the returned function is called. */
  listen(hears: Hears): () => void {
    this.#listening.push(hears);
    return () => (this.#listening = this.#listening.filter((each) => each !== hears));
  }

  /** Takes every key of the page before anything else does. */
  key = (event: KeyboardEvent): void => {
    if (!(event instanceof KeyboardEvent)) return; // what fills in a form for a person has no key
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.key === "Enter") return this.#end(event);
    if (event.key === "Shift") return;
    if (event.key.length !== 1 || event.key === " ") {
      this.#typed = null;
      return;
    }
    const field = fieldOf(event.target);
    const at = this.now();
    const typed = this.#typed;
    if (typed?.field === field && at - typed.at <= (field ? MACHINE_MS : PERSON_MS))
      this.#typed = { ...typed, text: typed.text + event.key, at };
    else this.#typed = { text: event.key, at, field, value: field?.value ?? "" };
  };

  #end(event: KeyboardEvent): void {
    const typed = this.#typed;
    this.#typed = null;
    if (!typed || typed.text.length < 2) return;
    if (this.now() - typed.at > (typed.field ? MACHINE_MS : PERSON_MS)) return;
    const card = readCard(typed.text);
    if (!card && typed.field) return; // a person who types fast
    event.preventDefault();
    event.stopImmediatePropagation();
    restore(typed);
    if (!card) return this.unreadable(typed.text);
    // One after another: the next one is for the place after this one.
    this.#queue = this.#queue.then(async () => void (await this.#listening.at(-1)?.(card)));
  }
}

function fieldOf(target: EventTarget | null): HTMLInputElement | HTMLTextAreaElement | null {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target : null;
}

function restore({ field, value }: Typed): void {
  if (!field) return;
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
