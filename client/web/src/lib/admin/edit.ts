/** A table's settings as a form has them, and what of it is another way than before. */

import type { AdminTable, TableEdit } from '../../wire';

export const NUMBERS = [
  'small_blind',
  'big_blind',
  'ante',
  'big_blind_ante',
  'buy_in_min',
  'buy_in_max',
  'turn_seconds',
  'time_bank_seconds',
  'hand_pause_ms',
  'ratholing_minutes',
  'rake_bps',
  'rake_cap',
] as const;
export const SWITCHES = ['show_all', 'dead_button'] as const;

export type Form = Record<(typeof NUMBERS)[number], number> &
  Record<(typeof SWITCHES)[number], boolean> & { name: string; game: AdminTable['game'] };

/** As they will be for the next hand. */
export function formOf({ name, game, settings, next_settings }: AdminTable): Form {
  const now = next_settings ?? settings;
  const numbers = Object.fromEntries(NUMBERS.map((key) => [key, now[key] ?? 0]));
  const switches = Object.fromEntries(SWITCHES.map((key) => [key, now[key] ?? false]));
  return { name, game, ...numbers, ...switches } as Form;
}

export function edited(before: Form, after: Form): TableEdit {
  const changed = Object.entries(after).filter(([key, value]) => before[key as keyof Form] !== value);
  return Object.fromEntries(changed) as TableEdit;
}
