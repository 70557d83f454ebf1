/** What the browser keeps between visits. A browser that keeps nothing (a private window) only forgets sooner. */

const PREFIX = 'fullring.';

export function stored(key: string): unknown {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Keeps the value; null forgets it. */
export function store(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Full, or forbidden: the value lives as long as the page.
  }
}

/** Calls back when another tab of this browser changes the value. Returns what ends that. */
export function onStored(key: string, changed: (value: unknown) => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === PREFIX + key || event.key === null) changed(stored(key));
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}
