// The one range of bytes that a player asks for. https://www.rfc-editor.org/rfc/rfc9110#name-range

/** undefined: the whole is sent, as for several ranges or nonsense. 'none': nothing of the file is in it. */
export function rangeOf(header: string | undefined, size: number): { from: number; to: number } | 'none' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  // `-500`: the last 500.
  const begin = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  return begin > end || size === 0 ? 'none' : { from: begin, to: end };
}
