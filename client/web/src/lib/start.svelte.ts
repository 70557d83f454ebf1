/** What runs as long as the page does. */

import { untrack } from 'svelte';
import { lobby } from './lobby.svelte';
import { route } from './route.svelte';
import { session } from './session.svelte';
import { settings } from './settings.svelte';
import { tables } from './tables.svelte';

/** Resolves when there is something to show in the reader's language. */
export async function start(): Promise<void> {
  route.start();
  session.start();
  lobby.start();
  $effect.root(() => {
    $effect(adoptSeats);
    $effect(openTheAddressed);
    $effect(refreshAfterChipsMoved);
  });
  await settings.start();
}

/** The line says where we sit. Whoever closes such a table keeps it closed until then. */
function adoptSeats(): void {
  const { seats } = session;
  untrack(() => tables.adopt(seats));
}

/** The address names a table: it is open, and in front. */
function openTheAddressed(): void {
  const { current } = route;
  if (current.screen === 'table' || current.screen === 'join') untrack(() => tables.show(current.table, current.code));
}

/** The account has other chips after we sat down, left or topped up. */
function refreshAfterChipsMoved(): void {
  if (tables.chipsMoved) session.refresh();
}
