/** The keyboard. Keys belong to whoever asked last; while somebody types, or a dialog is open, to nobody. */

export type Bindings = Readonly<Record<string, () => unknown>>;

class Keys {
  #bindings: Bindings[] = [];

  start(): void {
    addEventListener('keydown', (event) => this.#pressed(event));
  }

  /** Until the function that it returns is called. */
  with(bindings: Bindings): () => void {
    this.#bindings = [...this.#bindings, bindings];
    return () => (this.#bindings = this.#bindings.filter((other) => other !== bindings));
  }

  #pressed(event: KeyboardEvent): void {
    // Held down it presses a button once, which may be another by then.
    if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement) event.preventDefault();
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) {
      if (!event.key.startsWith('Arrow') || event.ctrlKey || event.metaKey || event.altKey) return;
    }
    if (taken(event)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const found = this.#bindings.findLast((bindings) => Object.hasOwn(bindings, key))?.[key];
    if (!found) return;
    event.preventDefault();
    found();
  }
}

/** Whether something is written and not sent, or a table's dialog is open: its letters would be another table's keys. */
export function inTheMiddle(): boolean {
  const field = document.activeElement;
  if (field instanceof HTMLInputElement && field.type === 'text' && field.value !== '') return true;
  return document.querySelector('main dialog[open]') !== null;
}

/** Whether the key does something already where the focus is. */
function taken(event: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open]')) return true;
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  if (target instanceof HTMLInputElement) return target.type !== 'range' || event.key.startsWith('Arrow');
  return event.key === 'Enter' && (target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement);
}

export const keys = new Keys();
