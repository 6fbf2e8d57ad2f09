import { wholeLink } from "./api";
import { messageOf } from "./failure";
import { w } from "./words";

/** Something is asked of the house over HTTP: what came of it is said, and a link that it gave is there to be handed over. */
export class Asking {
  said = $state("");
  link = $state("");

  /** `after` looks anew at what the house has, when something was done. */
  constructor(private readonly after: () => Promise<unknown> = () => Promise.resolve()) {}

  /** The answer may be a link of the house, whole or as a path. */
  async tries(call: () => Promise<string | void>): Promise<void> {
    this.said = this.link = "";
    try {
      const link = await call();
      this.said = w("done");
      this.link = link ? wholeLink(link) : "";
      await this.after();
    } catch (error) {
      this.failed(error);
    }
  }

  failed = (error: unknown): void => {
    this.said = w("failed", { why: messageOf(error) });
  };
}
