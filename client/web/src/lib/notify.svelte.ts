/** Says that it is your turn where the page itself may not be seen: title, icon and, if allowed, a notification. */

import { t } from './i18n.svelte';
import { settings } from './settings.svelte';
import { tables } from './tables.svelte';

let told = '';

/** Run as an effect: it follows whose turn it is. */
export function notifyTurns(): void {
  const table = tables.whichWaitsForMe;
  const turn = table?.myTurn?.id ?? '';
  const name = tables.focused?.view?.name;
  document.title = turn ? t('title.turn', { name: table?.view?.name ?? '' }) : name ? `${name} · Fullring` : 'Fullring';
  document.querySelector('link[rel="icon"]')?.setAttribute('href', turn ? '/favicon-turn.svg' : '/favicon.svg');
  if (turn && turn !== told && settings.notify && document.hidden && 'Notification' in window && Notification.permission === 'granted') {
    notify(t('title.turn', { name: table?.view?.name ?? '' }));
  }
  told = turn;
}

function notify(text: string): void {
  try {
    new Notification(text, { tag: 'turn', icon: '/favicon-turn.svg' });
  } catch {
    // On Android only a worker may: the sound has to do.
  }
}
