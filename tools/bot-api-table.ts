/**
 * Writes simulator/bot-api.generated.ts: every method of the Bot API with its parameters, which of them are
 * required, their basic types and the shape of the result, read from the types of `@grammyjs/types`.
 *
 *   node tools/bot-api-table.ts            writes the file
 *   node tools/bot-api-table.ts --check    fails when the committed file is stale
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const require = createRequire(import.meta.url);
const target = fileURLToPath(new URL('../simulator/bot-api.generated.ts', import.meta.url));

/** Letters of the table: what a parameter may be. A union is written with several letters. */
type Letter = 'n' | 's' | 'b' | 'f' | 'o' | 'a';
const LETTERS: readonly Letter[] = ['n', 's', 'b', 'f', 'o', 'a'];

/** Where the types of the package differ from the published Bot API 10.3: `kinds` or `kinds?` for optional. */
const CORRECTIONS: Readonly<Record<string, string>> = {
  'editStory.areas': 'a?',
  'transferGift.star_count': 'n?',
};

/** One method as the table holds it. */
interface MethodRow {
  name: string;
  params: { name: string; letters: string; required: boolean }[];
  result: string;
}

/** Basic kinds of a type; unions are flattened, the type parameter F of grammY's types is a file. */
function lettersOf(type: ts.Type, checker: ts.TypeChecker): string {
  const found = new Set<Letter>();
  const visit = (part: ts.Type): void => {
    if (part.isUnion()) for (const member of part.types) visit(member);
    else if (part.isIntersection() && part.types[0])
      visit(part.types[0]); // "string & {}" is a string
    else if (part.flags & ts.TypeFlags.NumberLike) found.add('n');
    else if (part.flags & ts.TypeFlags.StringLike) found.add('s');
    else if (part.flags & ts.TypeFlags.BooleanLike) found.add('b');
    else if (part.flags & ts.TypeFlags.TypeParameter) found.add('f');
    else if (part.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) return;
    else if (checker.isArrayLikeType(part)) found.add('a');
    else found.add('o');
  };
  visit(type);
  return LETTERS.filter((letter) => found.has(letter)).join('');
}

/** The result in one word: true, Message, Message[], string, integer, or the first name of a longer union. */
function resultOf(signature: ts.MethodSignature): string {
  const text = signature.type?.getText() ?? 'true';
  const flat = text.replace(/\s+/g, ' ');
  if (/^\(?\s*Update\.Edited & Message/.test(flat)) return 'Message|true';
  if (/^Array<Message\./.test(flat)) return 'Message[]';
  if (/^Array<ChatMember/.test(flat)) return 'ChatMember[]';
  const word = flat.replace(/^Message\.\w+/, 'Message').replace(/^(string|number|boolean)$/, '$1');
  return /^[\w[\]|]+$/.test(word) ? word : (/\w+/.exec(word)?.[0] ?? 'true');
}

/** Reads one member of the `ApiMethods` map. */
function readMethod(member: ts.MethodSignature, checker: ts.TypeChecker): MethodRow {
  const argument = member.parameters[0];
  const params: MethodRow['params'] = [];
  if (argument?.type) {
    const type = checker.getNonNullableType(checker.getTypeFromTypeNode(argument.type));
    for (const property of checker.getPropertiesOfType(type)) {
      const propertyType = checker.getTypeOfSymbolAtLocation(property, argument);
      const name = property.getName();
      const correction = CORRECTIONS[`${member.name.getText()}.${name}`];
      const letters = correction?.replace('?', '') ?? lettersOf(propertyType, checker);
      const required = (property.flags & ts.SymbolFlags.Optional) === 0 && !correction?.endsWith('?');
      if (letters) params.push({ name, letters, required }); // `never` marks a name Telegram has withdrawn
    }
  }
  return { name: member.name.getText(), params, result: resultOf(member) };
}

/** All methods, in the order of the types' own file. */
function readMethods(file: string): MethodRow[] {
  const options: ts.CompilerOptions = { strict: true, noLib: false, target: ts.ScriptTarget.ES2022 };
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  if (!source) throw new Error(`cannot read ${file}`);
  const alias = source.statements.find(
    (node): node is ts.TypeAliasDeclaration => ts.isTypeAliasDeclaration(node) && node.name.text === 'ApiMethods',
  );
  if (!alias || !ts.isTypeLiteralNode(alias.type)) throw new Error('ApiMethods not found in @grammyjs/types');
  return alias.type.members.filter(ts.isMethodSignature).map((member) => readMethod(member, checker));
}

/** The file's text. */
function render(rows: MethodRow[], version: string): string {
  const lines = rows.map((row) => {
    const words = row.params.map((param) => `${param.name}${param.required ? '!' : ''}:${param.letters}`);
    return `  ${row.name}: [${JSON.stringify(row.result)}, ${JSON.stringify(words.join(' '))}],`;
  });
  return [
    `// Made by tools/bot-api-table.ts from @grammyjs/types ${version}. Do not edit: run the tool.`,
    '// Result, then parameters as name[!]:kinds. `!` is required; kinds are n number, s string, b boolean,',
    '// f file, o object, a array.',
    '',
    `export const tableSource = "@grammyjs/types ${version}";`,
    '',
    '/** Every method of the Bot API. */',
    'export const methodTable: Readonly<Record<string, readonly [result: string, params: string]>> = {',
    ...lines,
    '};',
    '',
  ].join('\n');
}

const home = dirname(require.resolve('@grammyjs/types/package.json'));
const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
const text = render(readMethods(join(home, 'methods.d.ts')), version);
if (process.argv.includes('--check')) {
  if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
    console.error('simulator/bot-api.generated.ts is stale: run `node tools/bot-api-table.ts`');
    process.exitCode = 1;
  }
} else {
  writeFileSync(target, text);
}
