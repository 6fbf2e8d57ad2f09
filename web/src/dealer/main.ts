import { start } from "$lib/start";
import Dealer from "./Dealer.svelte";

void start(Dealer);
