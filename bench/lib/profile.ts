// Where the CPU of the server went: the profiles that Node wrote, added up by function.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

type Node = {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
};
type Profile = { nodes: Node[]; samples: number[]; timeDeltas: number[] };

const root = join(import.meta.dirname, '..', '..');
/** Where the time went, three ways: by package, by function alone, and by function of ours with all that it calls. */
export async function summarise(folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile')).sort();
  const sums: Sums = { places: new Map(), own: new Map(), whole: new Map(), totalUs: 0 };
  for (const file of files) addUp(JSON.parse(await readFile(join(folder, file), 'utf8')) as Profile, sums);
  return [
    `${(sums.totalUs / 1e6).toFixed(1)} s of CPU\n`,
    table('own time by place', sums.places, sums.totalUs, 25),
    table('own time by function', sums.own, sums.totalUs, 45),
    table('with what it calls', sums.whole, sums.totalUs, 60),
  ].join('');
}

/** Microseconds by name. */
type Sums = { places: Map<string, number>; own: Map<string, number>; whole: Map<string, number>; totalUs: number };

function addUp({ nodes, samples, timeDeltas }: Profile, sums: Sums): void {
  const usOf = new Map<number, number>();
  for (const [at, id] of samples.entries()) usOf.set(id, (usOf.get(id) ?? 0) + (timeDeltas[at] ?? 0));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map<number, Node>();
  for (const node of nodes) for (const child of node.children ?? []) callers.set(child, node);
  for (const [id, us] of usOf) {
    const node = byId.get(id);
    if (node === undefined || node.callFrame.functionName === '(idle)') continue;
    sums.totalUs += us;
    add(sums.own, nameOf(node), us);
    add(sums.places, placeOf(node.callFrame.url).group, us);
    const seen = new Set<string>();
    for (let at: Node | undefined = node; at !== undefined; at = callers.get(at.id)) {
      const name = nameOf(at);
      if (!isOurs(at) || seen.has(name)) continue;
      seen.add(name);
      add(sums.whole, name, us);
    }
  }
}

const add = (sums: Map<string, number>, name: string, us: number): void =>
  void sums.set(name, (sums.get(name) ?? 0) + us);

const nameOf = ({ callFrame }: Node): string =>
  `${callFrame.functionName || '(anonymous)'}  ${placeOf(callFrame.url).file}:${callFrame.lineNumber + 1}`;

/** Our own functions, and the entries of packages and of Node. */
const isOurs = ({ callFrame }: Node): boolean =>
  callFrame.url.startsWith('file:') && !callFrame.url.includes('/node_modules/undici/');

function placeOf(url: string): { file: string; group: string } {
  if (url === '') return { file: 'native', group: 'native and garbage collection' };
  if (url.startsWith('node:')) return { file: url, group: url.split('/')[0] ?? url };
  const file = relative(root, url.replace('file://', ''));
  const parcel = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
  if (parcel !== undefined) return { file: file.replace('node_modules/', ''), group: parcel };
  return { file, group: file.split('/').slice(0, 3).join('/') };
}

function table(title: string, times: ReadonlyMap<string, number>, totalUs: number, count: number): string {
  const rows = [...times].sort((a, b) => b[1] - a[1]).slice(0, count);
  const lines = rows.map(([name, us]) => `  ${((us / totalUs) * 100).toFixed(1).padStart(5)} %  ${name}`);
  return `${title}\n${lines.join('\n')}\n`;
}
