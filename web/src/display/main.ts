import { mount } from "svelte";
import { ready } from "$lib/words";
import "../felt.css";
import Display from "./Display.svelte";

void ready().then(() => mount(Display, { target: document.body }));
