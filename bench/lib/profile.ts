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
const shown = 45;

/** A table of the functions with the most time of their own, and one of the packages. */
export async function summarise(folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile')).sort();
  const functions = new Map<string, number>();
  const places = new Map<string, number>();
  for (const file of files) {
    addUp(JSON.parse(await readFile(join(folder, file), 'utf8')) as Profile, functions, places);
  }
  return `${table('own time by place', places, 25)}${table('own time by function', functions, shown)}`;
}

function addUp(
  { nodes, samples, timeDeltas }: Profile,
  functions: Map<string, number>,
  places: Map<string, number>,
): void {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const [at, id] of samples.entries()) {
    const node = byId.get(id);
    const us = timeDeltas[at] ?? 0;
    if (node === undefined || node.callFrame.functionName === '(idle)') continue;
    const place = placeOf(node.callFrame.url);
    const name = `${node.callFrame.functionName || '(anonymous)'}  ${place.file}:${node.callFrame.lineNumber + 1}`;
    functions.set(name, (functions.get(name) ?? 0) + us);
    places.set(place.group, (places.get(place.group) ?? 0) + us);
  }
}

function placeOf(url: string): { file: string; group: string } {
  if (url === '') return { file: 'native', group: 'native and garbage collection' };
  if (url.startsWith('node:')) return { file: url, group: url.split('/')[0] ?? url };
  const file = relative(root, url.replace('file://', ''));
  const parcel = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
  if (parcel !== undefined) return { file: file.replace('node_modules/', ''), group: parcel };
  return { file, group: file.split('/').slice(0, 3).join('/') };
}

function table(title: string, times: ReadonlyMap<string, number>, count: number): string {
  const total = [...times.values()].reduce((sum, us) => sum + us, 0);
  const rows = [...times].sort((a, b) => b[1] - a[1]).slice(0, count);
  const lines = rows.map(([name, us]) => `  ${((us / total) * 100).toFixed(1).padStart(5)} %  ${name}`);
  return `${title} (${(total / 1e6).toFixed(1)} s of CPU)\n${lines.join('\n')}\n`;
}
