// Variables, expressions and patterns: does what is read exist, is it ever set, and does it fit?

import type { Fault, FlowDocument } from '../../../../contract/flow.ts';
import { KNOWN_VALUES, type Variable, type VariableType } from '../../../../contract/variables.ts';
import { compileExpression, expressionEnvironment, type Program } from '../expressions.ts';
import { compilePattern } from '../patterns.ts';
import { fitValue, readOwn } from '../values.ts';
import { stop, warn } from './fault.ts';
import type { Use } from './uses.ts';

/** Everything about values. Expressions are compiled here only to hear what is wrong with them. */
export function checkValues(document: FlowDocument, uses: readonly Use[]): Fault[] {
  const variables = document.variables ?? {};
  const environment = expressionEnvironment(variables);
  const read = new Map<string, string>();
  const faults: Fault[] = checkDefaults(variables);
  for (const use of uses) {
    if (use.what === 'read') faults.push(...checkRead(use, variables, read));
    else if (use.what === 'write') faults.push(...checkWrite(use, variables));
    else if (use.what === 'pattern') faults.push(...checkPattern(use));
    else if (use.what === 'expression') {
      const program = compileExpression(environment, use.source);
      faults.push(
        ...('error' in program
          ? [wrongExpression(use, program.error, variables)]
          : checkProgram(use, program, variables, read)),
      );
    }
  }
  return [...faults, ...checkNeverSet(variables, uses, read)];
}

function checkDefaults(variables: { readonly [name: string]: Variable }): Fault[] {
  return Object.entries(variables).flatMap(([name, variable]) => {
    const fits = variable.default === undefined || fitValue(variable.default, variable) !== undefined;
    return fits
      ? []
      : [
          stop(
            'type_mismatch',
            `variables.${name}.default`,
            `The default of "${name}" is not ${TYPE_WORDS[variable.type]}.`,
          ),
        ];
  });
}

type UseOf<What extends Use['what']> = Extract<Use, { what: What }>;

function checkRead(
  { name, path, type }: UseOf<'read'>,
  variables: { readonly [name: string]: Variable },
  read: Map<string, string>,
): Fault[] {
  if (Object.hasOwn(KNOWN_VALUES, name)) return [];
  const [root = name] = name.split('.');
  const variable = readOwn(variables, root);
  if (!variable)
    return [stop('variable_unknown', path, `There is no variable "${name}".`, 'Declare it or choose another.')];
  read.set(root, path);
  if (variable.scope === 'secret')
    return [stop('secret_shown', path, `"${root}" is a secret and may only be used in outside calls.`)];
  return type !== undefined && variable.type !== type
    ? [
        stop(
          'type_mismatch',
          path,
          `"${root}" is ${TYPE_WORDS[variable.type]}, and ${TYPE_WORDS[type]} is needed here.`,
        ),
      ]
    : [];
}

/** Types as a sentence names them. */
export const TYPE_WORDS: { readonly [Type in VariableType]: string } = {
  text: 'a text',
  number: 'a number',
  bool: 'yes or no',
  date: 'a date',
  time: 'a time',
  phone: 'a phone number',
  email: 'an e-mail address',
  link: 'a link',
  choice: 'a choice',
  list: 'a list',
  object: 'an object',
  file: 'a file',
  location: 'a place',
};

const TEXTUAL: ReadonlySet<VariableType> = new Set<VariableType>(['text', 'phone', 'email', 'link', 'choice', 'time']);

/** Any text fits a text; a date must be one; files may be gathered in a list. */
export function fits(from: VariableType, to: VariableType): boolean {
  if (from === to || to === 'text') return !['list', 'object', 'file', 'location'].includes(from) || from === to;
  if (TEXTUAL.has(to)) return TEXTUAL.has(from) || from === 'number';
  if (to === 'date') return from === 'text';
  if (to === 'list') return from === 'file';
  return to === 'object' && (from === 'file' || from === 'location');
}

