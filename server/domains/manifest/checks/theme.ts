// Can the accent be read?
import type { Fault } from '../../../../contract/flow.ts';
import type { Manifest } from '../../../../contract/manifest.ts';
import { CONTRAST_MIN, contrast, GROUNDS, readable } from '../colours.ts';
import { stop } from './fault.ts';

/** A dark accent that is not given is made from the light one, so only what was written can be wrong. */
export function checkTheme({ theme }: Manifest): Fault[] {
  return [
    ...checkAccent('accent', theme?.accent, GROUNDS.light, 'white'),
    ...checkAccent('accentDark', theme?.accentDark, GROUNDS.dark, 'dark'),
  ];
}

function checkAccent(name: string, colour: string | undefined, ground: string, where: string): Fault[] {
  if (colour === undefined) return [];
  const found = contrast(colour, ground);
  if (found >= CONTRAST_MIN) return [];
  return [
    stop(
      'contrast_low',
      `theme.${name}`,
      `${colour} on ${where} has a contrast of ${found.toFixed(1)}:1; people need ${CONTRAST_MIN}:1 to read it.`,
      `Take ${readable(colour, ground)}, the nearest colour that can be read.`,
    ),
  ];
}
