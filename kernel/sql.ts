/** A statement with its values. Only the `sql` tag makes one, so a value can never become SQL text. */
export type Sql = { readonly text: string; readonly values: readonly unknown[] };

/**
 * Turns a template into a statement: every `${value}` becomes a bound parameter.
 */
export function sql(parts: TemplateStringsArray, ...values: unknown[]): Sql {
  let text = parts[0] ?? '';
  for (let index = 1; index < parts.length; index += 1) text += `$${index}${parts[index]}`;
  return { text, values };
}
