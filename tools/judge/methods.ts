// Does the simulator know every method and parameter that the published Bot API has?
import { readFileSync } from 'node:fs';
import { methodSpecs } from '../../simulator/api/method-table.ts';

type Fields = Readonly<Record<string, { readonly type: string; readonly required?: boolean }>>;
type Published = {
  readonly methods: { readonly APIMethods: { readonly fields: Fields } };
  readonly params: Readonly<Record<string, { readonly fields?: Fields }>>;
};

/** Every method of the file with what the simulator has otherwise; nothing to say means that it is alike. */
export function compareMethods(path: string): { method: string; faults: string[] }[] {
  const published = JSON.parse(readFileSync(path, 'utf8')) as Published;
  return Object.entries(published.methods.APIMethods.fields).map(([method, { type }]) => {
    const name = /\bParams\.(\w+)/.exec(type)?.[1];
    const fields = name === undefined ? {} : published.params[name]?.fields;
    return { method, faults: fields ? faultsOf(method, fields) : [`the file does not say what ${name} holds`] };
  });
}

function faultsOf(method: string, fields: Fields): string[] {
  const spec = methodSpecs.get(method.toLowerCase());
  if (spec === undefined) return ['the simulator does not know it'];
  return Object.entries(fields).flatMap(([name, { required }]) => {
    const param = spec.params.get(name);
    if (param === undefined) return [`${name} is missing`];
    if (required === undefined || required === param.required) return [];
    return [`${name} is ${required ? 'required' : 'optional'} there, and not here`];
  });
}
