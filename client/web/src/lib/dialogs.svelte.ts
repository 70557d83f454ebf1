/** The one dialog of the page that any screen may open. */

import { session } from './session.svelte';

export type Shown = 'enter' | 'log_in' | 'log_out' | 'settings' | 'keys';

class Dialogs {
  shown = $state<Shown | null>(null);

  open(which: Shown): void {
    this.shown = which;
  }

  close(): void {
    this.shown = null;
  }
}

export const dialogs = new Dialogs();

/** A guest is asked first: there is no way back to one. */
export function logOut(): void {
  if (session.account?.kind === 'guest') dialogs.open('log_out');
  else void session.logOut();
}
