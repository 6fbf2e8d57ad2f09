import { start } from "$lib/start";
import Play from "./Play.svelte";

void start(Play);
