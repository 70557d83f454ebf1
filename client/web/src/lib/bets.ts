/** Amounts to choose from between the least and the most that the server allows. Nothing here decides what is allowed. */

import type { TableView, Turn } from '../wire';
import type { Key } from './i18n.svelte';

export interface Sizing {
  kind: 'bet' | 'raise';
  min: number;
  max: number;
  step: number;
  presets: readonly Preset[];
}

export interface Preset {
  label: Key;
  to: number;
}

/** What may be bet on this turn; null where neither a bet nor a raise is offered. */
export function sizing(view: TableView, turn: Turn): Sizing | null {
  const kind = turn.actions.bet ? 'bet' : 'raise';
  const bounds = turn.actions.bet ?? turn.actions.raise;
  if (!bounds) return null;
  return { kind, ...bounds, step: view.settings.big_blind, presets: presets(view, turn, bounds) };
}

function presets(view: TableView, turn: Turn, { min, max }: { min: number; max: number }): Preset[] {
  if (min === max) return [];
  const mine = view.seats.find(({ seat }) => seat === turn.seat)?.bet ?? 0;
  const level = mine + (turn.actions.call ?? 0);
  const middle = [...(view.hand?.pots ?? []).map(({ amount }) => amount), ...view.seats.map(({ bet }) => bet)];
  const pot = middle.reduce((sum, amount) => sum + amount, 0) + (turn.actions.call ?? 0);
  const share = (part: number): number => Math.round(level + part * pot);
  const times = (factor: number): number => Math.round(factor * level);
  const sizes: [Key, number][] =
    view.hand?.street === 'preflop'
      ? [['bet.min', min], ['bet.2.5x', times(2.5)], ['bet.3x', times(3)], ['bet.pot', share(1)], ['bet.all_in', max]]
      : [['bet.min', min], ['bet.half', share(1 / 2)], ['bet.two_thirds', share(2 / 3)], ['bet.pot', share(1)], ['bet.all_in', max]];
  const mostIsAllIn = turn.actions.all_in === max;
  return sizes
    .map(([label, to]) => ({ label: label === 'bet.all_in' && !mostIsAllIn ? ('bet.max' as Key) : label, to: clamp(to, min, max) }));
}

export function clamp(amount: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, amount));
}

/** One step up or down, onto whole steps, never past the ends. */
export function stepped(amount: number, by: number, { min, max, step }: Sizing): number {
  const next = by > 0 ? Math.floor(amount / step) * step + step * by : Math.ceil(amount / step) * step + step * by;
  return clamp(next, min, max);
}

/** Groups of three with the same mark between them, or digits alone; then what is less than a chip. */
const TYPED = /^(\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+|\d+)(?:[.,](\d*))?$/;

/** The whole chips that somebody typed, as people write amounts in any of our languages; null where it is no amount. */
export function typedAmount(text: string): number | null {
  const [, whole, part = ''] = TYPED.exec(text.replace(/[\s'’]/g, '')) ?? [];
  return whole === undefined ? null : Math.round(Number(`${whole.replace(/[.,]/g, '')}.${part}`));
}
