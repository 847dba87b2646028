// Brings documents of older versions up, step by step, before they are read. Newer ones are refused, not guessed at.

import { BLOCKS, type BlockType, specOf } from '../../../contract/blocks/registry.ts';
import { DOCUMENT_VERSION, type Fault } from '../../../contract/flow.ts';
import { type Fields, fieldsOf } from './update-fields.ts';

/** `DOCUMENT_UPGRADES[1]` makes version 2 of a document of version 1. None is needed yet. */
const DOCUMENT_UPGRADES: { readonly [fromVersion: number]: (document: Fields) => Fields } = {};

type Upgraded = { readonly document: unknown } | { readonly fault: Fault };

/** Brings a raw document up to the present version of its shape and of each of its blocks. */
export function upgradeDocument(json: unknown, upgrades = DOCUMENT_UPGRADES): Upgraded {
  let document = fieldsOf(json);
  if (!document) return { document: json };
  const from = document['roost'];
  if (typeof from !== 'number' || !Number.isInteger(from)) return { document };
  if (from > DOCUMENT_VERSION) return tooNew('roost', from, DOCUMENT_VERSION);
  for (let version = from; version < DOCUMENT_VERSION; version += 1) {
    const upgrade = upgrades[version];
    if (!upgrade) return { document };
    document = { ...upgrade(document), roost: version + 1 };
  }
  return upgradeBlocks(document);
}

function tooNew(path: string, found: number, known: number): Upgraded {
  return {
    fault: {
      code: 'too_new',
      path,
      severity: 'stops',
      fix: 'Update Roost, or export the document from the older version again.',
      message: `This was made by a newer version of Roost (${found}); this one understands up to ${known}.`,
    },
  };
}

function upgradeBlocks(document: Fields): Upgraded {
  const blocks = fieldsOf(document['blocks']);
  if (!blocks) return { document };
  const upgraded: Record<string, unknown> = {};
  for (const [id, raw] of Object.entries(blocks)) {
    const block = fieldsOf(raw);
    const result = block ? upgradeBlock(`blocks.${id}`, block) : { document: raw };
    if ('fault' in result) return result;
    upgraded[id] = result.document;
  }
  return { document: { ...document, blocks: upgraded } };
}

function upgradeBlock(path: string, block: Fields): Upgraded {
  const type = block['type'];
  if (typeof type !== 'string' || !Object.hasOwn(BLOCKS, type)) return { document: block };
  const spec = specOf(type as BlockType);
  const from = block['version'] ?? 1;
  let props = fieldsOf(block['props']);
  if (typeof from !== 'number' || !props || from === spec.version) return { document: block };
  if (from > spec.version) return tooNew(`${path}.version`, from, spec.version);
  for (let version = from; version < spec.version; version += 1) {
    const upgrade = spec.upgrades?.[version];
    if (!upgrade) return { document: block };
    props = upgrade({ ...props });
  }
  return { document: { ...block, version: spec.version, props } };
}
