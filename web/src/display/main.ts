import { start } from "$lib/start";
import Display from "./Display.svelte";

void start(Display);
