/**
 * The key of the control API. It comes behind the `#` of the printed address, which browsers send nowhere, and is kept
 * for this browser, so that the page opens by its plain address afterwards.
 */
const PLACE = `roost-key ${new URL('.', location.href).pathname}`;
let known = '';

/** Takes the key out of the address; true where there was one. */
export function keepKey() {
  const given = new URLSearchParams(location.hash.slice(1)).get('key');
  if (!given) return false;
  known = given;
  try {
    localStorage.setItem(PLACE, given);
  } catch {
    // Good for this page alone, then.
  }
  history.replaceState(null, '', location.pathname + location.search);
  return true;
}

/** The key as far as this browser knows it. */
export function controlKey() {
  if (known !== '') return known;
  try {
    return localStorage.getItem(PLACE) ?? '';
  } catch {
    return '';
  }
}

keepKey();
