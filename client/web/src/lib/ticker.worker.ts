/** Ticks once a second. A page in the background has its own timers slowed down, a worker has not. */

setInterval(() => postMessage(0), 1000);
