/** The protection of whoever plays here (PROT-1): own limits, the day so far, and the reminder that is due. */
import { api } from "./api";
import { messageOf } from "./failure";
import type { ProtectionCard } from "../generated/api";

export class Protection {
  card = $state.raw<ProtectionCard | null>(null);
  /** Why the last request was refused. */
  said = $state("");

  async look(): Promise<void> {
    this.card = await api.protection();
  }

  /** Ask the house for something, and take over what it answers. Whether it was done. */
  async tries(call: () => Promise<ProtectionCard | object>): Promise<boolean> {
    this.said = "";
    try {
      const answer = await call();
      if ("limits" in answer) this.card = answer;
      return true;
    } catch (error) {
      this.said = messageOf(error);
      return false;
    }
  }
}
