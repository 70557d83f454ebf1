/** Starts the page. */

import { mount } from 'svelte';
import './style/tokens.css';
import './style/base.css';
import App from './App.svelte';
import { keys } from './lib/keys.svelte';
import { start } from './lib/start.svelte';

const target = document.getElementById('app');
if (!target) throw new Error('the page has no #app');

// Not with `await` up here: the build would then put what the admin's pages share with this one into a file apart.
void start().then(() => {
  keys.start();
  mount(App, { target });
});
