import { mount } from "svelte";
import "../felt.css";
import Floor from "./Floor.svelte";

mount(Floor, { target: document.body });
