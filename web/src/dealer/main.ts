import { mount } from "svelte";
import { ready } from "$lib/words";
import "../felt.css";
import Dealer from "./Dealer.svelte";

void ready().then(() => mount(Dealer, { target: document.body }));
