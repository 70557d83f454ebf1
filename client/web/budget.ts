/** Refuses a build whose first load is too heavy: the page, its scripts and styles, as they travel. */

import { gzipSync } from 'node:zlib';
import type { Plugin, Rollup } from 'vite';

const FIRST_LOAD_BYTES = 120_000;

export function budget(): Plugin {
  return {
    name: 'budget',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const sizes = [...firstLoad(bundle)].map((name) => [name, packed(bundle[name])] as const);
        const total = sizes.reduce((sum, [, size]) => sum + size, 0);
        if (total <= FIRST_LOAD_BYTES) return;
        const each = sizes.map(([name, size]) => `${name} ${size}`).join(', ');
        this.error(`the first load takes ${total} bytes, ${FIRST_LOAD_BYTES} at most: ${each}`);
      },
    },
  };
}

/** The entry, what it imports without being asked twice, their styles, and the page. */
function firstLoad(bundle: Rollup.OutputBundle): Set<string> {
  const names = new Set(Object.keys(bundle).filter((name) => name.endsWith('.html')));
  const add = (name: string): void => {
    const chunk = bundle[name];
    if (!chunk || names.has(name)) return;
    names.add(name);
    if (chunk.type !== 'chunk') return;
    for (const other of [...chunk.imports, ...(chunk.viteMetadata?.importedCss ?? [])]) add(other);
  };
  for (const output of Object.values(bundle)) if (output.type === 'chunk' && output.isEntry) add(output.fileName);
  return names;
}

function packed(output: Rollup.OutputAsset | Rollup.OutputChunk | undefined): number {
  if (!output) return 0;
  return gzipSync(output.type === 'chunk' ? output.code : output.source).length;
}
