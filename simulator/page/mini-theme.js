/** Telegram's theme parameters, in the colours of this page. */
const LIGHT = {
  bg_color: '#ffffff',
  secondary_bg_color: '#f4f6f6',
  text_color: '#16201f',
  hint_color: '#566663',
  subtitle_text_color: '#566663',
  link_color: '#0f766e',
  accent_text_color: '#0f766e',
  button_color: '#0f766e',
  button_text_color: '#ffffff',
  header_bg_color: '#ffffff',
  bottom_bar_bg_color: '#ffffff',
  section_bg_color: '#ffffff',
  section_header_text_color: '#0f766e',
  section_separator_color: '#dde4e3',
  destructive_text_color: '#b91c1c',
};
const DARK = {
  bg_color: '#171f1e',
  secondary_bg_color: '#0e1413',
  text_color: '#e6edeb',
  hint_color: '#9db0ac',
  subtitle_text_color: '#9db0ac',
  link_color: '#5eead4',
  accent_text_color: '#5eead4',
  // Light enough to be read as a text on the ground, and dark text reads on it.
  button_color: '#14b8a6',
  button_text_color: '#06201c',
  header_bg_color: '#171f1e',
  bottom_bar_bg_color: '#171f1e',
  section_bg_color: '#171f1e',
  section_header_text_color: '#5eead4',
  section_separator_color: '#2a3533',
  destructive_text_color: '#fca5a5',
};

const dark = matchMedia('(prefers-color-scheme: dark)');

export function themeParams() {
  return dark.matches ? DARK : LIGHT;
}

/** Calls back when the theme changes; hands back a function that ends it. */
export function onThemeChange(listener) {
  dark.addEventListener('change', listener);
  return () => dark.removeEventListener('change', listener);
}

/** `#rrggbb`, or undefined. */
export function hexColor(text) {
  return /^#[\da-f]{6}$/i.test(text) ? text : undefined;
}

function lightness(color) {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Black or white, whichever reads better on a colour. */
export function textOn(color) {
  return lightness(color) > 0.179 ? '#000000' : '#ffffff';
}
