// Pictures that are asked for often; films are read from the database a part at a time.
import { type Cache, createCache } from './cache.ts';

type Picture = { readonly bytes: number; readonly kind: string; readonly content: Buffer };

export type Pictures = Cache<Picture>;

const bytesMax = 24 * 1024 * 1024;

export const createPictures = (): Pictures => createCache<Picture>({ bytesMax });
