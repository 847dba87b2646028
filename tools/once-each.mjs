/**
 * Lets a signal through, and swallows the same one while it may still be the same keypress: on a Ctrl-C the terminal
 * sends one to everybody, and npm then passes it on once more, a millisecond later.
 * @param {number} ms
 * @param {(signal: string) => void} act
 * @param {() => number} now
 */
export function onceEach(ms, act, now = () => performance.now()) {
  const last = new Map();
  return (signal) => {
    const at = now();
    if (at - (last.get(signal) ?? -Infinity) < ms) return;
    last.set(signal, at);
    act(signal);
  };
}
