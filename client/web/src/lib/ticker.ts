/** A tick a second, also while the page is in the background: the heartbeat must go on there. */

export type Ticker = (tick: () => void) => void;

export const TICK_MS = 1000;

export const ticker: Ticker = (tick) => {
  try {
    const worker = new Worker(new URL('./ticker.worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = tick;
    worker.onerror = () => {
      worker.terminate();
      setInterval(tick, TICK_MS);
    };
  } catch {
    setInterval(tick, TICK_MS);
  }
};
