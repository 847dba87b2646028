import { Fragment, h, render } from 'preact';
import { elements, load } from './data.js';

const renamed = { input: 'onInput' };
const rename = (name) => renamed[name] ?? name;

const page = await load();
const root = document.getElementById('r');

function draw() {
  render(h(Fragment, null, ...elements(page.nodes(), h, rename, { press, type })), root);
}

function press(pressed) {
  page.press(pressed);
  draw();
}

function type(name, value) {
  page.type(name, value);
  draw();
}

draw();
