import { mount } from "svelte";
import "../felt.css";
import Display from "./Display.svelte";

mount(Display, { target: document.body });
