// Contrast as WCAG 2 counts it, and the nearest colour that has enough of it.

/** What pages stand on. */
export const GROUNDS = { light: '#ffffff', dark: '#17191c' } as const;
export const CONTRAST_MIN = 4.5;

/** From 1 (the same) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The same colour, as much darker or lighter as it must be to be read on `ground`. */
export function readable(colour: string, ground: string): string {
  if (contrast(colour, ground) >= CONTRAST_MIN) return colour.toLowerCase();
  const target = luminance(ground) > 0.5 ? [0, 0, 0] : [255, 255, 255];
  const from = channels(colour);
  // In 256 steps towards black or white; the first that is enough is the nearest.
  for (let step = 1; step <= 256; step += 1) {
    const mixed = from.map((value, index) => Math.round(value + ((target[index]! - value) * step) / 256));
    const candidate = `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
    if (contrast(candidate, ground) >= CONTRAST_MIN) return candidate;
  }
  return luminance(ground) > 0.5 ? '#000000' : '#ffffff';
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const channels = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
