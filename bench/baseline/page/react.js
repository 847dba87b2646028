import { createElement, Fragment } from 'react';
import { createRoot } from 'react-dom/client';
import { elements, load } from './data.js';

const renamed = { class: 'className', for: 'htmlFor', input: 'onChange', tabindex: 'tabIndex' };
const rename = (name) => renamed[name] ?? name;

const page = await load();
const root = createRoot(document.getElementById('r'));

function draw() {
  root.render(createElement(Fragment, null, ...elements(page.nodes(), createElement, rename, { press, type })));
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
