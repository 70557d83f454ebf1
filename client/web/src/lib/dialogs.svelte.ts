/** The one dialog of the page that any screen may open. */

export type Shown = 'enter' | 'log_in' | 'settings' | 'keys';

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
