import { start } from "$lib/start";
import Parts from "./Parts.svelte";

void start(Parts);
