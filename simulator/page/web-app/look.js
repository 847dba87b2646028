import { emit } from './events.js';
import { launch } from './launch.js';
import { hear, post } from './wire.js';

/** How the app is shown: colours, size, what covers its edges. Each stands in CSS variables too. */
export const look = {
  themeParams: {},
  colorScheme: 'light',
  isExpanded: false,
  viewportHeight: innerHeight,
  viewportStableHeight: innerHeight,
  safeAreaInset: { top: 0, bottom: 0, left: 0, right: 0 },
  contentSafeAreaInset: { top: 0, bottom: 0, left: 0, right: 0 },
};

function setVariable(name, value) {
  document.documentElement.style.setProperty(`--tg-${name}`, value);
}

/** `#abc`, `#aabbcc` or `rgb(...)` as `#aabbcc`; undefined where it is no colour. */
export function colorOf(text) {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(text);
  if (short) return `#${short[1]}${short[1]}${short[2]}${short[2]}${short[3]}${short[3]}`.toLowerCase();
  if (/^#[\da-f]{6}$/i.test(text)) return text.toLowerCase();
  const parts = /^rgba?\((\d+),\s*(\d+),\s*(\d+)/.exec(text);
  if (!parts) return undefined;
  return `#${parts
    .slice(1)
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')}`;
}

function isDark(color) {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return 0.299 * red * red + 0.587 * green * green + 0.114 * blue * blue < 120 * 120;
}

function takeTheme(themeParams) {
  look.themeParams = {};
  for (const [name, text] of Object.entries(themeParams ?? {})) {
    const color = colorOf(text);
    if (!color) continue;
    look.themeParams[name] = color;
    setVariable(`theme-${name.replaceAll('_', '-')}`, color);
  }
  const { bg_color: ground } = look.themeParams;
  if (ground) look.colorScheme = isDark(ground) ? 'dark' : 'light';
  setVariable('color-scheme', look.colorScheme);
}

function takeViewport({ height, is_expanded: expanded, is_state_stable: stable }) {
  look.viewportHeight = height ?? innerHeight;
  if (expanded !== undefined) look.isExpanded = expanded;
  if (stable) look.viewportStableHeight = look.viewportHeight;
  setVariable('viewport-height', `${look.viewportHeight}px`);
  setVariable('viewport-stable-height', `${look.viewportStableHeight}px`);
}

function takeInsets(name, insets) {
  const { top = 0, bottom = 0, left = 0, right = 0 } = insets;
  const variable = name === 'safeAreaInset' ? 'safe-area-inset' : 'content-safe-area-inset';
  look[name] = { top, bottom, left, right };
  for (const [side, pixels] of Object.entries(look[name])) setVariable(`${variable}-${side}`, `${pixels}px`);
}

takeTheme(launch.themeParams);
takeViewport({ is_state_stable: true });
takeInsets('safeAreaInset', {});
takeInsets('contentSafeAreaInset', {});

hear('theme_changed', ({ theme_params: themeParams }) => {
  takeTheme(themeParams);
  emit('themeChanged');
});
hear('viewport_changed', (viewport) => {
  takeViewport(viewport);
  emit('viewportChanged', { isStateStable: Boolean(viewport.is_state_stable) });
});
hear('safe_area_changed', (insets) => {
  takeInsets('safeAreaInset', insets);
  emit('safeAreaChanged');
});
hear('content_safe_area_changed', (insets) => {
  takeInsets('contentSafeAreaInset', insets);
  emit('contentSafeAreaChanged');
});
for (const asked of ['theme', 'viewport', 'safe_area', 'content_safe_area']) post(`web_app_request_${asked}`);
