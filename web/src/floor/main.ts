import { start } from "$lib/start";
import Floor from "./Floor.svelte";

void start(Floor);
