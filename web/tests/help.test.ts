import { cleanup, render } from "@testing-library/svelte";
import { afterEach, describe, expect, test } from "vitest";
import Help from "../src/play/Help.svelte";
import Paytables from "../src/play/Paytables.svelte";
import type { RulesInForce } from "../src/generated/protocol";
import { complete } from "../src/lib/complete";
import { settings } from "../src/lib/settings.svelte";
import { odds, outcome, w, wager as wagerName } from "../src/lib/words";
import { SCENES, scene } from "./scene";

afterEach(cleanup);

/** The rules that the house sends in a scene, with a return for every wager, as the mathematics adds them. */
function inForce(name: string): RulesInForce {
  const messages = scene(name).flatMap((step) => step.messages);
  const rules = complete(messages.find((message) => message.is === "rules") as never) as unknown as RulesInForce;
  return { ...rules, wagers: rules.wagers.map((wager, at) => ({ ...wager, returns: 0.9 + at / 1000 })) };
}

const text = (node: Element) => (node.textContent ?? "").replace(/\s+/g, " ");

describe.each(SCENES)("the help of %s", (name) => {
  test("has every paytable and return (DISP-3, DISP-7)", () => {
    Object.assign(settings, { language: "en" });
    const rules = inForce(name);
    const shown = rules.wagers.filter((wager) => !wager.wager.includes("@"));
    const { container } = render(Help, { rules });
    const sections = [...container.querySelectorAll("section")];
    for (const wager of shown) {
      const section = sections.find((each) =>
        text(each.querySelector("h3")!).trim().startsWith(wagerName(wager.wager, wager.title)),
      );
      expect(section, wager.wager).toBeTruthy();
      const rows = [...section!.querySelectorAll("tbody tr")].map((row) => [...row.children].map(text).join(" "));
      expect(rows).toEqual(Object.entries(wager.pays).map(([line, pays]) => `${outcome(line)} ${odds(pays)}`));
      expect(text(section!)).toContain(w("returns", { percent: `${(wager.returns! * 100).toFixed(3)} %` }));
    }
    expect(sections.length).toBe(shown.length + 1);
  });

  test("has what every wager pays in short (DISP-3)", () => {
    Object.assign(settings, { language: "en" });
    const { wagers } = inForce(name);
    const { container } = render(Paytables, { wagers });
    const lines = [...container.querySelectorAll(".line")].map(text);
    const wanted = wagers.filter((wager) => !wager.wager.includes("@")).flatMap((wager) => Object.entries(wager.pays));
    expect(lines).toEqual(wanted.map(([line, pays]) => `${outcome(line)} ${odds(pays)}`));
  });
});
