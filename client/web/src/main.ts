/** Starts the page. */

import { mount } from 'svelte';
import App from './App.svelte';
import { start } from './lib/start.svelte';

const target = document.getElementById('app');
if (!target) throw new Error('the page has no #app');
await start();
mount(App, { target });
