/** Which screen the address names. A join code stands after the `#`, which is never sent to anybody. */

export type Route =
  | { screen: 'lobby' }
  | { screen: 'table'; table: string; code: string | null }
  | { screen: 'join'; table: string; code: string | null }
  | { screen: 'hand'; hand: string }
  | { screen: 'admin'; section: string | null; id: string | null }
  | { screen: 'unknown' };

export function read(pathname: string, hash = ''): Route {
  const [first, second, ...more] = pathname.split('/').filter(Boolean).map(decode);
  const code = decode(hash.replace(/^#/, '')) || null;
  if (first === undefined) return { screen: 'lobby' };
  if (first === 'admin' && more.length < 2) return { screen: 'admin', section: second ?? null, id: more[0] ?? null };
  if (second === undefined || more.length) return { screen: 'unknown' };
  if (first === 'table' || first === 'join') return { screen: first, table: second, code };
  return first === 'hand' ? { screen: 'hand', hand: second } : { screen: 'unknown' };
}

/** With the code, if there is one: who comes by it knows what to sit down and to invite with. */
export function tablePath(table: string, code: string | null = null): string {
  return `/table/${encodeURIComponent(table)}${fragment(code)}`;
}

export function handPath(hand: string): string {
  return `/hand/${encodeURIComponent(hand)}`;
}

export function adminPath(section?: string, id?: string): string {
  return ['/admin', ...[section, id].filter((part) => part !== undefined).map(encodeURIComponent)].join('/');
}

/** What to hand to whom you invite. */
export function inviteLink(table: string, code: string | null): string {
  return `${location.origin}${joinPath(table, code)}`;
}

export function joinPath(table: string, code: string | null): string {
  return `/join/${encodeURIComponent(table)}${fragment(code)}`;
}

/** What somebody was handed: a link, a path, or a table's id alone. */
export function invitation(given: string): Route {
  const text = given.trim();
  if (!text) return { screen: 'unknown' };
  if (!text.includes('/')) return read(`/join/${text.split('#')[0]}`, text.split('#')[1]);
  try {
    const { pathname, hash } = new URL(text, location.origin);
    return read(pathname, hash);
  } catch {
    return { screen: 'unknown' };
  }
}

class Router {
  current = $state.raw<Route>({ screen: 'lobby' });

  start(): void {
    const look = () => (this.current = read(location.pathname, location.hash));
    look();
    addEventListener('popstate', look);
    addEventListener('hashchange', look);
  }

  /** Goes to a path of ours. `replace` where going back should not come here. */
  go(path: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, '', path);
    else if (path !== location.pathname + location.hash) history.pushState(null, '', path);
    this.current = read(location.pathname, location.hash);
  }
}

export const route = new Router();

/** For links to our own screens (`<a href=… onclick={follow}>`): without loading the page again. */
export function follow(event: MouseEvent & { currentTarget: HTMLAnchorElement }): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const { pathname, hash } = event.currentTarget;
  route.go(pathname + hash);
}

function fragment(code: string | null): string {
  return code === null ? '' : `#${encodeURIComponent(code)}`;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
