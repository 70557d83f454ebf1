/**
 * Every screen and state with made-up tables, for looking at: `/gallery.html?scene=NAME` under `npm run dev`. No room is
 * asked. Any setting may stand in the address too (`&theme=light&felt=blue&language=de&inBigBlinds=true`).
 */

import { mount } from 'svelte';
import '../style/tokens.css';
import '../style/base.css';
import App from '../App.svelte';
import { keys } from '../lib/keys.svelte';
import { speak, type Language } from '../lib/i18n.svelte';
import { settings } from '../lib/settings.svelte';
import Index from './Index.svelte';
import { scenes } from './scenes';

const asked = new URLSearchParams(location.search);
const target = document.getElementById('app');
if (!target) throw new Error('the page has no #app');

for (const [name, value] of asked) {
  if (!(name in settings)) continue;
  const typed = value === 'true' ? true : value === 'false' ? false : Number.isNaN(Number(value)) ? value : Number(value);
  Object.assign(settings, { [name]: typed });
}
await speak((asked.get('language') ?? 'en') as Language);

const scene = scenes[asked.get('scene') ?? ''];
if (scene) {
  scene();
  keys.start();
  mount(App, { target });
} else mount(Index, { target });
