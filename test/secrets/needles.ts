import { inspect } from 'node:util';

/** What must stand nowhere: a secret under a name, in every form in which it could turn up. */
export type Needles = {
  add(name: string, secret: string | Uint8Array): void;
  /** `name (form)` for each secret that stands in this text. */
  findIn(text: string): string[];
};

export function createNeedles(): Needles {
  const forms = new Map<string, string>();
  return {
    add(name, secret) {
      for (const [form, text] of typeof secret === 'string' ? formsOfText(secret) : formsOfBytes(secret))
        if (!forms.has(text.toLowerCase())) forms.set(text.toLowerCase(), `${name} (${form})`);
    },
    findIn(text) {
      const lower = text.toLowerCase();
      return [...forms].filter(([form]) => lower.includes(form)).map(([, name]) => name);
    },
  };
}

/** Case is no protection, so everything is compared in lower case: percent signs and hex come in both. */
function formsOfText(secret: string): [string, string][] {
  return [
    ['as it is', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['hex', Buffer.from(secret).toString('hex')],
    ...inBase64(Buffer.from(secret)),
  ];
}

function formsOfBytes(secret: Uint8Array): [string, string][] {
  const bytes = Buffer.from(secret);
  return [
    ['hex', bytes.toString('hex')],
    ['list of bytes', [...bytes].join(',')],
    ['list of bytes, spaced', [...bytes].join(', ')],
    ['inspected', bytes.toString('hex').replace(/..(?=.)/g, '$& ')],
    ...inBase64(bytes),
  ];
}

/** Base64 of something longer that holds the secret looks different at each of three offsets. */
function inBase64(bytes: Buffer): [string, string][] {
  return [0, 1, 2].flatMap((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const inner = whole.slice(offset === 0 ? 0 : 4, Math.floor(whole.replaceAll('=', '').length / 4) * 4);
    return [
      [`base64 at ${offset}`, inner],
      [`base64url at ${offset}`, inner.replaceAll('+', '-').replaceAll('/', '_')],
    ] as [string, string][];
  });
}

/** Everything that hangs on a thrown value: message, stack, causes, fields, hidden ones too. */
export const shown = (thrown: unknown): string =>
  [String(thrown), inspect(thrown, { depth: 12, showHidden: true, getters: true, maxStringLength: null })].join('\n');
