import { mount } from "svelte";
import "../felt.css";
import Play from "./Play.svelte";

mount(Play, { target: document.body });
