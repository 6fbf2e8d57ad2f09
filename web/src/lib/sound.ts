/** Short sounds made on the spot; no files. */
import { untrack } from "svelte";
import { settings } from "./settings.svelte";

let context: AudioContext | null = null;

function tone(frequency: number, start: number, length: number, volume: number, shape: OscillatorType): void {
  if (!context) return;
  const at = context.currentTime + start;
  const oscillator = new OscillatorNode(context, { frequency, type: shape });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(volume, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

function rustle(length: number, volume: number): void {
  if (!context) return;
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let place = 0; place < samples.length; place++)
    samples[place] = (Math.random() * 2 - 1) * (1 - place / samples.length) ** 2;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: 2600, Q: 0.7 });
  source
    .connect(filter)
    .connect(new GainNode(context, { gain: volume }))
    .connect(context.destination);
  source.start();
}

const SOUNDS = {
  card: () => rustle(0.09, 0.35),
  chip: () => {
    tone(2100, 0, 0.05, 0.08, "triangle");
    tone(3150, 0.018, 0.05, 0.05, "triangle");
  },
  turn: () => {
    tone(660, 0, 0.12, 0.08, "sine");
    tone(880, 0.1, 0.16, 0.08, "sine");
  },
  win: () => [523, 659, 784, 1047].forEach((frequency, place) => tone(frequency, place * 0.08, 0.3, 0.09, "sine")),
  refused: () => tone(180, 0, 0.16, 0.1, "sine"),
};

/** Effects that signal must not depend on the setting: switching sound on is not a signal. */
export function sound(name: keyof typeof SOUNDS): void {
  if (!untrack(() => settings.sound) || typeof AudioContext === "undefined") return;
  // A browser lets a page sound only after a first tap, and complains where one tries before.
  if (navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  SOUNDS[name]();
}
