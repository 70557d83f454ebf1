/// <reference types="vitest/config" />
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { budget } from './budget.ts';

const ROOM = process.env['FULLRING_ROOM'] ?? 'http://127.0.0.1:8000';

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), budget()],
  build: { target: 'es2022', modulePreload: { polyfill: false }, assetsInlineLimit: 0, reportCompressedSize: false },
  // `npm run dev` serves the pages itself and asks a room that runs beside it.
  server: { proxy: { '/api': { target: ROOM, ws: true, changeOrigin: true } } },
  ...(mode === 'test' && {
    // Svelte's own reactivity, not what it has for servers.
    resolve: { conditions: ['browser'] },
    test: {
      environment: 'happy-dom',
      include: ['src/**/*.test.ts'],
      restoreMocks: true,
      // Starting takes longer than testing: one thread, a fresh page a file.
      pool: 'threads',
      poolOptions: { threads: { singleThread: true } },
    },
  }),
}));
