import { beforeEach, describe, expect, test } from 'vitest';
import { adminPath, handPath, invitation, inviteLink, read, route, tablePath } from './route.svelte';

beforeEach(() => {
  history.replaceState(null, '', '/');
  route.start();
});

describe('an address', () => {
  test.each([
    ['/', '', { screen: 'lobby' }],
    ['/table/t1', '', { screen: 'table', table: 't1', code: null }],
    ['/table/t1/', '', { screen: 'table', table: 't1', code: null }],
    ['/table/a%2Fb', '', { screen: 'table', table: 'a/b', code: null }],
    ['/join/t1', '#open%20sesame', { screen: 'join', table: 't1', code: 'open sesame' }],
    ['/hand/t1h33', '', { screen: 'hand', hand: 't1h33' }],
    ['/table', '', { screen: 'unknown' }],
    ['/table/t1/more', '', { screen: 'unknown' }],
    ['/admin', '', { screen: 'admin', section: null, id: null }],
    ['/admin/players/a7', '', { screen: 'admin', section: 'players', id: 'a7' }],
    ['/admin/players/a7/more', '', { screen: 'unknown' }],
    ['/hand/%', '', { screen: 'hand', hand: '%' }],
  ])('%s%s is a screen', (path, hash, expected) => {
    expect(read(path, hash)).toEqual(expected);
  });

  test('made for a table or a hand is read as that', () => {
    expect(read(tablePath('a/b #'))).toEqual({ screen: 'table', table: 'a/b #', code: null });
    expect(invitation(tablePath('t1', 'open sesame'))).toEqual({ screen: 'table', table: 't1', code: 'open sesame' });
    expect(read(adminPath('players', 'a/7'))).toEqual({ screen: 'admin', section: 'players', id: 'a/7' });
    expect(read(handPath('t1h2'))).toEqual({ screen: 'hand', hand: 't1h2' });
  });
});

describe('an invitation', () => {
  test('has the code where no server sees it', () => {
    const link = inviteLink('t1', 'open sesame');

    expect(link).toBe(`${location.origin}/join/t1#open%20sesame`);
    expect(invitation(link)).toEqual({ screen: 'join', table: 't1', code: 'open sesame' });
    expect(invitation(inviteLink('t1', null))).toEqual({ screen: 'join', table: 't1', code: null });
  });

  test.each([
    [' t1 ', { screen: 'join', table: 't1', code: null }],
    ['t1#sesame', { screen: 'join', table: 't1', code: 'sesame' }],
    ['/table/t1', { screen: 'table', table: 't1', code: null }],
    ['https://elsewhere.example/join/t1#x', { screen: 'join', table: 't1', code: 'x' }],
    ['', { screen: 'unknown' }],
    ['http://', { screen: 'unknown' }],
  ])('%j can be typed in', (given, expected) => {
    expect(invitation(given)).toEqual(expected);
  });
});

test('going somewhere changes the address, and going back changes it back', () => {
  route.go('/table/t1');
  expect(location.pathname).toBe('/table/t1');
  expect(route.current).toMatchObject({ screen: 'table', table: 't1' });

  history.replaceState(null, '', '/');
  dispatchEvent(new PopStateEvent('popstate'));
  expect(route.current).toEqual({ screen: 'lobby' });
});
