/** How every screen begins: its words, its typeface, its page. */
import { mount, type Component } from "svelte";
import { ready } from "./words";
import "../typeface.css";
import "../tokens.css";
import "../felt.css";

/**
 * Draws a screen once its words are there. The list of the hundred parts of the Chinese typeface comes after that: names that
 * people typed are written in it on every screen, and nobody waits for it.
 */
export async function start(screen: Component): Promise<void> {
  await ready();
  mount(screen, { target: document.body });
  await import("@fontsource-variable/noto-sans-sc/wght.css");
}
