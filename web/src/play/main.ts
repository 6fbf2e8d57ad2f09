import { mount } from "svelte";
import { ready } from "$lib/words";
import "../felt.css";
import Play from "./Play.svelte";

void ready().then(() => mount(Play, { target: document.body }));
