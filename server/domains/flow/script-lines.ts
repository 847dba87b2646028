// Reads chat scripts: one line a thing that somebody says or does.

export type ScriptLine = {
  /** Line of the file, from 1. */
  readonly at: number;
  /** What stands before the colon: `user`, `bot`, `wait` ... */
  readonly who: string;
  readonly text: string;
};

export type Script = { readonly title: string; readonly lines: readonly ScriptLine[] };

/**
 * Divides a file into scripts. `=== title` begins one; `#` begins a comment; a line that begins with spaces and `|` goes on
 * with the text of the line above.
 */
export function parseScripts(source: string): Script[] {
  const scripts: { title: string; lines: ScriptLine[] }[] = [];
  let present: { title: string; lines: ScriptLine[] } | null = null;
  for (const [index, raw] of source.split(/\r?\n/).entries()) {
    const at = index + 1;
    const title = raw.startsWith('===') ? raw.slice(3).trim() : undefined;
    if (title !== undefined) {
      present = { title: (title.endsWith('===') ? title.slice(0, -3) : title).trim(), lines: [] };
      scripts.push(present);
    } else if (raw.trim() !== '' && !raw.startsWith('#')) {
      if (!present) scripts.push((present = { title: '', lines: [] }));
      addLine(present.lines, raw, at);
    }
  }
  return scripts;
}

function addLine(lines: ScriptLine[], raw: string, at: number): void {
  const more = /^\s+\| ?(.*)$/.exec(raw);
  const last = lines.at(-1);
  if (more && last) {
    lines[lines.length - 1] = { ...last, text: `${last.text}\n${(more[1] ?? '').trimEnd()}` };
    return;
  }
  const said = /^([a-z][a-z ]*):(.*)$/s.exec(raw);
  if (!said) throw new Error(`line ${at}: "${raw.trim()}" is not written as "who: what"`);
  lines.push({ at, who: said[1] ?? '', text: (said[2] ?? '').trim() });
}

/** Milliseconds of `10m`, `1h 30m`, `45s`, `2d`. */
export function parsePause(text: string): number {
  const units: { readonly [unit: string]: number } = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };
  const parts = [...text.matchAll(/(?<!\d)(\d+)\s*([dhms])/g)];
  if (parts.length === 0) throw new Error(`"${text}" is not a span of time as "10m"`);
  return parts.reduce((total, [, count, unit]) => total + Number(count) * (units[unit ?? ''] ?? 0), 0);
}
