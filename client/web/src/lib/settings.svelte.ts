/** What the reader chose. Kept in this browser; assign to a field and it is kept. */

import { LANGUAGES, preferred, speak, type Language } from './i18n.svelte';
import { onStored, store, stored } from './storage';

const KEY = 'settings';

export const THEMES = ['system', 'dark', 'light'] as const;
export const FELTS = ['green', 'blue', 'red', 'grey'] as const;
export type Theme = (typeof THEMES)[number];
export type Felt = (typeof FELTS)[number];

export class Settings {
  fourColour = $state(true);
  theme = $state<Theme>('dark');
  felt = $state<Felt>('green');
  /** Amounts in big blinds instead of chips. */
  inBigBlinds = $state(false);
  /** From 0, silent, to 1. */
  volume = $state(0.5);
  reducedMotion = $state<'system' | boolean>('system');
  /** Never asks whether to show cards. */
  autoMuck = $state(true);
  /** Asks before cards are folded that could be checked for nothing. */
  guardFold = $state(true);
  /** Whether it may notify that it is your turn while the page is hidden. */
  notify = $state(false);
  language = $state<Language>('en');

  /** Reads what was kept, and keeps what changes from now on. Texts follow the language. Resolves when they are there. */
  start(): Promise<void> {
    this.language = preferred(navigator.languages);
    this.#take(stored(KEY));
    const ready = speak(this.language);
    $effect.root(() => {
      $effect(() => store(KEY, this.#chosen()));
      $effect(() => void speak(this.language));
    });
    onStored(KEY, (value) => this.#take(value));
    return ready;
  }

  #chosen() {
    return {
      fourColour: this.fourColour,
      theme: this.theme,
      felt: this.felt,
      inBigBlinds: this.inBigBlinds,
      volume: this.volume,
      reducedMotion: this.reducedMotion,
      autoMuck: this.autoMuck,
      guardFold: this.guardFold,
      notify: this.notify,
      language: this.language,
    };
  }

  /** Takes over what is valid in `kept`, which may be of another version, or anything at all. */
  #take(kept: unknown): void {
    if (typeof kept !== 'object' || kept === null) return;
    const value = (name: string): unknown => (kept as Record<string, unknown>)[name];
    for (const name of ['fourColour', 'inBigBlinds', 'autoMuck', 'guardFold', 'notify'] as const) {
      const given = value(name);
      if (typeof given === 'boolean') this[name] = given;
    }
    const { volume, reducedMotion } = kept as Record<string, unknown>;
    if (typeof volume === 'number' && volume >= 0 && volume <= 1) this.volume = volume;
    if (typeof reducedMotion === 'boolean' || reducedMotion === 'system') this.reducedMotion = reducedMotion;
    this.theme = THEMES.find((theme) => theme === value('theme')) ?? this.theme;
    this.felt = FELTS.find((felt) => felt === value('felt')) ?? this.felt;
    const language = value('language');
    if (typeof language === 'string' && Object.hasOwn(LANGUAGES, language)) this.language = language as Language;
  }
}

export const settings = new Settings();