function checkWrite({ name, path, type }: UseOf<'write'>, variables: { readonly [name: string]: Variable }): Fault[] {
  const variable = readOwn(variables, name);
  if (!variable)
    return [stop('variable_unknown', path, `There is no variable "${name}".`, 'Declare it or choose another.')];
  if (variable.scope === 'secret') return [stop('secret_set', path, `"${name}" is a secret; a flow cannot change it.`)];
  if (type === undefined || fits(type, variable.type)) return [];
  return [
    stop(
      'type_mismatch',
      path,
      `${upperFirst(TYPE_WORDS[type])} does not fit into "${name}", which is ${TYPE_WORDS[variable.type]}.`,
      'Change the type of the variable or choose another.',
    ),
  ];
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function checkPattern({ source, path }: UseOf<'pattern'>): Fault[] {
  const pattern = compilePattern(source, true);
  return 'error' in pattern ? [stop('pattern_wrong', path, `This pattern cannot be used: ${pattern.error}.`)] : [];
}

function wrongExpression(
  { path, source }: UseOf<'expression'>,
  error: string,
  variables: { readonly [name: string]: Variable },
): Fault {
  const secret = Object.keys(variables).find(
    (name) => variables[name]?.scope === 'secret' && new RegExp(`\\b${name}\\b`).test(source),
  );
  if (secret !== undefined)
    return stop('secret_shown', path, `"${secret}" is a secret and may only be used in outside calls.`);
  return stop('expression_wrong', path, `This expression cannot be used: ${error}.`);
}

const KNOWN_GROUPS: ReadonlySet<string> = new Set(['contact', 'chat', 'event']);

function checkProgram(
  use: UseOf<'expression'>,
  program: Program,
  variables: { readonly [name: string]: Variable },
  read: Map<string, string>,
): Fault[] {
  for (const root of program.roots) if (Object.hasOwn(variables, root)) read.set(root, use.path);
  const faults = program.members
    .filter((member) => KNOWN_GROUPS.has(member.split('.')[0] ?? '') && !Object.hasOwn(KNOWN_VALUES, member))
    .map((member) =>
      stop(
        'variable_unknown',
        use.path,
        `There is nothing called "${member}".`,
        `There is ${Object.keys(KNOWN_VALUES)
          .map((name) => `"${name}"`)
          .join(', ')}.`,
      ),
    );
  if (use.wants === 'truth' && program.type !== 'bool' && program.type !== 'dyn') {
    faults.push(
      stop(
        'type_mismatch',
        use.path,
        'This expression has to be true or false.',
        'Compare something in it, as "score > 3".',
      ),
    );
  }
  const variable = use.into === undefined ? undefined : readOwn(variables, use.into);
  if (variable && !fitsCel(program.type, variable.type)) {
    faults.push(
      stop(
        'type_mismatch',
        use.path,
        `What this expression gives does not fit into "${use.into ?? ''}", which is ${TYPE_WORDS[variable.type]}.`,
      ),
    );
  }
  return faults;
}

function fitsCel(celType: string, to: VariableType): boolean {
  if (celType === 'dyn') return true;
  const [base = ''] = celType.split('<');
  switch (to) {
    case 'number':
      return ['double', 'int', 'uint', 'string'].includes(base);
    case 'bool':
      return base === 'bool';
    case 'list':
      return base === 'list';
    case 'object':
    case 'file':
    case 'location':
      return base === 'map';
    case 'date':
      return base === 'string';
    default:
      return !['list', 'map'].includes(base);
  }
}

function checkNeverSet(
  variables: { readonly [name: string]: Variable },
  uses: readonly Use[],
  read: ReadonlyMap<string, string>,
): Fault[] {
  const written = new Set(uses.flatMap((use) => (use.what === 'write' ? [use.name] : [])));
  return [...read]
    .filter(
      ([name]) =>
        !written.has(name) &&
        readOwn(variables, name)?.default === undefined &&
        readOwn(variables, name)?.scope !== 'secret',
    )
    .map(([name, path]) =>
      warn(
        'variable_never_set',
        path,
        `"${name}" is used here but never set.`,
        'Set it somewhere, or give it a default.',
      ),
    );
}
