/** The English that only the floor says. */
import words from "$languages/en.json?floor";
import { learn } from "$lib/words/languages";

learn(words);
