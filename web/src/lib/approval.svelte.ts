/** Something that a second person must approve (SEC-6): tried, waited for, and tried again once it is accepted. */
import type { Phrase } from "../generated/protocol";
import { api, Refused, Waits } from "./api";
import { w } from "./words";

const LOOK_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;
const same = (one: Phrase, other: Phrase | null): boolean => JSON.stringify(one) === JSON.stringify(other);

export class Approval {
  /** What waits for a second person; null when nothing does. */
  act = $state.raw<Phrase | null>(null);
  /** Why the code that was typed did not fit. */
  said = $state("");
  #settle: ((code: string | Refused) => void) | null = null;

  /** Try something until it is done. A code that was typed is given to `attempt`; without one it is empty. */
  async through<T>(attempt: (code: string) => Promise<T>): Promise<T> {
    let code = "";
    try {
      for (;;) {
        try {
          return await attempt(code);
        } catch (error) {
          if (error instanceof Waits) this.act = error.act;
          else if (code && error instanceof Refused) this.said = error.message;
          else throw error;
        }
        code = await this.#accepted();
      }
    } finally {
      this.act = null;
      this.said = "";
    }
  }

  /** A code that the second person gave for this act. */
  type(code: string): void {
    this.said = "";
    this.#settle?.(code);
  }

  /** Wait no longer: nothing is done. */
  stop(): void {
    this.#settle?.(new Refused(w("approval-stopped")));
  }

  /** Until it is accepted on the second person's screen, or a code is typed here. */
  async #accepted(): Promise<string> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const told = await new Promise<string | Refused>((settle) => {
      this.#settle = settle;
      let pause = LOOK_MS;
      const look = async (): Promise<void> => {
        const news = await this.#news();
        if (this.#settle !== settle) return;
        if (news !== null) settle(news);
        else timer = setTimeout(() => void look(), (pause = Math.min(pause * 1.2, LONGEST_PAUSE_MS)));
      };
      void look();
    });
    clearTimeout(timer);
    this.#settle = null;
    if (told instanceof Refused) throw told;
    return told;
  }

  /** What has become of it: an empty code when it was accepted, null as long as it waits. */
  async #news(): Promise<"" | Refused | null> {
    const asked = await api.myApprovals().catch(() => null);
    if (asked === null) return null;
    const found = asked.find((each) => same(each.said, this.act));
    if (!found) return new Refused(w("approval-ended"));
    if (found.state === "refused") return new Refused(w("approval-refused", { name: found.by }));
    return found.state === "accepted" ? "" : null;
  }
}
