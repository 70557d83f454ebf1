/** What a drawing sounds like: at most one sound of a kind, and none when we are behind. */

import type { Event } from '../wire';
import { settings } from './settings.svelte';
import { play, type Sound } from './sound';
import type { TableState } from './table.svelte';

export class Noises {
  #drawn = new Map<string, number>();
  #turns = new Map<string, string>();

  /** Sounds for what the tables have just drawn. */
  follow(tables: readonly TableState[]): void {
    for (const table of tables) {
      const before = this.#drawn.get(table.id);
      if (before === table.drawn) continue;
      this.#drawn.set(table.id, table.drawn);
      const turn = table.myTurn?.id ?? '';
      const came = turn !== '' && this.#turns.get(table.id) !== turn;
      this.#turns.set(table.id, turn);
      if (before === undefined) continue;
      if (came) play('turn', settings.volume);
      else if (!table.behind) for (const sound of sounds(table.events)) play(sound, settings.volume);
    }
  }
}

function sounds(events: readonly Event[]): Set<Sound> {
  const heard = new Set<Sound>();
  for (const event of events) {
    if (event.type === 'hole_cards_dealt' || event.type === 'street_dealt') heard.add('card');
    else if (event.type === 'pot_awarded') heard.add('win');
    else if (event.type === 'acted') heard.add(event.action === 'fold' ? 'fold' : event.action === 'check' ? 'check' : 'chip');
  }
  return heard;
}
