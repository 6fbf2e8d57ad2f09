import { mount } from "svelte";
import "../felt.css";
import Dealer from "./Dealer.svelte";

mount(Dealer, { target: document.body });
