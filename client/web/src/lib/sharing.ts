/** What is as it was stays the same object, so that who draws looks only at what is another way. */

/** `after`, with the parts of `before` that are equal in its place. Both are plain data, as JSON gives them. */
export function sharing<T>(before: unknown, after: T): T {
  if (before === after || typeof before !== 'object' || typeof after !== 'object' || !before || !after) return after;
  if (Array.isArray(before) !== Array.isArray(after)) return after;
  const [old, fresh] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const keys = Object.keys(fresh);
  let same = keys.length === Object.keys(old).length;
  for (const key of keys) {
    const value = sharing(old[key], fresh[key]);
    fresh[key] = value;
    same &&= value === old[key] && Object.hasOwn(old, key);
  }
  return same ? (before as T) : after;
}
