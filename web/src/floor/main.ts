import { mount } from "svelte";
import { ready } from "$lib/words";
import "../felt.css";
import Floor from "./Floor.svelte";

void ready().then(() => mount(Floor, { target: document.body }));
